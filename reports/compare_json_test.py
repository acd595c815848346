"""Tests which differences compare_json.py accepts."""

import copy
import unittest

from compare_json import MOVED, Comparison

REPORT = {"spec": "s", "files": [
    {"path": "fixtures/valid/1.h5", "error": None, "tables": [
        {"path": "/a", "verdict": "pass", "clauses": [
            {"id": "one", "verdict": "pass", "reason": None, "findings": []},
            {"id": "two", "verdict": "fail", "reason": None, "findings": [
                {"object": "/a/x", "row": 5, "observed": "this", "expected": "that"},
                {"object": "/a/y", "row": 6, "observed": "this", "expected": "that"}]}]}]},
    {"path": "fixtures/valid/2.h5", "error": "no", "tables": []}]}


class Compare(unittest.TestCase):
    def setUp(self):
        self.new = copy.deepcopy(REPORT)
        self.table = self.new["files"][0]["tables"][0]
        self.two = self.table["clauses"][1]

    def compared(self, texts=False):
        comparison = Comparison(texts)
        comparison.compare(REPORT, self.new)
        return comparison

    def difference(self, texts=True):
        (line,) = self.compared(texts).differences
        return line

    def test_equal(self):
        comparison = self.compared()
        self.assertEqual((comparison.differences, comparison.additions), ([], {}))

    def test_new_keys_are_counted(self):
        for file in self.new["files"]:
            file["kind"] = {"any": "thing"}
        self.two["spec"] = None
        comparison = self.compared()
        self.assertEqual(comparison.differences, [])
        self.assertEqual(comparison.additions, {"files.kind": 2, "files.tables.clauses.spec": 1})

    def test_changed_value(self):
        self.two["findings"][1]["row"] = 7
        self.assertEqual(self.difference(),
                         "fixtures/valid/1.h5: /a: two: findings: [1]: row: was 6, is 7")

    def test_type_of_numbers(self):
        self.two["findings"][0]["row"] = 5.0
        self.assertIn("row: was 5, is 5.0", self.difference())

    def test_removed_key(self):
        del self.table["verdict"]
        self.assertEqual(self.difference(),
                         'fixtures/valid/1.h5: /a: verdict: was "pass", is not there')

    def test_removed_and_added_elements(self):
        for change, words in ((lambda: self.two["findings"].pop(), "findings: [1]: was {"),
                              (lambda: self.table["clauses"].pop(0), "/a: one: was {"),
                              (lambda: self.new["files"].pop(), "fixtures/valid/2.h5: was {"),
                              (lambda: self.new["files"].append({"path": "3"}), "3: was not")):
            self.setUp()
            change()
            with self.subTest(words):
                self.assertIn(words, self.difference())

    def test_changed_order(self):
        self.table["clauses"].reverse()
        self.assertIn("another order", self.difference())

    def test_two_elements_with_one_name(self):
        self.new["files"].append(copy.deepcopy(self.new["files"][1]))
        self.assertIn("fixtures/valid/2.h5 (2): was not there", self.difference())

    def test_texts(self):
        for finding in self.two["findings"]:
            finding["observed"] = "these"
        self.assertEqual(len(self.compared().differences), 2)
        comparison = self.compared(texts=True)
        self.assertEqual(comparison.differences, [])
        self.assertEqual(comparison.changed, {("observed", "this", "these"): 2})

    def test_added_text_is_not_a_changed_text(self):
        self.two["reason"] = "because"
        self.assertIn('reason: was null, is "because"', self.difference(texts=True))

    def test_other_strings_are_not_texts(self):
        self.new["files"][1]["error"] = "yes"
        self.assertIn("error", self.difference(texts=True))

    def test_moved_fixtures(self):
        self.assertEqual(MOVED.sub("fixtures/", "fixtures/hep001/invalid/7.3/x.h5"),
                         "fixtures/invalid/7.3/x.h5")
        self.assertEqual(MOVED.sub("fixtures/", "fixtures/invalid/7.3/x.h5"),
                         "fixtures/invalid/7.3/x.h5")


if __name__ == "__main__":
    unittest.main()
