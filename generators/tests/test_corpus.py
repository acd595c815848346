"""Tests what `python3 -m generators --check` detects, with an invented format of two files."""

import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from generators import corpus, formats
from generators.recipe import Catalogue

CATALOGUE = """
[specification]
id = "made-1"
[[clause]]
id = "kept"
section = "2"
default_severity = "error"
"""


class MadeUp:
    name = "made"

    def __init__(self, folder):
        (folder / "made-1.toml").write_text(CATALOGUE)
        self.catalogue = Catalogue("made", base=list, suffix=".x", folder=folder)
        self.catalogue.valid("kept", "one", "One.")(lambda _: None)
        self.catalogue.invalid("kept", "two", "Two.")(lambda _: None)
        self.version, self.content = "1", b"content"

    def recipes(self, only):
        return list(self.catalogue.recipes.values())

    def make(self, recipe):
        return self.content, "/t"

    def made_with(self):
        return {"library": self.version}


class Check(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.format = MadeUp(Path(folder.name))
        self.folder = Path(folder.name) / "fixtures"
        found = mock.patch.object(formats, "find", lambda name: self.format)
        found.start()
        self.addCleanup(found.stop)
        corpus.generate(self.format, self.folder)
        self.file = self.folder / "valid/2/kept--one.x"

    def check(self):
        return corpus.check(self.format, self.folder)

    def change_manifest(self, change):
        path = self.folder / "manifest.json"
        manifest = json.loads(path.read_text())
        change(manifest)
        path.write_text(json.dumps(manifest, indent=1) + "\n")

    def test_current(self):
        self.assertEqual(self.check(), (True, "the corpus of made is current, byte for byte"))

    def test_different_bytes_from_the_same_library(self):
        self.format.content = b"another"
        self.assertEqual(self.check(), (False, "made/invalid/2/kept--two.x: differs\n"
                                        "made/manifest.json: differs\n"
                                        "made/valid/2/kept--one.x: differs"))

    def test_different_bytes_from_another_library(self):
        self.format.content, self.format.version = b"another", "2"
        current, words = self.check()
        self.assertTrue(current)
        self.assertIn("except for the bytes: made with library 1, and here is library 2", words)

    def test_another_library_compares_expectations(self):
        self.format.version = "2"
        self.change_manifest(lambda manifest: manifest["fixtures"][0].update(shows="Other."))
        self.assertEqual(self.check(), (False, "made/valid/2/kept--one.x: differs"))

    def test_another_library_compares_files_with_the_manifest(self):
        self.format.version = "2"
        self.file.write_bytes(b"corrupted")
        self.assertEqual(self.check(), (False, "made/valid/2/kept--one.x: differs"))

    def test_missing_and_surplus_files(self):
        for version in ("1", "2"):
            with self.subTest(version):
                self.format.version = version
                self.file.rename(self.file.with_name("kept--other.x"))
                current, words = self.check()
                self.assertFalse(current)
                self.assertIn("made/valid/2/kept--other.x: no recipe makes it", words)
                self.assertRegex(words, "made/valid/2/kept--one.x: (missing|differs)")
                self.file.with_name("kept--other.x").rename(self.file)


if __name__ == "__main__":
    unittest.main()
