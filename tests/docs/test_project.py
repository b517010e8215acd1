"""Citation, changelog and version of the project agree, and tools can read the citation."""

import copy
import re
import unittest

from support import ROOT, Case

try:
    import jsonschema
    import yaml
except ImportError:
    yaml = None

# What the schema of CFF 1.2.0 says of the keys that stand in CITATION.cff, and which others there may be. The schema
# itself is not kept here: this has the parts that the file uses.
TEXT = {"type": "string", "minLength": 1}
ADDRESS = {"type": "string", "pattern": "^(https|http|ftp|sftp)://.+"}
NAMED = {"type": "object", "required": ["name"], "additionalProperties": False,
         "properties": {"name": TEXT, "alias": TEXT, "website": ADDRESS,
                        "email": {"type": "string", "pattern": r"^[\S]+@[\S]+\.[\S]{2,}$"}}}
PERSON = {"type": "object", "additionalProperties": False, "properties": {
    **{key: TEXT for key in ("family-names", "given-names", "name-particle", "name-suffix", "alias", "affiliation")},
    "orcid": {"type": "string", "pattern": "^https://orcid\\.org/[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X]$"}}}
CITATION = {
    "type": "object", "additionalProperties": False, "required": ["authors", "cff-version", "message", "title"],
    "properties": {
        "abstract": TEXT, "message": TEXT, "title": TEXT, "commit": TEXT,
        "authors": {"type": "array", "minItems": 1, "uniqueItems": True, "items": {"anyOf": [PERSON, NAMED]}},
        "cff-version": {"type": "string", "pattern": r"^1\.2\.0$"},
        "date-released": {"type": "string", "pattern": "^[0-9]{4}-(0[1-9]|1[012])-(0[1-9]|[12][0-9]|3[01])$"},
        "doi": {"type": "string", "pattern": r"^10\.\d{4,9}(\.\d+)?/\S+$"},
        "keywords": {"type": "array", "minItems": 1, "uniqueItems": True, "items": TEXT},
        "license": {"enum": ["Apache-2.0"]}, "repository-code": ADDRESS, "url": ADDRESS,
        "type": {"enum": ["software", "dataset"]}, "version": {"anyOf": [TEXT, {"type": "number"}]}}}


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


VERSION = re.search(r"project\(lagnet VERSION ([0-9.]+)", text_of("CMakeLists.txt"))[1]


class Project(Case):
    @unittest.skipIf(yaml is None, "python3-yaml or python3-jsonschema is missing: CITATION.cff is not checked")
    def test_the_citation_is_valid_and_names_this_version(self):
        citation = yaml.safe_load(text_of("CITATION.cff"))
        jsonschema.validate(citation, CITATION)
        self.assertEqual(citation["version"], VERSION)
        self.assertIn("Apache License", text_of("LICENSE"))
        for change in ({"cff-version": "1.1.0"}, {"authors": []}, {"message": ""}, {"date-released": "2026-13-01"},
                       {"licence": "Apache-2.0"}, {"title": 3}, {"keywords": ["a", "a"]}):
            with self.subTest(change=change), self.assertRaises(jsonschema.ValidationError):
                jsonschema.validate(copy.deepcopy(citation) | change, CITATION)

    def test_the_changelog_has_this_version_with_its_date_and_known_groups(self):
        text = text_of("CHANGELOG.md")
        versions = re.findall(r"^## \[([0-9.]+)\] - (\d{4}-\d\d-\d\d)$", text, re.M)
        headings = [line for line in re.findall(r"^## (.*)$", text, re.M) if line != "[Unreleased]"]
        self.assertEqual(len(headings), len(versions))
        self.assertEqual(versions[0][0], VERSION)
        numbers = [[int(part) for part in version.split(".")] for version, _ in versions]
        self.assertEqual(numbers, sorted(numbers, reverse=True))
        self.assertIn(f'date-released: "{versions[0][1]}"', text_of("CITATION.cff"))
        groups = set(re.findall(r"^### (.*)$", text, re.M))
        self.assertLessEqual(groups, {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"})

    def test_links_of_the_projects_files_lead_somewhere(self):
        for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"):
            for target in re.findall(r"\]\(([^)#\s]+)", text_of(name)):
                with self.subTest(name=name, target=target):
                    self.assertTrue(re.match("https://", target) or (ROOT / target).exists())

    def test_questions_asked_elsewhere_are_ten_with_a_scenario_each(self):
        questions = re.split(r"^## ", text_of("docs/asked.md"), flags=re.M)[1:]
        self.assertEqual(len(questions), 10)
        used = []
        for question in questions:
            title = question.split("\n")[0]
            with self.subTest(title):
                self.assertTrue(title.endswith("?"))
                (scenario,) = re.findall(r"^```\{literalinclude\} (asked/\w+\.json)$", question, re.M)
                self.assertIn(f"$ lagnet run docs/{scenario} ", question)
                used.append(scenario)
        self.assertEqual(sorted(used), sorted(f"asked/{path.name}" for path in (ROOT / "docs/asked").iterdir()))
