"""Mutation tests: python3 fuzz/mutants COMMAND, inside ./dev shell

list    counts all possible mutants of the sources, by area and operator
run     compiles a sample of mutants into one build, and runs the tests that reach each of them
report  prints the results by area, operator and killer, and the survivors with their lines

An interrupted run can be continued: results are stored by the text of the line, in build/mutants.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import math
import re
import sys
import threading

import by_hand
import equivalent
import planting
import sources
import trials

BUILD = sources.ROOT / "build" / "release"
FOLDER = sources.ROOT / "build" / "mutants"
RESULTS = FOLDER / "results.jsonl"
# All programs that may kill a mutant.
PROGRAMS = ["hepcheck", "conformance_test", "golden_reports_test", "cli_test", "properties", "mutation_properties",
            "core_properties", "random_exchanges_test", "arrow_properties", "storage_properties",
            "byte_mutations_test", "corpus_variations_test", "core_test", "judge_test", "rules_test", "derive_test",
            "model_test", "libhdf5_test", "hep001_exchange_test", "hdf5_test", "arrow_test", "rntuple_test", "tiledb_test",
            "isolate_test", "crash_test", "catalogue_test", "suite_test", "fuzz_replay"]
ALIVE = ("survived", "not reached")


def say(text):
    print(text, file=sys.stderr, flush=True)


def sample(found: dict[str, dict], each: int, seed: int) -> list[str]:
    """Keys, the same number for each area. Changed lines do not affect the other keys; larger samples contain
    smaller ones."""
    by_area = collections.defaultdict(list)
    for key in found:
        by_area[sources.area(found[key]["file"])].append(key)
    return [key for _, keys in sorted(by_area.items())
            for key in sorted(keys, key=lambda key: hashlib.sha256(f"{seed} {key}".encode()).digest())[:each]]


def kept_results() -> dict[str, dict]:
    lines = RESULTS.read_text().splitlines() if RESULTS.exists() else ()
    return {entry["key"]: entry for entry in map(json.loads, lines)}


def find(options) -> dict[str, dict]:
    def wanted(path):
        return sources.area(path) in options.areas and (not options.only or re.search(options.only, path))
    sources.prepare(BUILD)
    return sources.all_mutants(BUILD, FOLDER / "cache", wanted)


def list_mutants(options):
    table = collections.Counter((sources.area(mutant["file"]), mutant["operator"])
                                for mutant in find(options).values())
    for area in sources.AREAS:
        for (name, operator), count in sorted(table.items()):
            if name == area:
                print(f"{area:8} {operator:12} {count:6}")
    print(f"{sum(table.values())} in all")


def run(options):
    if options.faults:
        sources.prepare(BUILD)
        found = by_hand.read(options.faults)
        keys = list(found)
    else:
        found = find(options)
        keys = sample(found, -(-options.count // len(sources.AREAS)), options.seed)
    chosen = planting.plantable([{**found[key], "key": key} for key in keys])
    say(f"{len(found)} mutants, {len(chosen)} compiled in")
    known = {key: entry for key, entry in kept_results().items()
             if options.again != "all" and not (options.again == "survivors" and entry["fate"] in ALIVE)}
    numbered = list(enumerate(chosen))
    planted = planting.Planted(BUILD, FOLDER / "planted", options.jobs)
    refused = planted.plant(numbered, options.programs, say)
    left = [(number, mutant) for number, mutant in numbered
            if number not in refused and mutant["key"] not in known and not equivalent.reason(mutant["key"])]
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    with RESULTS.open("a") as log:
        def keep(number, mutant, result):
            entry = {"key": mutant["key"], "file": mutant["file"], "line": mutant["line"],
                     "operator": mutant["operator"], "detail": mutant["detail"], **result}
            log.write(json.dumps(entry) + "\n")
            log.flush()

        for number in refused:
            if numbered[number][1]["key"] not in known:
                keep(number, numbered[number][1], {"fate": "does not compile"})
        tests = tried_out(planted, chosen, options)
        lock = threading.Lock()

        def one(entry):
            result = trials.fate(entry[0], tests, entry[1]["file"])
            with lock:
                keep(*entry, result)
                one.done += 1
                print(f"\r{one.done}/{len(left)}", end="", file=sys.stderr, flush=True)
        one.done = 0
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(one, left))
    print(file=sys.stderr)
    show({mutant["key"] for _, mutant in numbered})


def tried_out(planted, chosen, options) -> list[trials.Trial]:
    """The tests that pass without a mutant, with the mutants they reach; taken from the last run if nothing changed."""
    tests = [trial for trial in trials.all_trials(BUILD, options.kinds, planted.take_over)
             if not (options.without and re.search(options.without, trial.name))]
    kept = FOLDER / "tried.json"
    sample = [mutant["key"] for mutant in chosen]
    before = json.loads(kept.read_text()) if kept.exists() else {}
    known = before["tests"] if before.get("sample") == sample else {}
    lock = threading.Lock()

    def one(trial):
        stamp = trial.stamp()
        if stamp in known:
            passed, trial.seconds, reached = known[stamp]
            trial.reached = set(reached)
            return passed
        passed = trial.try_out(len(chosen))
        with lock:
            known[stamp] = passed, trial.seconds, sorted(trial.reached)
            kept.write_text(json.dumps({"sample": sample, "tests": known}))
        return passed

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        passed = list(pool.map(one, tests))
    for trial, good in zip(tests, passed):
        if not good:
            say(f"{trial.name} fails without a mutant and is skipped")
    return [trial for trial, good in zip(tests, passed) if good and trial.reached and trial.seconds <= options.seconds]


def report(options):
    show(None)


def show(keys):
    results = [entry for key, entry in kept_results().items()
               if (sources.area(entry["file"]) if keys is None else key in keys)]
    for entry in results:
        entry["area"] = sources.area(entry["file"]) or "other"
        if entry["fate"] in ALIVE and equivalent.reason(entry["key"]):
            entry["fate"] = "equivalent"
    for title, word in (("area", "area"), ("operator", "operator")):
        rows = collections.defaultdict(collections.Counter)
        for entry in results:
            rows[entry[word]][entry["fate"]] += 1
            if entry["fate"] in ("killed", "timed out") and entry.get("kind") in trials.ALONE:
                rows[entry[word]]["alone"] += 1
        print(f"{title:12} {'killed':>7} {'slow':>5} {'survived':>9} {'not reached':>12} {'equivalent':>11}"
              f" {'score':>6} {'corpus and properties':>22}")
        rows["all"] = sum(rows.values(), collections.Counter())
        for name, row in rows.items():
            killed = row["killed"] + row["timed out"]
            judged = killed + row["survived"] + row["not reached"]
            print(f"{name:12} {row['killed']:7} {row['timed out']:5} {row['survived']:9} {row['not reached']:12}"
                  f" {row['equivalent']:11} {percent(killed, judged)} {percent(row['alone'], judged):>22}")
        print()
    print("killer        mutants")
    for name, count in collections.Counter(entry["kind"] for entry in results if "kind" in entry).most_common():
        print(f"{name:12} {count:8}")
    for entry in results:
        if entry["fate"] in ALIVE:
            line = entry["key"].split("|")[1]
            print(f"\n{entry['file']}:{entry['line']}: {entry['operator']}: {entry['detail']}: {entry['fate']}"
                  f"\n    {line}\n    {entry['key']}")


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:5.1f}%" if whole else "     -"


def main():
    parser = argparse.ArgumentParser(prog="fuzz/mutants", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="only sources whose path matches this expression")
    parser.add_argument("--areas", type=lambda text: text.split(","), default=list(sources.AREAS),
                        help="some of " + ",".join(sources.AREAS))
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list").set_defaults(action=list_mutants)
    commands.add_parser("report").set_defaults(action=report)
    runs = commands.add_parser("run")
    runs.add_argument("--count", type=int, default=500, help="total number; divided equally among the areas")
    runs.add_argument("--seed", type=int, default=1)
    runs.add_argument("--jobs", type=int, default=2)
    runs.add_argument("--kinds", help="only tests of kinds that match: corpus, property, replay, unit, program")
    runs.add_argument("--seconds", type=float, default=math.inf, help="only tests that do not take longer")
    runs.add_argument("--without", help="skip tests whose name matches")
    runs.add_argument("--programs", nargs="+", default=PROGRAMS, help="targets of the build that are relinked")
    runs.add_argument("--faults", help="use the faults listed in a file instead of a sample (see by_hand.py)")
    runs.add_argument("--again", choices=["survivors", "all"], help="also repeat those with this result")
    runs.set_defaults(action=run)
    options = parser.parse_args()
    options.action(options)


if __name__ == "__main__":
    main()
