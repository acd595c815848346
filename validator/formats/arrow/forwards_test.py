"""Tests that streams on standard input are examined while they arrive: in bounded memory, regardless of their
length, and with the same result as files of the same bytes."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE))
from generators.arrow import *

SPEC = ("--spec", "arrow-columnar-1.0", "--no-config")
FIXTURES = SOURCE / "fixtures/arrow"
# Memory of the worker: its stacks and its data. A stream that were buffered would not fit.
LITTLE = ("--memory-limit", "16MiB", "--limit", "memory=160MiB", "--jobs", "2")
ROWS, BATCHES = 1 << 17, 200


def batch(keys):
    """A batch of about 2 MiB."""
    texts = Buffer(content=b"".join(integer(8 * i, 4) for i in range(ROWS + 1)))
    return record_batch(
        Array("Utf8", ROWS, 0, [Buffer([]), texts, Buffer(content=b"as texts" * ROWS)]),
        Array("Int", ROWS, 0, [Buffer([]), Buffer(content=keys)]))


def stream(*batches):
    """A stream of these messages, in order: (message, number of repetitions)."""
    made = Stream([field("text", UTF8), field("label", UTF8, dictionary=encoding(0, I8))])
    made.add_dictionary("label", ["one", "two"])
    yield made.bytes()[:-len(END)]
    for message, times in batches:
        encoded = b"".join(message.encoded(made))
        for _ in range(times):
            yield encoded
    yield END


def examine(parts, *arguments):
    """The report for streamed input."""
    with tempfile.TemporaryFile() as output:
        run = subprocess.Popen([HEPCHECK, "validate", "--format", "json", *arguments, "-"],
                               stdin=subprocess.PIPE, stdout=output)
        try:
            for part in parts:
                run.stdin.write(part)
            run.stdin.close()
        except BrokenPipeError:
            pass
        run.wait(timeout=240)
        output.seek(0)
        return json.load(output)["files"][0]


def broken(file):
    return [(clause["id"], finding["object"], finding["where"]) for table in file["tables"]
            for clause in table["clauses"] for finding in clause["findings"]]


def comparable(file):
    """The report without what differs between a path and standard input, which has no layout picture."""
    for table in file["tables"]:
        table.pop("layout", None)
    return file["error"] and "error", file["tables"]


@unittest.skipIf(b"__asan_init" in HEPCHECK.read_bytes(), "a sanitizer needs all memory there is")
class LongStreams(unittest.TestCase):
    def test_valid_stream(self):
        file = examine(stream((batch(bytes(ROWS)), BATCHES)), *LITTLE, "--no-config")
        self.assertEqual(comparable(file)[0], None)
        (table,) = file["tables"]
        self.assertEqual((table["verdict"], table["shape"]["batches"], table["shape"]["rows"]),
                         ("pass", BATCHES, BATCHES * ROWS))

    def test_broken_last_batch(self):
        last = batch(bytes(ROWS - 1) + b"\2")
        file = examine(stream((batch(bytes(ROWS)), BATCHES), (last, 1)), *LITTLE, *SPEC)
        ((clause, where, _),) = broken(file)
        self.assertEqual(clause, "arrow-dictionary-index-in-range")
        self.assertIn(f"batch[{BATCHES}].field[1", where)

    def test_batch_beyond_the_memory_limit_does_not_pass(self):
        large = record_batch(Array("Utf8", 1, 0, [Buffer([]), Buffer(content=integer(0, 4) + integer(
            80 << 20, 4)), Buffer(content=b"x" * (80 << 20))]), Array("Int", 1, 0, [
                Buffer([]), Buffer(content=b"\0")]))
        file = examine(stream((large, 1), (batch(bytes(ROWS)), 3)), *LITTLE, *SPEC)
        (table,) = file["tables"]
        self.assertEqual((table["verdict"], table["shape"]["batches"], broken(file)),
                         ("unchecked", 4, []))
        self.assertIn("memory", table["reason"])


class AsFiles(unittest.TestCase):
    def test_fixtures(self):
        paths = sorted(FIXTURES.rglob("*.arrow*"))
        self.assertGreater(len(paths), 800)
        paths = [path for path in paths[::7] if path.stat().st_size]
        run = subprocess.run([HEPCHECK, "validate", "--format", "json", *SPEC, *paths],
                             capture_output=True, timeout=240)
        for path, file in zip(paths, json.loads(run.stdout)["files"]):
            with self.subTest(path.relative_to(FIXTURES)):
                self.assertEqual(comparable(examine([path.read_bytes()], *SPEC)), comparable(file))

    def test_format_is_recognised(self):
        path = FIXTURES / "valid/2.2/arrow-lengths-are-int64--two-of-eight-bytes.arrows"
        self.assertEqual([table["verdict"] for table in examine([path.read_bytes()])["tables"]],
                         ["pass"])


if __name__ == "__main__":
    unittest.main()
