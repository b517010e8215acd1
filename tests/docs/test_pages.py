"""The commands that a page shows are run, and errors in them are reported with their place."""

from support import Case, pages


class Pages(Case):
    def test_words_agree_whatever_the_lines_and_dots_stand_for_anything(self):
        for shown, printed, wanted in [
                (["a b"], "a  b\n", True), (["a", "b"], "a b\n", True), (["a b"], "a b c", False), (["a"], "", False),
                (["a", "..."], "a\nb\nc", True), (["...", "c"], "a\nb\nc", True),
                (["a", "...", "c"], "a\nb\nc\nd", False),
                (["0.24..."], "0.2488", True), (["in ... s"], "in 8 s", True), (["a.c"], "abc", False),
                (["..."], "", True)]:
            with self.subTest(shown=shown, printed=printed):
                self.assertEqual(pages.agrees(shown, printed), wanted)

    def test_a_true_page_has_no_problem(self):
        self.assertEqual(self.problems(
            "# A page", "```{code-block} json", ":caption: below/a.json", "", '{"a": 1}', "```", "", "```console",
            "$ cat below/a.json", '{"a": 1}', "$ printf 'one\\ntwo\\n' | \\", ">     tail -1", "two", "$ false",
            "$ echo $?", "1", "```", "", "```pycon", ">>> a = 2", "```", "and", "```pycon", ">>> a + 1", "3",
            "```"), [])

    def test_the_program_is_that_of_the_build(self):
        self.assertEqual(self.problems("```console", "$ lagnet --version", "lagnet ... formats: ...", "```"), [])

    def test_each_mistake_is_reported_with_its_line(self):
        for lines, line, told in [
                (["", "```console", "$ echo one", "two", "```"], 3, "prints\none\ninstead of\ntwo"),
                (["```console", "$ echo said; exit 3", "```"], 2, "ended with 3: said"),
                (["```console", "no command", "```"], 2, "does not begin with a command"),
                (["```json", "{}", "```"], 1, "a block that nothing runs"),
                (["```{code-block} json", "{}", "```"], 1, "a block that nothing runs"),
                (["```{nonsense}", "```"], 1, "{nonsense} is none of"),
                (["a", "```pycon", ">>> 1 + 1", "3", "```"], 2, "the session of Python gives something else")]:
            with self.subTest(lines=lines):
                (problem,) = self.problems(*lines)
                self.assertTrue(problem.startswith(f"docs/page.md:{line}: "), problem)
                self.assertIn(told, problem)

    def test_printed_output_can_be_accepted(self):
        page = self.run_page("```console\n$ echo one; echo two\nthree\n$ echo four\nfour\n```\n\nThe end\n")
        self.assertEqual(pages.corrected(page), "```console\n$ echo one; echo two\none\ntwo\n$ echo four\nfour\n```\n\n"
                                                "The end\n")

    def test_long_sentences_are_folded_and_tables_are_not(self):
        sentence, row = "word " * 30, "cell  " * 30
        folded = pages.folded("  " + sentence)
        self.assertGreater(len(folded), 1)
        self.assertTrue(all(len(line) <= pages.WIDEST for line in folded))
        self.assertEqual(" ".join(folded).split(), sentence.split())
        self.assertEqual(pages.folded(row), [row.rstrip()])

    def test_a_page_that_was_run_is_not_run_again_until_it_changes(self):
        text = "```console\n$ date +%N >> /dev/null; ls\n```\n"
        self.run_page(text)
        mark = self.folder / "work/docs/page/mark"
        mark.write_text("")
        self.run_page(text)
        self.assertTrue(mark.exists())
        self.run_page(text + "\nMore.\n")
        self.assertFalse(mark.exists())
