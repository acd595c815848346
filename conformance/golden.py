"""./dev golden [--accept] [NAME...]: shows how the output of this build differs from the golden files.

    python3 conformance/golden.py BUILD [--accept] [NAME...]

Golden files record output: findings about fixtures, report formats, the output of commands, the pages of
clauses in docs/, and the examples of `hepcheck explain`. The tests with the label `golden` write every text
that differs to BUILD/golden, below the path that it has in the source tree; NAME is a regular expression that
selects among these tests. Differences are printed as a unified diff. With --accept, the new texts then replace
the golden files. The exit status is 0 if nothing differs or everything was accepted, 1 otherwise.
"""

import argparse
import difflib
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGES = {"hep001-2026-07-09": "docs/clauses.md", "hdf5": "docs/clauses-hdf5.md",
         "hdf5-swmr-2013-10-10": "docs/clauses-hdf5-swmr.md",
         "arrow-columnar-1.0": "docs/clauses-arrow.md",
         "arrow-columnar-1.5": "docs/clauses-arrow-1.5.md", "tiledb-array-schema-2024-10-25": "docs/clauses-tiledb.md",
         "rntuple-0.2.0.0": "docs/clauses-rntuple.md"}


def write_pages(build: pathlib.Path, differing: pathlib.Path) -> None:
    for spec, page in PAGES.items():
        text = subprocess.run([build / "hepcheck", "clauses", "--spec", spec, "page"],
                              stdout=subprocess.PIPE, check=True).stdout
        new = differing / page
        new.unlink(missing_ok=True)
        if text != (ROOT / page).read_bytes():
            new.parent.mkdir(parents=True, exist_ok=True)
            new.write_bytes(text)


def lines(path: pathlib.Path) -> list[str]:
    return path.read_text(errors="backslashreplace").splitlines() if path.exists() else []


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev golden", description=__doc__.splitlines()[0].partition(": ")[2])
    parser.add_argument("build", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*", metavar="NAME", help="compare only tests that match this regular expression")
    parser.add_argument("--accept", action="store_true", help="replace the golden files that differ, after showing how")
    options = parser.parse_args()
    build = options.build.resolve()
    stale = False
    if not options.names:  # The examples are compiled into the program.
        stale = subprocess.run([sys.executable, "-m", "generators.explain", *([] if options.accept else ["--check"])],
                               cwd=ROOT, env=dict(os.environ, HEPCHECK=str(build / "hepcheck"))).returncode != 0
        if options.accept:
            subprocess.run(["cmake", "--build", build], stdout=subprocess.DEVNULL, check=True)
    differing = build / "golden"
    for old in differing.rglob("*"):
        if old.is_file():
            old.unlink()
    tests = subprocess.run(["ctest", "--test-dir", build, "-L", "^golden$", "-j", str(os.cpu_count() or 1), "--no-tests=error",
                            *(["-R", "|".join(options.names)] if options.names else [])],
                           stdout=subprocess.PIPE, text=True)
    if not options.names:
        write_pages(build, differing)
    files = sorted(path.relative_to(differing) for path in differing.rglob("*") if path.is_file())
    for file in files:
        print(*difflib.unified_diff(lines(ROOT / file), lines(differing / file), f"{file} (golden)", f"{file} (this build)",
                                    lineterm="", n=1), sep="\n")
        if options.accept:
            (ROOT / file).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / file).write_bytes((differing / file).read_bytes())
            (differing / file).unlink()
    if tests.returncode and not files:
        print(tests.stdout)
        print("A test failed for another reason than a golden file.", file=sys.stderr)
        return 1
    print(f"{len(files)} golden files {'replaced' if options.accept else 'differ'}", file=sys.stderr)
    return 1 if stale or files and not options.accept else 0


if __name__ == "__main__":
    sys.exit(main())
