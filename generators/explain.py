"""python3 -m generators.explain: generates the examples of `hepcheck explain` from the fixtures.

For each clause that a file can violate, an example has a broken fixture and the file that it is a mutation of: the
differences between them, and code that turns the broken file into the valid one. The texts are written by hand, in
conformance/explain/FORMAT/words.toml.

The programs that repair a file are those of `hepcheck repair` wherever it repairs the example: HEPCHECK names the
program in the environment.

Each format defines how to show and fix its files. In <format>/explain.py,

    example(recipe, others)

runs in an empty directory and returns None or a dictionary: `good` and `bad`, the text to show for each file,
unless there is no file to compare it with; `lines`, the number of lines to compare; `python` and `c`, the code that
fixes the file, and `effects`, its side effects, or `unsupported`, the reason why there is none; optionally `hepcheck`, a
command with the same result, and `repair`, 0 if the code is preferable, 2 if it is a last resort. `others` are the
recipes of files that satisfy the clause. The simplest fixture of a clause is its example, unless the module has
`chosen()` and it names one.
"""

import argparse
import contextlib
import difflib
import json
import sys
import tempfile
import tomllib

from . import formats, processes


def target(format):
    return formats.ROOT / "conformance" / "explain" / format.name / "examples.toml"


def checkable(clause):
    return clause["subject"] == "file" and clause["level"] != "MAY" and not clause.get("emitted_as")


def candidates(format):
    """Recipes of broken files, by the clause that they trigger in some revision. Findings that a
    later revision adds may be caused by the base, so only the clause of the recipe counts."""
    found = {}
    for recipe in format.recipes():
        mutations = {recipe.clause, format.catalogue.successors.get(recipe.clause)}
        for clause in {expected.clause for expected in recipe.expectations.values()
                       if expected.kind == "invalid" and expected.clause in expected.reports & mutations}:
            if checkable(format.catalogue.clauses[clause]):
                found.setdefault(clause, []).append(recipe)
    return found


def good_examples(format):
    """Recipes of conformant files, by the clauses that they satisfy in some revision."""
    found = {}
    for recipe in format.recipes():
        kept = {clause for expected in recipe.expectations.values() if expected.kind == "valid"
                for clause in [expected.clause, *expected.keeps]}
        for clause in kept:
            found.setdefault(clause, []).append(recipe)
    return found


def _example(task):
    """Runs in a separate process, so recipes are identified by their paths."""
    name, path, others = task
    format = formats.find(name)
    recipes = format.catalogue.recipes
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        made = format.module("explain").example(recipes[path], [recipes[other] for other in others])
    if made and made.get("good") == made.get("bad"):  # what differs cannot be shown
        made = {key: value for key, value in made.items() if key not in ("good", "bad")}
    return path, made and {"fixture": path, "shows": recipes[path].shows, **made}


def _rank(recipe, clause, example):
    """A sort key; the lowest fixture is the best example."""
    code = example.get("python", "")
    expected = next(e for e in recipe.expectations.values() if clause in e.reports)
    return ("bad" not in example, "unsupported" in example, example.get("repair", 1),
            bool(expected.asserted), bool(expected.tables),
            -len(recipe.expectations),  # of all revisions that have the clause
            code.count("\n") > 25, bool(expected.ambiguity),
            len(expected.fails) + len(expected.warns) + len(expected.informs),
            code.count("\n") // 6, example["lines"], recipe.path)


def examples(format, fixtures=None):
    """The example of each clause: the best of all its fixtures, or the best of these `fixtures`."""
    found, good = candidates(format), good_examples(format)
    chosen = getattr(format.module("explain"), "chosen", dict)()
    for clause, path in chosen.items():
        found[clause] = [recipe for recipe in found[clause] if recipe.path == path]
        assert found[clause], f"{clause}: {path} is not a fixture that breaks it"
    tasks = [(format.name, recipe.path, [other.path for other in good.get(clause, [])[:12]])
             for clause, recipes in found.items() for recipe in recipes
             if not fixtures or recipe.path in fixtures]
    made = {path: example for path, example in processes.results(_example, tasks, together=16) if example}
    best = {}
    for clause, recipes in found.items():
        ready = [recipe for recipe in recipes if recipe.path in made]
        if ready:
            best[clause] = made[min(ready, key=lambda r: _rank(r, clause, made[r.path])).path]
    return best


def _quoted(text):
    """A TOML string that is easy to read."""
    if "\n" in text and "'''" not in text and "\\" not in text:
        return f"'''\n{text}'''"
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml(format, best):
    lines = ["# Made by python3 -m generators.explain from the fixtures; do not edit.", ""]
    for clause in format.catalogue.clauses:
        if clause in best:
            lines.append("[[example]]")
            lines.append(f'clause = "{clause}"')
            lines += [f"{key} = {_quoted(best[clause][key])}"
                      for key in ("fixture", "shows", "good", "bad", "hepcheck", "effects",
                                  "python", "c")
                      if key in best[clause]]
            lines.append("")
    return "\n".join(lines)


def differences(format):
    """The differences between the committed examples and generated ones."""
    committed = target(format).read_text()
    chosen = {example["fixture"] for example in tomllib.loads(committed)["example"]}
    return list(difflib.unified_diff(committed.splitlines(),
                                     toml(format, examples(format, chosen)).splitlines(),
                                     lineterm=""))


def main():
    parser = argparse.ArgumentParser(prog="generators.explain",
                                     description=__doc__.splitlines()[0])
    with_examples = [name for name in formats.names() if formats.find(name).module("explain")]
    parser.add_argument("format", nargs="*",
                        help=f"of these formats [all: {', '.join(with_examples)}]")
    parser.add_argument("--check", action="store_true",
                        help="write nothing; fail if the committed ones would come out otherwise")
    options = parser.parse_args()
    status = 0
    for name in options.format or with_examples:
        if name not in with_examples:
            parser.error(f"{name} has no examples; those have: {', '.join(with_examples)}")
        format = formats.find(name)
        if options.check:
            difference = differences(format)
            print("\n".join(difference[:100]) or f"the examples of {name} are current")
            status |= bool(difference)
            continue
        best = examples(format)
        target(format).write_text(toml(format, best))
        print(f"{name}: {len(best)} examples, {sum('python' in each for each in best.values())} "
              "with code")
        for clause, each in best.items():
            if "unsupported" in each:
                print(f"{clause}: no code: {each['unsupported']}")
    return status


if __name__ == "__main__":
    sys.exit(main())
