"""Makes the site and checks it: every link leads to something, nothing is requested from elsewhere, and every clause
has a page that search finds. HEPCHECK is the program."""

import collections
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
EMPTY = ("meta", "link", "br", "img", "input", "hr", "col", "wbr")
LOADED = {("img", "src"), ("script", "src"), ("link", "href"), ("source", "src"), ("iframe", "src")}


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.loaded, self.ids, self.open = [], [], collections.Counter(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.ids[value] += 1
            elif (tag, name) in LOADED:
                self.loaded.append(value)
            elif (tag, name) == ("a", "href"):
                self.links.append(value)
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in EMPTY:
            return
        if not self.open or self.open.pop() != tag:
            raise AssertionError(f"{tag} ends where it is not open")


@unittest.skipUnless(shutil.which("cmark-gfm"), "cmark-gfm is not installed")
class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = pathlib.Path(cls.folder.name) / "site"
        cls.program = os.environ["HEPCHECK"]
        subprocess.run([sys.executable, HERE / "make.py", cls.program, cls.root], check=True, stdout=subprocess.DEVNULL)
        cls.pages = {path: Page(path) for path in cls.root.rglob("*.html")}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_links_lead_somewhere(self):
        missing = set()
        exists = {path for path in self.root.rglob("*") if path.is_file()}
        for path, page in self.pages.items():
            self.assertEqual(page.open, [], path)
            for link in page.links:
                address = urllib.parse.urlsplit(link)
                if address.scheme in ("http", "https"):
                    continue
                self.assertEqual(address.scheme, "", link)
                to = path
                if address.path:
                    to = pathlib.Path(os.path.normpath(path.parent / urllib.parse.unquote(address.path)))
                if to not in exists or address.fragment and to in self.pages and \
                        not self.pages[to].ids[urllib.parse.unquote(address.fragment)]:
                    missing.add(f"{path.relative_to(self.root)}: {link}")
        self.assertEqual(sorted(missing), [])

    def test_nothing_is_requested_from_elsewhere(self):
        for path, page in self.pages.items():
            for each in page.loaded:
                self.assertFalse(urllib.parse.urlsplit(each).netloc, f"{path}: {each}")
        for name in ("site.css", "search.js", "try.js"):
            if not (self.root / name).exists():  # without a build for WebAssembly
                continue
            self.assertIsNone(re.search(r"https?://|url\(|@import|fetch\(|XMLHttpRequest", (self.root / name).read_text()))

    def test_ids_are_unique(self):
        for path, page in self.pages.items():
            self.assertEqual([each for each, count in page.ids.items() if count > 1], [], path)

    def test_every_clause_has_a_page_and_is_found(self):
        words = (self.root / "search-data.js").read_text(encoding="utf-8")
        data = json.loads(words.removeprefix("window.searchData = ").removesuffix(";\n"))
        addresses = {address for _, address, _ in data}
        for catalogue in (HERE.parents[1] / "conformance/clauses").glob("*.toml"):
            spec = catalogue.stem
            listed = subprocess.run([self.program, "clauses", "list", "--spec", spec], capture_output=True, text=True,
                                    check=True).stdout
            ids = re.findall(r"^([a-z0-9]+(?:-[a-z0-9]+)+)\s", listed, re.MULTILINE)
            self.assertGreater(len(ids), 100, spec)
            for each in ids:
                address = f"clauses/{spec}/{each}.html"
                self.assertIn(address, addresses)
                self.assertIn(self.root / address, self.pages)

    def test_a_clause_page_has_everything(self):
        words = (self.root / "clauses/hep001-2026-07-09/minmax-min-value.html").read_text(encoding="utf-8")
        for part in ("Why it matters", "How it is checked", "Fix with h5py", "Files that hold it", "Files that break it"):
            self.assertIn(part, words)


if __name__ == "__main__":
    sys.exit(unittest.main())
