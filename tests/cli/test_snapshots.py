"""LAGNET_RENEW=1 writes snapshots again; otherwise tests compare with them."""

from unittest import mock

from support import Case


class Renewal(Case):
    def setUp(self):
        super().setUp()
        self.enterContext(mock.patch("support.SNAPSHOTS", self.folder))
        self.enterContext(mock.patch("support.RENEWS", False))
        self.write("a.txt", "== one\nfirst\n== two\nsecond\n")

    def test_another_text_and_another_title_fail(self):
        same = {"one": "first\n", "two": "second\n"}
        self.check_snapshot("a", same)
        for change in ({"two": "other\n"}, {"three": ""}):
            with self.assertRaises(AssertionError):
                self.check_snapshot("a", same | change)

    def test_the_switch_writes_the_file_again(self):
        with mock.patch("support.RENEWS", True):
            self.check_snapshot("a", {"one": "changed\n"})
        self.assertEqual((self.folder / "a.txt").read_text(), "== one\nchanged\n")
