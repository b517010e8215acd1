"""Holds the newest commits to the rule of CONTRIBUTING.md: an imperative subject of at most 72 characters, the why in the body."""

import os
import re
import shutil
import subprocess

COMMITS = 20
MAX_SUBJECT = 72
# Verbs that look like a plural, a past or a participle.
IMPERATIVES = {"Bias", "Focus", "Embed", "Exceed", "Feed", "Need", "Proceed", "Seed", "Shed", "Speed", "Bring", "Ping", "Ring", "String"}


def subjects(root):
    """(short id, subject) of the newest commits of the current branch, merges left out; None if `root` is no git tree."""
    if not os.path.exists(os.path.join(root, ".git")) or not shutil.which("git"):
        return None
    command = ["git", "-C", root, "-c", f"safe.directory={root}", "-c", "log.showSignature=false", "log", "--no-merges",
               f"-{COMMITS}", "--format=%h %s"]
    listed = subprocess.run(command, capture_output=True, text=True)
    return [tuple(line.split(" ", 1)) for line in listed.stdout.splitlines() if " " in line] if listed.returncode == 0 else None


def check_subject(subject):
    """A simple rule cannot recognize every imperative: it rejects first words that clearly are something else."""
    if len(subject) > MAX_SUBJECT:
        yield f"the subject has {len(subject)} characters, at most {MAX_SUBJECT}: move the why into the body"
    first = re.match(r"[\w'-]*", subject)[0]
    if not first[:1].isupper():
        yield f"the subject begins with '{subject.split(' ')[0]}', expected a capital letter"
    elif first not in IMPERATIVES and re.search(r"([^s]s|ed|ing)$", first):
        yield f"the subject begins with '{first}', expected an imperative such as 'Add'"
    if subject.endswith("."):
        yield "the subject ends with a period"


def check_subjects(listed):
    """Problems as tidy.py prints them, by commit in place of a path."""
    for commit, subject in listed:
        for text in check_subject(subject):
            yield f"commit {commit}", 0, f"{text}: {subject}"
