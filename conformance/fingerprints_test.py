"""Tests of fingerprints.py with invented texts."""

import contextlib
import io
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

import fingerprints

MARKDOWN = """---
label: draft that MUST not count
---
Before all headings one MAY say anything.

(boxes)=
## Boxes

Every box MUST have a `LID` ({numref}`§%s <lids>`, see {ref}`boxes`). A box
**MAY** be empty, e.g. `[0, N)`; see {ref}`above
<boxes>` and [the shop][shop].

[shop]: https://example.org/

* A lid MUST be `round`, and
* carry:

```
COLOUR = "red"
```

| Lid | Width |
|-----|-------|
| `a` | 3     |

```{note}
Lids SHOULD be clean.
```

```{mermaid}
graph that MUST not count
```

(lids)=
### Lids

`SIZE`
: Scalar `uint64`. At most 5.
"""

# The same text as copied from the rendering: no notes, no markup, spaces next to code lost.
PLAIN = """1Boxes¶
Every box MUST have aLID(§1.1, see Boxes).A box
MAY be empty, e.g. [0, N); see above and the shop.
A lid MUST be round, and
carry:
COLOUR = "red"
| Lid | Width |
|---|---|
| a | 3 |
1.1Lids¶
SIZE- Scalar uint64. At most 5.
"""


def texts(text):
    return [sentence.text for sentence in fingerprints.sentences(text)]


def fingerprint(text, start):
    found = {s.fingerprint for s in fingerprints.sentences(text) if s.text.startswith(start)}
    assert len(found) == 1, (start, found)
    return found.pop()


def catalogue():
    def clause(name, basis, statement, *starts):
        return {"id": name, "section": "1", "basis": basis, "statement": statement,
                "fingerprint": [fingerprint(MARKDOWN, start) for start in starts]}
    return {"specification": {"remarks": [fingerprint(MARKDOWN, "A box MAY")]}, "clause": [
        clause("box-has-lid", "keyword", "A box has a lid.", "Every box"),
        clause("lid-round", "keyword", "A lid is round.", "A lid MUST"),
        clause("lid-colour", "definition", "The colour given is red, as one quoted word.", "COLOUR"),
        clause("lid-clean", "note", "Whoever makes lids sees to it that they are clean.",
               "Lids SHOULD"),
        clause("size-scalar", "definition", "The size is a scalar number.", "SIZE")]}


def ids(changes):
    return [change.clause["id"] for change in changes]


class Sentences(unittest.TestCase):
    def test_markdown(self):
        self.assertEqual(texts(MARKDOWN), [
            "Before all headings one MAY say anything.",
            "Every box MUST have a LID (§0, see Boxes).",
            "A box MAY be empty, e.g. [0, N); see above and the shop.",
            "A lid MUST be round, and carry:",
            'COLOUR = "red"', "| Lid | Width |", "| a | 3     |",
            "Lids SHOULD be clean.",
            "SIZE Scalar uint64.", "At most 5."])

    def test_sections_and_lines(self):
        places = {s.text.split()[0]: (s.section, s.line) for s in fingerprints.sentences(MARKDOWN)}
        self.assertEqual(places["Every"], ("1", 9))
        self.assertEqual(places["SIZE"], ("1.1", 37))

    def test_source_and_rendering_are_equal(self):
        plain = {s.fingerprint for s in fingerprints.sentences(PLAIN)}
        markdown = {s.fingerprint for s in fingerprints.sentences(MARKDOWN)}
        self.assertEqual(plain - markdown, set())
        self.assertEqual(markdown - plain, {fingerprint(MARKDOWN, "Before all"),
                                            fingerprint(MARKDOWN, "Lids SHOULD")})

    def test_significant_text(self):
        def one(text):
            return fingerprint("## A\n\n" + text, "")
        self.assertEqual(one("It MUST  be\n*so* (§4.2)."), one("It MUST be so (§7)."))
        self.assertEqual(one("The \u2018a\u2019 is \u201cb\u201d."), one("The 'a' is \"b\"."))
        self.assertNotEqual(one("It MUST be so."), one("It must be so."))
        self.assertNotEqual(one("It MUST be 4."), one("It MUST be 5."))
        self.assertRegex(one("It is."), "^[0-9a-f]{16}$")

    def test_text_after_code_is_its_own_sentence(self):
        self.assertEqual(texts("1A¶\nThus:\nENUM {\nX;\n}Producers MUST stop.\n"),
                         ["Thus:", "ENUM {", "X;", "}", "Producers MUST stop."])


