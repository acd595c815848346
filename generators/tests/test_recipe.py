"""Tests recipes for several revisions and their manifest entries, with invented specifications."""

import tempfile
import unittest
from pathlib import Path

from generators.recipe import Catalogue

FIRST = """
[specification]
id = "made-1"
[[clause]]
id = "kept"
section = "2.1"
default_severity = "error"
[[clause]]
id = "softened"
section = "2.2"
default_severity = "error"
[[clause]]
id = "dropped"
section = "3"
default_severity = "error"
[[clause]]
id = "unseen"
section = "3"
default_severity = "error"
emitted_as = ["kept"]
[[ambiguity]]
id = "open"
"""
SECOND = """
[specification]
id = "made-2"
[[clause]]
id = "kept"
section = "4.1"
default_severity = "error"
[[clause]]
id = "softened"
section = "4.2"
default_severity = "warning"
[[clause]]
id = "fresh"
section = "5"
default_severity = "info"
"""


def mutate(table):
    "It is mutated."


class Revisions(unittest.TestCase):
    def catalogue(self, *texts, successors={}):
        with tempfile.TemporaryDirectory() as folder:
            for number, text in enumerate(texts):
                (Path(folder) / f"made-{number + 1}.toml").write_text(text)
            (Path(folder) / "other-1.toml").write_text("")
            return Catalogue("made", base=list, suffix=".x", folder=Path(folder),
                             successors=successors)

    def entry(self, kind, clause, successors={}, **options):
        """The entry for both revisions, without the keys that are the same in all tests."""
        catalogue = self.catalogue(FIRST, SECOND, successors=successors)
        getattr(catalogue, kind)(clause, **options)(mutate)
        (recipe,) = catalogue.recipes.values()
        made = catalogue.entry(recipe, {"file": recipe.path}, "/t")
        same = {"kind": kind, "clause": clause, "group": "/t", "shows": "It is mutated."}
        for key, value in same.items():
            self.assertEqual(made.pop(key), value)
        return made

    def test_the_same_in_all_revisions(self):
        self.assertEqual(self.entry("invalid", "kept"), {
            "file": "invalid/2.1/kept--mutate.x", "spec": "made-1", "keeps": [],
            "fails": ["kept"], "warns": [], "informs": []})

    def test_different_severity_of_a_revision(self):
        made = self.entry("invalid", "softened")
        self.assertEqual(made["fails"], ["softened"])
        self.assertEqual(made["revisions"], {"made-2": {"fails": [], "warns": ["softened"]}})

    def test_until_and_since(self):
        self.assertEqual(self.entry("invalid", "dropped", until="made-1")["until"], "made-1")
        made = self.entry("invalid", "fresh", since="made-2")
        self.assertEqual((made["file"], made["spec"], made["informs"]),
                         ("invalid/5/fresh--mutate.x", "made-2", ["fresh"]))
        self.assertNotIn("until", made)
        with self.assertRaises(AssertionError):
            self.entry("invalid", "kept", since="made-2", until="made-1")

    def test_later_revision_with_different_expectations(self):
        made = self.entry("invalid", "dropped", ambiguity="open",
                          tables={"/b": {"warns": ["kept"]}},
                          revised={"made-2": {"kind": "valid", "clause": "kept", "fails": (),
                                              "tables": None}})
        self.assertEqual(made["revisions"]["made-2"],
                         {"kind": "valid", "clause": "kept", "fails": [], "ambiguity": None,
                          "tables": None})
        self.assertEqual([table["group"] for table in made["tables"]], ["/t", "/b"])

    def test_missing_clause_of_a_revision_must_be_declared(self):
        for options in ({"clause": "dropped"}, {"clause": "fresh"},
                        {"clause": "kept", "fails": {"fresh"}},
                        {"clause": "kept", "fails": {"kept"}, "ambiguity": "opne"},
                        {"clause": "dropped", "revised": {"made-2": {"kind": "valid"}}},
                        {"clause": "kept", "tables": {"/b": {"warns": {"fresh"}}}},
                        {"clause": "kept", "revised": {"made-3": {}}},
                        {"clause": "kept", "keeps": ["kpet"]}):
            with self.subTest(**options), self.assertRaises(AssertionError):
                self.entry("invalid", **options)

    def test_renamed_clause(self):
        made = self.entry("invalid", "dropped", successors={"dropped": "fresh"},
                          tables={"/b": {"warns": ["dropped"]}})
        self.assertEqual(made["fails"], ["dropped"])
        later = made["revisions"]["made-2"]
        self.assertEqual((later["clause"], later["fails"], later["informs"]),
                         ("fresh", [], ["fresh"]))
        self.assertEqual(later["tables"][1]["warns"], ["fresh"])

    def test_satisfied_clauses_of_each_revision(self):
        made = self.entry("valid", "kept", keeps=["dropped", "fresh", "softened"])
        self.assertEqual(made["keeps"], ["dropped", "softened"])
        self.assertEqual(made["revisions"], {"made-2": {"keeps": ["fresh", "softened"]}})

    def test_ambiguity_that_a_revision_settles(self):
        made = self.entry("invalid", "kept", ambiguity="open")
        self.assertEqual((made["ambiguity"], made["revisions"]),
                         ("open", {"made-2": {"ambiguity": None}}))

    def test_reported_under_another_id(self):
        made = self.entry("invalid", "unseen", until="made-1")
        self.assertEqual((made["fails"], made["alias"]), (["kept"], "kept"))

    def test_additional_findings(self):
        def base():
            return []
        base.reports = ["softened", "dropped"]
        options = {"until": "made-1", "base": base}
        self.assertEqual(self.entry("invalid", "kept", **options)["fails"],
                         ["dropped", "kept", "softened"])
        made = self.entry("invalid", "kept", also=["unseen"], less=["dropped"], **options)
        self.assertEqual(made["fails"], ["kept", "softened", "unseen"])
        self.assertEqual(self.entry("invalid", "kept", fails={"kept"}, **options)["fails"], ["kept"])
        made = self.entry("invalid", "kept", also=["softened"])
        self.assertEqual(made["revisions"]["made-2"], {"fails": ["kept"], "warns": ["softened"]})

    def test_other_suffix(self):
        self.assertEqual(self.entry("invalid", "kept", suffix=".y")["file"],
                         "invalid/2.1/kept--mutate.y")

    def test_valid_fixture_must_not_fail(self):
        with self.assertRaises(AssertionError):
            self.entry("valid", "kept", fails={"kept"})

    def test_two_recipes_for_one_file(self):
        catalogue = self.catalogue(FIRST)
        catalogue.valid("kept")(mutate)
        with self.assertRaises(AssertionError):
            catalogue.valid("kept")(mutate)

    def test_manifest(self):
        self.assertEqual(self.catalogue(FIRST).manifest([]),
                         {"schema": 1, "spec": "made-1", "fixtures": []})
        self.assertEqual(self.catalogue(FIRST, SECOND).manifest([])["later"], ["made-2"])

    def test_a_recipe_may_return_another_subject(self):
        catalogue = self.catalogue(FIRST)
        catalogue.valid("kept", "another", "One.")(lambda subject: [*subject, 1])
        catalogue.valid("kept", "the-same", "Two.")(lambda subject: subject.append(2))
        self.assertEqual([recipe.mutated() for recipe in catalogue.recipes.values()], [[1], [2]])


if __name__ == "__main__":
    unittest.main()
