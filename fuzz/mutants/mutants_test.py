"""Tests that mutants are found in a source, can be compiled in together, and take effect one at a time."""

import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import by_hand
import equivalent
import operators
import sources
import trials
import tree

specification = importlib.util.spec_from_file_location("main", pathlib.Path(__file__).with_name("__main__.py"))
main = importlib.util.module_from_spec(specification)
specification.loader.exec_module(main)

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = b"""
#include <algorithm>
#include <cstdio>
#include <vector>
namespace hepcheck {
constexpr int kMost = 5;
struct Rule { int number; bool (*check)(int); };
constexpr Rule kEven = {1 + 1, [](int value) { return value % 2 == 0; }};
bool is_few(int count) { return count >= 1 && count < kMost; }
const char* name(int count) {
  if (is_few(count)) return "few";
  if constexpr (kMost > 4) return "many"; else return "most";
}
template <class T>
auto same(T value) { return value; }
int between(int low, int high) { return high - low; }
int least(const std::vector<int>& values) {
  int seen = 9;
  for (const int value : values) {
    if (value < seen) seen = value;
  }
  return seen;
}
void count(const std::vector<int>& values, int& sum, int& worst) {
  sum = 0;
  for (const int value : values) {
    if (value == 7) continue;
    sum += value;
    worst = std::max(worst, value);
  }
}
}  // namespace hepcheck
int main() {
  int sum = 8, worst = 0, low = 1, high = 4;
  hepcheck::count({0, 3, 9, 7, 2}, sum, worst);
  for (int i = 0; i < 8; ++i) std::printf("%d", hepcheck::is_few(i));
  std::printf(" %s", hepcheck::same(hepcheck::name(hepcheck::same(true) + 1)));
  std::printf(" %d %d %d", hepcheck::between(low, high), sum, worst);
  std::printf(" %d %d", hepcheck::least({4, 3, 5}), hepcheck::least({20}));
  std::printf(" %d%d\\n", hepcheck::kEven.check(2), hepcheck::kEven.check(3));
}
"""
PLAIN = "01111000 few 3 14 9 3 9 10\n"


def found_in(path):
    finder = operators.Finder(lambda file: SOURCE if file == str(path) else None)
    for node in tree.declarations(f"c++ -std=c++23 -c {path}", str(path.parent), lambda file: file == str(path)):
        finder.visit(node)
    return [mutant.to_json() for mutant in finder.found.values()]


