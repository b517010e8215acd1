"""Numbers on the command line."""

import re

from support import Case


class Numbers(Case):
    def test_an_empty_word_is_no_number_for_any_option_that_takes_one(self):
        found = 0
        commands = re.findall(r"^  ([a-z]+) {2,}", self.succeeds("--help"), re.M)
        for command in [["deploy", part] for part in ("local", "keys", "collect")] + [[one] for one in commands]:
            text = self.lagnet(*command, "--help")[1]
            for option in set(re.findall(r"^ +(?:-\w,)?(--[\w-]+) (?:N|S|M|P|AGENT|SEED)\b", text, re.M)):
                found += 1
                with self.subTest(command=command, option=option):
                    status, out, err = self.lagnet(*command, option, "")
                    self.assertEqual((status, out), (2, ""))
                    self.assertRegex(" ".join(err.split()), f"{option}: expected a (number|name), found none")
        self.assertGreater(found, 10)
        self.assertEqual(list(self.folder.iterdir()), [])
