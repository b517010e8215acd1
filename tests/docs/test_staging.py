"""Files of the repository become pages, their links lead to pages, and a link that leads nowhere is found."""

from support import Case, links, staging


class Staging(Case):
    def setUp(self):
        super().setUp()
        self.write("README.md", "# Top\n\n[sim](sim/README.md#two-words) ![a\npicture](sim/a.svg)\n")
        self.write("sim/README.md", "# sim\n\nText [up](../README.md), [code](b/c.hpp), [`d`](b/c.hpp).\n\n"
                                    "## Two words\n\nHere.\n\n### Deep\n\n    [not](a-link.md)\n\n## Last\n")
        self.write("sim/a.svg", "<svg/>")
        self.write("sim/b/c.hpp", "")
        for name in staging.PROJECT:
            if name != "README.md":
                self.write(name, "# Title\n")
        self.out = self.folder / "out/source"

    def page(self, text, work=None):
        self.write("docs/part/page.md", text)
        site = staging.Site(self.out)
        site.stage("docs/part/page.md", work)
        return (self.out / "part/page.md").read_text(encoding="utf-8"), site.problems

    def test_links_between_files_are_links_between_pages(self):
        site = staging.Site(self.out)
        site.stage("README.md")
        site.stage("sim/README.md")
        text = (self.out / "rooms/index.md").read_text(encoding="utf-8")
        self.assertIn("[sim](sim.md#two-words) ![a\npicture](../pictures/sim/a.svg)\n", text)
        self.assertTrue((self.out / "pictures/sim/a.svg").is_file())
        text = (self.out / "rooms/sim.md").read_text(encoding="utf-8")
        self.assertIn("Text [up](index.md), code (`sim/b/c.hpp`), `d`.\n", text)
        self.assertIn("    [not](a-link.md)\n", text)
        self.assertEqual(site.problems, [])

    def test_a_section_of_a_readme_is_inserted_by_name(self):
        text, problems = self.page("# Page\n\n<!-- here: ../../sim/README.md#two-words -->\n\nEnd\n")
        self.assertEqual(text, "# Page\n\nHere.\n\n## Deep\n\n    [not](a-link.md)\n\nEnd\n")
        self.assertEqual(problems, [])

    def test_broken_links_are_reported_with_their_line(self):
        _, problems = self.page("# Page\n\n[a](../nothing.md)\n\n<!-- here: ../../sim/README.md#no -->\n")
        self.assertEqual(problems, ["docs/part/page.md:3: ../nothing.md is no file",
                                    "docs/part/page.md:5: sim/README.md has no section #no"])

    def test_files_made_by_commands_are_shown(self):
        work = self.folder / "work"
        self.write("work/runs/a.svg", "<svg/>")
        self.write("work/runs/a.html", "<html/>")
        text, problems = self.page("![A](runs/a.svg) [b](runs/a.html)\n\n```{live} runs/a.html\n:title: C\n```\n", work)
        self.assertEqual(problems, [])
        self.assertIn("![A](../pictures/made/part/page/a.svg) <a href=\"../live/part-page-a.html\">b</a>\n", text)
        self.assertIn('<iframe class="live" src="../live/part-page-a.html" title="C"', text)
        self.assertTrue((self.folder / "out/extra/live/part-page-a.html").is_file())
        _, problems = self.page("```{live} runs/b.html\n:title: C\n```\n", work)
        self.assertEqual(len(problems), 1)


class Links(Case):
    def test_broken_links_and_anchors_are_found(self):
        self.write("html/index.html", '<a href="a/b.html#here">1</a><a href="https://example.org/x">2</a>'
                                      '<img src="p.png">')
        self.write("html/a/b.html", '<p id="here"></p><a href="../index.html">1</a><a href="#here">2</a>'
                                    '<a name="old"></a><a href="#old">3</a>')
        self.write("html/p.png", "")
        self.assertEqual(links.check(self.folder / "html"), ([], {"https://example.org/x": {"index.html"}}, 2))
        self.write("html/c.html", '<a href="a/b.html#there">1</a><a href="d.html">2</a>'
                                  '<script src="../out.js"></script>')
        problems, _, _ = links.check(self.folder / "html")
        self.assertEqual(problems, ["c.html: a/b.html#there: the page has no such anchor",
                                    "c.html: d.html leads to no file of the site",
                                    "c.html: ../out.js leads to no file of the site"])