class Mutants(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        path = pathlib.Path(folder.name, "source.cpp")
        path.write_bytes(SOURCE)
        cls.mutants = found_in(path)
        planted = path.with_name("planted.cpp")
        planted.write_bytes(b'#include "fuzz/mutants/mutant.h"\n'
                            + operators.planted(SOURCE, list(enumerate(cls.mutants))))
        cls.program = path.with_name("program")
        subprocess.run([os.environ.get("CXX", "c++"), "-std=c++23", "-I", ROOT, "-o", cls.program, planted],
                       check=True)

    def says(self, **environment):
        return subprocess.run([self.program], env={**os.environ, **environment}, capture_output=True,
                              text=True, timeout=60, check=True).stdout

    def number(self, operator, word=""):
        (number,) = [number for number, mutant in enumerate(self.mutants)
                     if mutant["operator"] == operator and word in mutant["detail"]]
        return str(number)

    def test_disabled_mutants_change_nothing(self):
        self.assertEqual(self.says(), PLAIN)

    def test_each_changes_the_output(self):
        for number, mutant in enumerate(self.mutants):
            if mutant["operator"] == "comparison" and mutant["line"] == 20:
                continue  # either of two equal values is the minimum
            with self.subTest(mutant["operator"], detail=mutant["detail"], line=mutant["line"]):
                self.assertNotEqual(self.says(HEPCHECK_MUTANT=str(number)), PLAIN)

    def test_effects(self):
        self.assertEqual(self.says(HEPCHECK_MUTANT=self.number("extreme", "max")), "01111000 few 3 14 2 3 9 10\n")
        self.assertEqual(self.says(HEPCHECK_MUTANT=self.number("extreme", "worst")), "01111000 few 3 14 9 5 20 10\n")
        self.assertEqual(self.says(HEPCHECK_MUTANT=self.number("arithmetic", "-")), "01111000 few 5 14 9 3 9 10\n")
        self.assertEqual(self.says(HEPCHECK_MUTANT=self.number("statement", "reset")), "01111000 few 3 22 9 3 9 10\n")
        self.assertEqual(self.says(HEPCHECK_MUTANT=self.number("connective", "without its right")),
                         "01111111 few 3 14 9 3 9 10\n")

    def test_a_function_always_returns_something(self):
        left_out = [mutant["line"] for mutant in self.mutants if mutant["detail"] == "return left out"]
        self.assertEqual(left_out, [SOURCE[:SOURCE.index(b'return "few"')].count(b"\n") + 1])

    def test_constants_are_not_mutated_except_lambdas_in_them(self):
        line = SOURCE[:SOURCE.index(b"constexpr Rule")].count(b"\n") + 1
        self.assertEqual({mutant["operator"] for mutant in self.mutants if mutant["line"] == line},
                         {"arithmetic", "comparison", "constant", "return"})
        self.assertNotIn("1 + 1", [SOURCE[mutant["begin"]:mutant["end"]].decode() for mutant in self.mutants])

    def test_reached_mutants(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write(bytes(len(self.mutants)))
            file.flush()
            self.says(HEPCHECK_MUTANTS_REACHED=file.name)
            self.assertEqual(set(pathlib.Path(file.name).read_bytes()), {1})

    def test_all_kinds(self):
        self.assertEqual({mutant["operator"] for mutant in self.mutants},
                         {"comparison", "condition", "connective", "arithmetic", "constant", "statement",
                          "return", "extreme"})

    def test_overlapping_changes_clash(self):
        (wide,) = [mutant for mutant in self.mutants
                   if mutant["operator"] == "extreme" and "max" in mutant["detail"]]
        begin = wide["edits"][0][0]
        self.assertTrue(operators.clash(wide, {"edits": [[begin + 1, begin + 4, "(", ")", None]]}))
        self.assertFalse(operators.clash(wide, {"edits": [[begin - 9, begin - 1, "(", ")", None]]}))


class ByHand(unittest.TestCase):
    """Tests of manually written faults."""

    def planted(self, right, wrong):
        with unittest.mock.patch.object(sources, "content", return_value=SOURCE):
            mutant = by_hand.planted("some.cpp", right, wrong)
        self.assertEqual(SOURCE[:mutant["begin"]].count(b"\n") + 1, mutant["line"])
        return operators.planted(SOURCE, [(5, mutant)]).decode()

    def test_original_and_fault_are_computed(self):
        self.assertIn("return ((::hepcheck::mutants::on(5)) ? (low) : (high - low));", self.planted("high - low", "low"))
        self.assertIn("if (::hepcheck::mutants::on(5)) {  } else { sum = 0; }", self.planted("sum = 0;", ""))

    def test_text_must_occur_exactly_once(self):
        for text in ("seen < value", "int value"):
            with self.assertRaisesRegex(SystemExit, f"some.cpp: not there once: {text}"):
                self.planted(text, "0")


class Fates(unittest.TestCase):
    @staticmethod
    def trial(name, kind, command, reached=(7,)):
        return trials.Trial(name, kind, ["sh", "-c", command], {}, "/", 0.0, set(reached))

    def test_the_first_killer_is_reported(self):
        tests = [self.trial("unit", "unit", "exit 1"), self.trial("property", "property", "[ $HEPCHECK_MUTANT != 7 ]"),
                 self.trial("elsewhere", "corpus", "exit 1", reached=())]
        self.assertEqual(trials.fate(7, tests)["by"], "property")

    def test_survivors_and_unreached_mutants(self):
        tests = [self.trial("property", "property", "true")]
        self.assertEqual(trials.fate(7, tests)["fate"], "survived")
        self.assertEqual(trials.fate(8, tests)["fate"], "not reached")

    def test_unreliable_tests_kill_nothing(self):
        tests = [self.trial("touchy", "corpus", '[ -z "$HEPCHECK_MUTANT" ]'),
                 self.trial("unit", "unit", "[ $HEPCHECK_MUTANT != 7 ]")]
        self.assertEqual(trials.fate(7, tests)["by"], "unit")

    def test_limits_are_enforced(self):
        tests = [self.trial("property", "property", "while [ $HEPCHECK_MUTANT = 7 ]; do :; done")]
        with unittest.mock.patch.object(trials.Trial, "limit", 0.1):
            self.assertEqual(trials.fate(7, tests)["fate"], "timed out")

    def test_killers_of_the_same_source_run_first(self):
        notices = "[ $HEPCHECK_MUTANT != 7 ]"
        slow, quick = self.trial("slow", "property", notices), self.trial("quick", "property", notices)
        slow.seconds, quick.seconds = 2.0, 1.0
        self.assertEqual(trials.fate(7, [slow, quick], "a.cpp")["by"], "quick")
        quick.killed.clear()
        slow.killed["a.cpp"] = 9
        self.assertEqual(trials.fate(7, [slow, quick], "a.cpp")["by"], "slow")


class Equivalents(unittest.TestCase):
    KEY = "validator/judge.cpp|made.{}(tasks_.size());|0|2+28|statement|statement left out"

    def test_reserving_memory_is_equivalent(self):
        self.assertTrue(equivalent.reason(self.KEY.format("reserve")))
        self.assertIsNone(equivalent.reason(self.KEY.format("resize")))

    def test_each_has_a_reason(self):
        patterns, mutants = equivalent.table()
        self.assertTrue(all(reason for _, reason in patterns) and all(mutants.values()))


class Samples(unittest.TestCase):
    def test_a_larger_sample_contains_a_smaller_one(self):
        found = {f"validator/{name}.cpp|{i}": {"file": f"validator/{name}.cpp"}
                 for name in ("judge", "formats/arrow/list") for i in range(40)}
        few, more = main.sample(found, 5, 1), main.sample(found, 9, 1)
        self.assertEqual((len(few), len(more)), (10, 18))
        self.assertLess(set(few), set(more))
        self.assertNotEqual(set(few), set(main.sample(found, 5, 2)))


if __name__ == "__main__":
    unittest.main()