class Comparing(unittest.TestCase):
    def compare(self, text, old=None):
        return fingerprints.compare(catalogue(), text, old)

    def test_equal_text(self):
        result = self.compare(MARKDOWN)
        self.assertEqual(len(result.unchanged), 5)
        self.assertEqual((result.changes, result.came), ([], []))

    def test_rendering_without_notes(self):
        result = self.compare(PLAIN)
        self.assertEqual((len(result.unchanged), result.changes, result.came), (4, [], []))
        self.assertEqual([clause["id"] for clause in result.not_looked_for], ["lid-clean"])

    def test_note_removed_from_the_source(self):
        result = self.compare(MARKDOWN.replace("Lids SHOULD be clean.", "Nothing."))
        self.assertEqual(ids(result.went), ["lid-clean"])

    def test_changed(self):
        for old in (None, MARKDOWN):
            result = self.compare(MARKDOWN.replace("`round`", "square or round"), old)
            self.assertEqual(ids(result.changes), ["lid-round"])
            change = result.changed[0]
            self.assertEqual(change.now.text, "A lid MUST be square or round, and carry:")
            self.assertEqual(change.was and change.was.text,
                             old and "A lid MUST be round, and carry:")
            self.assertEqual(result.came, [])  # it is recognised as the new wording

    def test_removed_sentence(self):
        result = self.compare(MARKDOWN.replace('COLOUR = "red"\n', ""), MARKDOWN)
        self.assertEqual((ids(result.went), result.changed), (["lid-colour"], []))

    def test_added_sentence(self):
        result = self.compare(MARKDOWN + "\nHandles MUST be sturdy. They are useful.\n")
        self.assertEqual(len(result.unchanged), 5)
        self.assertEqual([s.text for s in result.came], ["Handles MUST be sturdy."])
        with contextlib.redirect_stdout(io.StringIO()) as out:
            fingerprints.report(result, sys.stdout)
        self.assertIn(f"came  {result.came[0].fingerprint}  line 40, 1.1: Handles MUST be sturdy.\n",
                      out.getvalue())

    def test_moved_and_renumbered(self):
        self.assertEqual(self.compare("## Preface\n\nHello.\n\n" + MARKDOWN).changes, [])


class CommandLine(unittest.TestCase):
    def run_on(self, text, *options):
        with tempfile.TemporaryDirectory() as folder:
            path, new = Path(folder) / "clauses.toml", Path(folder) / "new.md"
            path.write_text(self.toml())
            new.write_text(text)
            with contextlib.redirect_stdout(io.StringIO()) as out:
                status = fingerprints.main([str(new), "--catalogue", str(path), *options])
            return status, out.getvalue(), path.read_text()

    def toml(self):
        made = catalogue()
        lines = ["[specification]", f"remarks = {made['specification']['remarks']}".replace("'", '"')]
        for clause in made["clause"]:
            lines += ["", "[[clause]]"]
            lines += [f"{key} = {value!r}".replace("'", '"') for key, value in clause.items()]
        return "\n".join([*lines, "", "[[ambiguity]]", 'id = "lid-round-or-not"', ""])

    def test_exit_statuses(self):
        self.assertEqual(self.run_on(MARKDOWN)[0], 0)
        status, out, _ = self.run_on(MARKDOWN.replace("`round`", "square or round"))
        self.assertEqual(status, 1)
        self.assertIn("changed  lid-round (1)\n    says A lid is round.\n    now  line 15, 1: A lid MUST "
                      "be square or round, and carry:\n", out)
        self.assertIn("4 clauses unchanged, 1 changed, 0 of them with a sentence that went; "
                      "0 sentences came", out)

    def test_write_updates_only_changed_fingerprints(self):
        text = MARKDOWN.replace("`round`", "square or round").replace('COLOUR = "red"\n', "")
        _, _, unwritten = self.run_on(text)
        self.assertEqual(unwritten, self.toml())
        _, _, written = self.run_on(text, "--write")
        differing = [pair for pair in zip(self.toml().splitlines(), written.splitlines())
                     if pair[0] != pair[1]]
        self.assertEqual(len(differing), 1)
        result = fingerprints.compare(tomllib.loads(written), text)
        self.assertEqual((ids(result.changed), ids(result.went)), ([], ["lid-colour"]))


    def test_write_adds_fingerprints_to_an_inherited_clause(self):
        text = MARKDOWN.replace("`round`", "square or round").replace("Every box MUST", "Each box MUST")
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            (folder / "one.toml").write_text(self.toml().replace("]", ']\nid = "one"', 1)
                                           .partition("[[ambiguity]]")[0])
            later, new = folder / "two.toml", folder / "new.md"
            later.write_text('[specification]\nid = "two"\nfollows = "one"\n'
                             f"remarks = {catalogue()['specification']['remarks']}\n\n"
                             '[[clause]]\nid = "lid-round"\nstatement = "A lid is not flat."\n')
            new.write_text(text)
            arguments = [str(new), "--catalogue", str(later)]
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(fingerprints.main([*arguments, "--write"]), 1)
                self.assertEqual(fingerprints.main(arguments), 0)
            self.assertEqual(later.read_text().count("fingerprint = "), 2)
            self.assertEqual(later.read_text().count('id = "lid-round"'), 1)


class Catalogue(unittest.TestCase):
    def test_every_clause_has_fingerprints(self):
        clauses = tomllib.loads(fingerprints.CATALOGUE.read_text())["clause"]
        self.assertGreater(len(clauses), 300)
        for clause in clauses:
            self.assertTrue(clause["fingerprint"], clause["id"])
            for each in clause["fingerprint"]:
                self.assertRegex(each, "^[0-9a-f]{16}$")


if __name__ == "__main__":
    unittest.main()
