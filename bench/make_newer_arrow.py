"""Writes Arrow files of format 1.5 for the benchmark: `make_newer_arrow.py FILE MEBIBYTES BATCHES` writes a file of about
that size with that number of batches.

A row takes about 32 bytes: views of texts of which a half is longer than 12 bytes, with nulls; float64 in runs of four
rows; views of texts in runs of 50 rows.
"""

import sys

import numpy as np

import make_arrow  # first: it adds the checkout to the path

from generators.arrow import *
from make_arrow import WORDS, bitmap, numbers, raw  # not those of the generators

ROW = 32  # bytes
FIELDS = [field("name", UTF8_VIEW), runs_of("energy", F64), runs_of("label", UTF8_VIEW, ends=I64)]
LENGTHS = np.array([len(word) for word in WORDS])
# The views of all words, without offsets.
VIEWS = np.frombuffer(b"".join(View(word, *([] if len(word) <= 12 else [0])).bytes("little") for word in WORDS),
                      "<i4").reshape(-1, 4)


def views(random, count, nulls=None):
    chosen = random.integers(0, len(WORDS), count)
    lengths = np.where(LENGTHS[chosen] > 12, LENGTHS[chosen], 0)
    made = VIEWS[chosen]
    made[:, 3] = np.where(lengths, np.cumsum(lengths) - lengths, made[:, 3])
    data = b"".join(WORDS[i] for i in chosen[lengths > 0].tolist())
    validity, null_count = nulls or (Buffer([]), 0)
    return Array("Utf8View", count, null_count, [validity, raw(made), Buffer(content=data)])


def runs(random, rows, mean, dtype, values):
    """Runs of 1 to 2 * mean - 1 rows. `values` makes an array of as many values as there are runs."""
    ends = np.cumsum(random.integers(1, 2 * mean, 2 * rows // mean + 2))
    ends = np.append(ends[ends < rows], rows).astype(dtype)
    return Array("RunEndEncoded", rows, 0, [], [numbers("Int", ends), values(len(ends))])


def batch(random, rows):
    return record_batch(
        views(random, rows, bitmap(random, rows)),
        runs(random, rows, 4, "<i4", lambda count: numbers("FloatingPoint", random.random(count), bitmap(random, count))),
        runs(random, rows, 50, "<i8", lambda count: views(random, count)))


def main():
    path, rows, batches = sys.argv[1], int(sys.argv[2]) * 2**20 // ROW, int(sys.argv[3])
    random = np.random.default_rng(20261125)
    make_arrow.write_file(path, File(FIELDS), (batch(random, rows // batches) for _ in range(batches)))


if __name__ == "__main__":
    main()
