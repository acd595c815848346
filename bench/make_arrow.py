"""Writes Arrow files for the benchmark: `make_arrow.py FILE MEBIBYTES BATCHES` writes a file of about that size with
that number of batches; `make_arrow.py - MEBIBYTES` writes a stream to standard output.

Messages and footer are written by the fixture generators; the buffers are computed with numpy. A row
takes about 78 bytes: an int64 and a float64 with nulls, an int32, a string, a dictionary key, and a list
of structs with a float32 and a string.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from generators.arrow import *  # noqa: E402,F403

ROW = 78  # bytes
STREAM_ROWS = 1 << 16
WORDS = [f"{word}{number:05d}".encode() for number in range(4096)
         for word in ("signal-", "noise from detector ", "pileup", "Größe der Probe ")]
LABELS = [f"label {i}" for i in range(1000)]
FIELDS = [
    field("run", I64), field("event", I32), field("energy", F64), field("name", UTF8),
    field("label", UTF8, dictionary=encoding(0, I32)),
    field("hits", LIST, field("item", STRUCT, field("charge", F32), field("channel", UTF8))),
]


def raw(values):
    return Buffer(content=values.tobytes())


def bitmap(random, count):
    """A validity bitmap in which one value in a hundred is null, and the number of nulls."""
    valid = random.random(count) >= 0.01
    return raw(np.packbits(valid, bitorder="little")), int(count - valid.sum())


def numbers(kind, values, nulls=None):
    validity, count = nulls or (Buffer([]), 0)
    return Array(kind, len(values), count, [validity, raw(values)])


def offsets(lengths):
    return np.concatenate([[0], np.cumsum(lengths)]).astype("<i4")


def texts(random, count, nulls=None):
    chosen = random.integers(0, len(WORDS), count)
    lengths = np.array([len(word) for word in WORDS])
    validity, null_count = nulls or (Buffer([]), 0)
    data = b"".join(map(WORDS.__getitem__, chosen.tolist()))
    return Array("Utf8", count, null_count,
                 [validity, raw(offsets(lengths[chosen])), Buffer(content=data)])


def lists(random, count):
    lengths = random.integers(0, 3, count)
    entries = int(lengths.sum())
    children = [numbers("FloatingPoint", random.random(entries).astype("<f4")),
                texts(random, entries)]
    validity, nulls = bitmap(random, count)
    return Array("List", count, nulls, [validity, raw(offsets(lengths))],
                 [Array("Struct_", entries, 0, [Buffer([])], children)])


def batch(random, rows):
    return record_batch(
        numbers("Int", random.integers(0, 1 << 40, rows).astype("<i8"), bitmap(random, rows)),
        numbers("Int", np.arange(rows, dtype="<i4")),
        numbers("FloatingPoint", random.random(rows).astype("<f8"), bitmap(random, rows)),
        texts(random, rows, bitmap(random, rows)),
        numbers("Int", random.integers(0, len(LABELS), rows).astype("<i4"), bitmap(random, rows)),
        lists(random, rows))


def write(out, stream, message, at):
    """Writes a message; returns the offset after it."""
    parts = message.encoded(stream)
    message.at, message.lengths = at, (len(parts[0]) + len(parts[1]), len(parts[2]))
    for part in parts:
        out.write(part)
    message.batch = None  # it may be large
    return at + sum(message.lengths)


def write_file(path, made, batches):
    """Writes the messages of a file and these batches, one after another."""
    with open(path, "wb") as out:
        at = out.write(made.magic + made.padding)
        for message in made.messages:
            at = write(out, made, message, at)
        for each in batches:
            made.messages.append(each)
            at = write(out, made, each, at)
        out.write(END)
        footer = made._footer()
        out.write(footer + integer(len(footer), 4) + MAGIC)


def make_file(path, rows, batches):
    random = np.random.default_rng(20261123)
    made = File(FIELDS)
    made.add_dictionary("label", LABELS)
    write_file(path, made, (batch(random, rows // batches) for _ in range(batches)))


def make_stream(out, rows):
    """Repeats one batch, because generating batches would take longer than reading them."""
    random = np.random.default_rng(20261123)
    made = Stream(FIELDS)
    made.add_dictionary("label", LABELS)
    for message in made.messages:
        write(out, made, message, 0)
    again = b"".join(batch(random, STREAM_ROWS).encoded(made))
    for _ in range(max(1, rows // STREAM_ROWS)):
        out.write(again)
    out.write(END)


def main():
    path, rows = sys.argv[1], int(sys.argv[2]) * 2**20 // ROW
    if path == "-":
        make_stream(sys.stdout.buffer, rows)
    else:
        make_file(path, rows, int(sys.argv[3]))


if __name__ == "__main__":
    main()
