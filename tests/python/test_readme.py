"""The README's example for python-chess runs as it is printed."""

import contextlib
import io
import re
import unittest

import support


class ReadmeTest(unittest.TestCase):
    def test_the_example_runs(self):
        readme = (support.ROOT / "README.md").read_text(encoding="utf-8")
        (example,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
        path = "target/release/regulus"
        self.assertIn(path, example)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(example.replace(f'"{path}"', repr(support.engine_path())), {})
        self.assertRegex(printed.getvalue(), r"plays \S+\nthinks \S+")


if __name__ == "__main__":
    unittest.main()
