"""Names and values from a file are text in every form of report: they cannot become control codes,
markup, or commands of the service that shows the report."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom

import h5py
import numpy as np

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE))
from generators.hostile import table


def run(*arguments):
    return subprocess.run([HEPCHECK, *map(str, arguments)], capture_output=True, timeout=120,
                          stdin=subprocess.DEVNULL)


def formats():
    help_text = run("validate", "--help").stdout.decode()
    (known,) = re.findall(r"--format.*?\{(.*?)\}", help_text, re.S)
    return [re.sub(r"\s", "", name) for name in known.split(",")]


class Output(unittest.TestCase):
    """Nothing in a file reaches the reader of a report as anything but text."""

    NAMES = ["\x1b[31mred\x1b]0;title\x07", "<script>alert(1)</script>",
             "<img src=x onerror=alert(1)>", "\n::error file=x::injected", "%0A::set-env name=x::y",
             "](javascript:alert(1)) **bold** `code` | cell |", "]]><!--", "&lt;b&gt;\"'`$(id)",
             "\u202eevil\u2066", "\x9b31m", "line\r\nnext", "::stop-commands::x"]
    BAD_UTF8 = b"_\xff\xfe\xc3("

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "x.h5"
        file, group = table(self.path)
        for name in self.NAMES:
            # A leading underscore is a finding, so that every report names the column.
            group.create_dataset("_" + name, (1, 1), "i4").attrs["units"] = name
            group.attrs[name] = name
        h5py.h5d.create(group.id, self.BAD_UTF8, h5py.h5t.NATIVE_INT32,
                        h5py.h5s.create_simple((1, 1)))
        group.attrs["VERSION"] = np.bytes_("<script>alert(2)</script>\x1b[2J")
        file.close()

    def report(self, form, *arguments):
        result = run("validate", "--format", form, *arguments, self.path)
        self.assertEqual(result.returncode, 1, (form, result.stderr))
        return result.stdout

    def test_no_control_codes_in_any_format(self):
        for form in formats():
            for arguments in ((), ("--verbose",)):
                with self.subTest(form, arguments=arguments):
                    shown = self.report(form, *arguments).decode("utf-8")  # valid UTF-8, too
                    self.assertIn("script", shown)
                    bad = re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f]", shown)
                    self.assertEqual(bad, [])

    def test_no_line_begins_with_words_from_the_file(self):
        for form in formats():
            with self.subTest(form):
                for line in self.report(form).decode().splitlines():
                    self.assertFalse(line.lstrip().startswith(
                        ("::error file=x", "::set-env", "::stop-commands", "next")), line)

    def test_markup_stays_text(self):
        for form in set(formats()) & {"html", "markdown", "junit", "xml"}:
            with self.subTest(form):
                shown = self.report(form).decode()
                for tag in ("<script>alert", "<img src=x"):
                    self.assertNotIn(tag, shown)

    def test_what_is_parsed_still_parses(self):
        for form in formats():
            shown = self.report(form)
            with self.subTest(form):
                if form in ("json", "sarif"):
                    json.loads(shown)
                if form in ("junit", "xml"):
                    xml.dom.minidom.parseString(shown)

    def test_bytes_that_are_no_utf8_are_shown_escaped(self):
        for form in ("text", "json"):
            shown = self.report(form).decode()
            self.assertRegex(shown, r"_\\+xFF\\+xFE\\+xC3\(")


if __name__ == "__main__":
    unittest.main()
