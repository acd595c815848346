"""python3 -m generators: makes the fixtures, or checks that the committed ones are current."""

import argparse
import sys
from pathlib import Path

from . import corpus

FIXTURES = Path(__file__).parents[1] / "fixtures" / "hep001"


def main():
    parser = argparse.ArgumentParser(prog="generators", description=__doc__)
    parser.add_argument("--out", default=FIXTURES, help="folder to write to [default=fixtures/hep001]")
    parser.add_argument("--only", default="*", metavar="GLOB",
                        help="only files whose path matches, like 'invalid/7.1/*'")
    parser.add_argument("--check", action="store_true",
                        help="write nothing; fail if the corpus in the folder is not current")
    options = parser.parse_args()
    if options.check:
        changes = corpus.differences(options.out)
        print("\n".join(changes) if changes else "the corpus is current")
        return 1 if changes else 0
    entries = corpus.generate(options.out, options.only)
    print(f"{len(entries)} fixtures, {sum(entry['bytes'] for entry in entries) // 1024} KiB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
