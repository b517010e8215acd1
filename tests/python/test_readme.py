"""The Python code of README.md runs unchanged, and prints what its comments say."""

import importlib.util
import os
import re
import subprocess
import sys
import unittest

from support import ROOT, Case

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
MISSING = [name for name in ("numpy", "pandas", "matplotlib") if importlib.util.find_spec(name) is None]


class Readme(Case):
    @unittest.skipIf(MISSING, f"not installed, so that README.md is not tried: {', '.join(MISSING)}")
    def test_its_blocks_run_in_order_and_print_their_comments(self):
        self.assertGreater(len(BLOCKS), 0)
        (self.folder / "scenarios").symlink_to(ROOT / "scenarios")
        (self.folder / "readme.py").write_text("\n".join(BLOCKS), encoding="utf-8")
        run = subprocess.run([sys.executable, "-B", "readme.py"], env={**os.environ, "MPLBACKEND": "agg"},
                             capture_output=True, text=True, timeout=240, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertNotIn("RunWarning", run.stderr)
        said = re.findall(r"^print\(.*\)  # (.*)$", "\n".join(BLOCKS), re.MULTILINE)
        self.assertGreater(len(said), 1)
        printed = " ".join(run.stdout.split())
        for text in said:
            self.assertIn(" ".join(text.split()), printed)
        for name in re.findall(r"savefig\(\"(.*)\"\)", "\n".join(BLOCKS)):
            self.assertTrue((self.folder / name).is_file())


if __name__ == "__main__":
    unittest.main()
