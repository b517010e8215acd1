"""Completion in the shells themselves."""

import unittest

import shells

BASH = """
bind 'set bell-style none'; bind 'set enable-bracketed-paste off'; bind 'set show-all-if-ambiguous on'
bind 'set completion-query-items 0'; bind 'set page-completions off'
tell() { printf '<<%s>>\\n' "$READLINE_LINE"; READLINE_LINE=; }
bind -x '"\\C-t": tell'
source <(lagnet completion bash)
PS1='READY> '
"""
ZSH = """
autoload -Uz compinit && compinit -D -u
LISTMAX=10000
tell() { print -r -- "<<$BUFFER>>"; BUFFER=; CURSOR=0 }
zle -N tell && bindkey '^T' tell
source <(lagnet completion zsh)
PS1='READY> '
"""
FISH = """
function fish_prompt; echo 'READY> '; end
function fish_greeting; end
set -g fish_autosuggestion_enabled 0
function tell; printf '<<%s>>\\n' (commandline | string collect); commandline ''; end
bind \\ct tell
lagnet completion fish | source
"""


class Bash(shells.ShellCase):
    COMMAND = ("bash", "--noprofile", "--rcfile", "{home}/rc", "-i")
    RULES = BASH

    def test_quotes_may_be_open(self):
        # Readline closes them behind a word that is the only one; what follows still belongs to the word.
        for typed, line in (("'/topology/ag", "'/topology/agents='"), ("'/topology/'ag", "/topology/agents="),
                            ('"topolo', '"topology."')):
            with self.subTest(typed):
                self.assertEqual(self.completed(f"lagnet run first.json --set {typed}"),
                                 f"lagnet run first.json --set {line}")


class Zsh(shells.ShellCase):
    COMMAND = ("zsh", "-i", "-o", "no_global_rcs")
    RULES, FILE = ZSH, ".zshrc"

    def test_candidates_have_descriptions(self):
        self.completed("lagnet re")
        self.assertIn("Run figures of a paper", self.seen)


class ZshInstalled(shells.ShellCase):
    """The script where zsh looks for it, which reads it when it is needed."""

    COMMAND, FILE = Zsh.COMMAND, Zsh.FILE
    RULES = 'lagnet completion zsh >"$ZDOTDIR/_lagnet"\nfpath=("$ZDOTDIR" $fpath)\n' + ZSH.replace(
        "source <(lagnet completion zsh)\n", "")


class Fish(shells.ShellCase):
    COMMAND = ("fish", "-i", "--no-config", "-C", "source {home}/rc")
    RULES = FISH

    def test_candidates_have_descriptions(self):
        self.completed("lagnet re")
        self.assertIn("Run figures of a paper", self.seen)


if __name__ == "__main__":
    unittest.main()
