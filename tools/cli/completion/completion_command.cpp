#include "tools/cli/completion/completion_command.hpp"

#include <algorithm>
#include <memory>
#include <string_view>

#include "scenarios/words/layout.hpp"
#include "tools/console/printing.hpp"

namespace lagnet::tools {

namespace {

/// Readline parts words at the characters of COMP_WORDBREAKS, such as "=": they are put together for the program, and
/// of its answers the part before the word that readline sees, $2, is taken away.
constexpr std::string_view bash = R"script(# Completion of lagnet for bash: the program says what may come next.
#     source <(lagnet completion bash)

_lagnet() {
  local program=${1/#\~\//$HOME/} rest=${COMP_LINE:0:COMP_POINT} words=() word text i
  for ((i = 0; i < COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    if ((i == 0)) || [[ $rest == [[:space:]]* ]]; then words+=("$word"); else words[-1]+=$word; fi
    rest=${rest#"${rest%%[![:space:]]*}"}
    rest=${rest#"$word"}
  done
  if [[ $rest == [[:space:]]* ]]; then words+=("${rest#"${rest%%[![:space:]]*}"}"); else words[-1]+=$rest; fi
  words=("${words[@]//[\"\'\\]/}")
  local before=${words[-1]}
  if [[ $before == *"$2" ]]; then before=${before%"$2"}; else before=; fi
  COMPREPLY=()
  while IFS=$'\t' read -r text _; do
    case $text in
      :files) compopt -o default ;;
      :folders) compopt -o dirnames ;;
      :scenarios)
        compopt -o filenames -o default
        mapfile -t COMPREPLY < <(compgen -d -- "$2"; compgen -f -X '!*.json' -- "$2") ;;
      *)
        [[ $text != *[/=.,] ]] || compopt -o nospace
        COMPREPLY+=("${text#"$before"}") ;;
    esac
  done < <("$program" complete -- "${words[@]:1}" 2>/dev/null)
}
complete -F _lagnet lagnet
)script";

constexpr std::string_view zsh = R"script(#compdef lagnet
# Completion of lagnet for zsh: the program says what may come next. After compinit:
#     source <(lagnet completion zsh)

_lagnet() {
  local program=${(Q)words[1]} line text summary paths
  local -a asked ended open
  asked=("${(@Q)words[2,CURRENT-1]}")
  ((CURRENT > 2)) || asked=()
  asked+=("${(Q)PREFIX}")
  for line in "${(@f)$(${~program} complete -- "${asked[@]}" 2>/dev/null)}"; do
    text=${line%%$'\t'*}
    summary=${line#$text}
    case $text in
      '') ;;
      :*) paths=$text ;;
      *[/=.,]) open+=("${text//:/\\:}:${summary#$'\t'}") ;;
      *) ended+=("${text//:/\\:}:${summary#$'\t'}") ;;
    esac
  done
  local status_of_all=1
  (($#ended)) && _describe -t values value ended && status_of_all=0
  (($#open)) && _describe -t keys key open -S '' && status_of_all=0
  [[ $paths == :* && $PREFIX == --*=* ]] && compset -P '*='
  case $paths in
    :files) _files && status_of_all=0 ;;
    :folders) _files -/ && status_of_all=0 ;;
    :scenarios) _files -g '*.json' && status_of_all=0 ;;
  esac
  return status_of_all
}
if [[ $funcstack[1] == _lagnet ]]; then _lagnet "$@"; else compdef _lagnet lagnet; fi
)script";

constexpr std::string_view fish = R"script(# Completion of lagnet for fish: the program says what may come next.
#     lagnet completion fish | source

function __lagnet_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    set -e words[1]
    set -l before (string match -r -- '^--[^=]*=' "$word")
    set -l name (string replace -r -- '^--[^=]*=' '' "$word")
    for line in ($program complete -- $words "$word" 2>/dev/null)
        switch $line
            case ':folders'
                string join \n -- "$before"(__fish_complete_directories "$name" '')
            case ':files' ':scenarios'
                string join \n -- "$before"(__fish_complete_path "$name" '')
            case '*'
                echo -- $line
        end
    end
end
complete -c lagnet -f -a '(__lagnet_complete)'
)script";

/// The script by which a shell completes command lines of lagnet: it asks `lagnet complete -- WORD..`.
std::string_view shell_script(const std::string& shell) { return shell == "bash" ? bash : shell == "zsh" ? zsh : fish; }

std::string_view name_of(Paths paths) {
  return paths == Paths::files ? ":files\n" : paths == Paths::folders ? ":folders\n" : ":scenarios\n";
}

/// Shells read lines and tabs, and give each candidate a line.
std::string line_of(const Candidate& candidate) {
  constexpr std::size_t columns = 80;
  std::string summary = candidate.summary;
  std::ranges::replace_if(
      summary, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return candidate.text + (summary.empty() ? "" : "\t" + cut(summary, columns)) + "\n";
}

}  // namespace

void add_completion(CLI::App& app, Console& console) {
  auto shell = std::make_shared<std::string>();
  auto* command = app.add_subcommand("completion",
                                     "Print the script by which a shell completes commands, options, kinds and keys of "
                                     "scenarios: `source <(lagnet completion bash)`, or zsh; in fish `lagnet "
                                     "completion fish | source`");
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->option_text(" ");
  command->callback([shell, &console] {
    print_text(shell_script(*shell));
    console.exit_status = 0;
  });
}

bool is_asked_to_complete(const std::vector<std::string>& typed) {
  return typed.size() > 1 && typed[0] == "complete" && typed[1] == "--";
}

void print_candidates(CLI::App& app, const std::vector<std::string>& typed,
                      const std::function<std::vector<std::string>()>& figures) {
  const auto named = [&figures](const std::string& set, const std::string& word) {
    if (set != "papers") return named_candidates(set, word);
    std::vector<Candidate> list;
    for (const std::string& figure : figures()) list.push_back({figure});
    return list;
  };
  try {
    const Candidates found = candidates_for(app, {typed.begin() + 2, typed.end()}, named);
    for (const Candidate& candidate : found.list) print_text(line_of(candidate));
    if (found.paths != Paths::none) print_text(name_of(found.paths));
  } catch (const std::exception&) {  // an error would be written into the line that the user types
  }
}

}  // namespace lagnet::tools
