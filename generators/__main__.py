"""python3 -m generators: writes the fixtures, or checks that the committed ones are current."""

import argparse
import sys

from . import corpus, formats


def main():
    parser = argparse.ArgumentParser(prog="generators", description=__doc__)
    parser.add_argument("format", nargs="*",
                        help=f"of these formats [all: {', '.join(formats.names())}]")
    parser.add_argument("--out", metavar="FOLDER",
                        help="of one format: where it is or goes [fixtures/FORMAT]")
    parser.add_argument("--only", default="*", metavar="GLOB",
                        help="only files whose path matches, like 'invalid/7.1/*'")
    parser.add_argument("--check", action="store_true",
                        help="write nothing; fail if the corpus in the folder is not current")
    options = parser.parse_args()
    chosen = options.format or formats.names()
    for name in chosen:
        if name not in formats.names():
            parser.error(f"there is no format {name}; there are {', '.join(formats.names())}")
    if options.out and len(chosen) > 1:
        parser.error(f"--out is the folder of one format: say which of {', '.join(chosen)}")
    status = 0
    for format in map(formats.find, chosen):
        out = options.out or format.fixtures
        if options.check:
            current, words = corpus.check(format, out)
            status |= not current
            print(words)
        else:
            entries = corpus.generate(format, out, options.only)
            print(f"{format.name}: {len(entries)} fixtures, "
                  f"{sum(entry['bytes'] for entry in entries) // 1024} KiB")
    return status


if __name__ == "__main__":
    sys.exit(main())
