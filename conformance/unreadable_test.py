"""Tests that unreadable objects never pass.

Each object of each broken table of the corpus is made unreadable, one at a time: its header claims an unknown
version. No clause may pass or fail that did not before, except that a clause that failed
may become not checked, and every clause that is not checked must have a reason.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import h5py

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "fixtures/hep001"
LATER_VERSION = 0xEE
SIGNATURE = b"OHDR"


def addresses(path):
    """{path of an object in the tables of a file: the address of its header}; empty if h5py cannot read it."""
    found = {}
    try:
        with h5py.File(path, "r") as file:
            tables = [group for group in (file, *file.values())
                      if isinstance(group, h5py.Group) and "CLASS" in group.attrs]
            for table in tables:
                def visit(name, thing, table=table):
                    found[f"{table.name}/{name}"] = h5py.h5o.get_info(thing.id).addr
                table.visititems(visit)
    except (OSError, RuntimeError, KeyError, ValueError):
        return {}
    return found


def damaged(data, address):
    """The file with an unreadable header; nothing if the header is not at this address."""
    at = address + len(SIGNATURE) if data[address:address + 4] == SIGNATURE else address
    if at >= len(data) or data[at] not in (1, 2):
        return None
    return data[:at] + bytes([LATER_VERSION]) + data[at + 1:]


def verdicts(report):
    """{clause: (verdict, reason)} of the only table; nothing unless there is exactly one."""
    tables = [table for file in report for table in file["tables"] if table.get("kind", "table") == "table"]
    if len(tables) != 1:
        return {}
    return {clause["id"]: (clause["verdict"], clause["reason"]) for clause in tables[0]["clauses"]}


def report(*paths):
    done = subprocess.run([HEPCHECK, "validate", "--no-config", "--format", "json", *paths],
                          capture_output=True, check=False, timeout=600)
    return json.loads(done.stdout)["files"]


class Unreadable(unittest.TestCase):
    FOLDERS = ("invalid", "valid")
    EVERY = 41  # one in so many objects: there are eight thousand

    def cases(self, folder):
        """(fixture, object, the fixture with that object unreadable)"""
        count = 0
        for path in sorted((FIXTURES / folder).rglob("*.h5")):
            data = path.read_bytes()
            for name, address in addresses(path).items():
                count += 1
                if count % self.EVERY == 0 and (mutated := damaged(data, address)):
                    yield path, name, mutated

    def compare(self, path, name, before, after):
        for clause, (verdict, reason) in after.items():
            was, _ = before[clause]
            place = (str(path.relative_to(FIXTURES)), name, clause, was, verdict)
            if verdict == "pass":
                self.assertEqual(was, "pass", place)
            if verdict == "fail":
                self.assertEqual(was, "fail", place)
            if was == "fail":
                self.assertIn(verdict, ("fail", "not-checked"), place)
            if verdict == "not-checked":
                self.assertTrue(reason, place)

    def test_unreadable_objects_do_not_pass(self):
        compared = 0
        for folder in self.FOLDERS:
            with tempfile.TemporaryDirectory() as scratch:
                cases = []
                for path, name, mutated in self.cases(folder):
                    file = pathlib.Path(scratch) / f"{len(cases):06}.h5"
                    file.write_bytes(mutated)
                    cases.append((path, name))
                after = report(scratch)
            self.assertEqual(len(after), len(cases))
            before = {pathlib.Path(f["path"]): verdicts([f]) for f in report(*{path for path, _ in cases})}
            for (path, name), file in zip(cases, after, strict=True):
                now = verdicts([file])
                # The features that identify the revision may be unreadable.
                if not now or before[path].keys() != now.keys():
                    continue
                with self.subTest(fixture=path.name, object=name):
                    self.compare(path, name, before[path], now)
                compared += 1
        self.assertGreater(compared, 120)


class UnknownMessages(unittest.TestCase):
    """A message of type 0x9 in the header of a column, which no program writes: readers ignore it, unless its flags say
    that they must leave the object alone."""

    PLAIN = FIXTURES / "valid/14.1/worked-example-accepted--five-rows.h5"

    def messages(self, data, address):
        """(place of the message, type) of a header of version 1, in its first block."""
        count, size = int.from_bytes(data[address + 2:address + 4], "little"), int.from_bytes(data[address + 8:address + 12], "little")
        at, end, found = address + 16, address + 16 + size, []
        while at + 8 <= end and len(found) < count:
            found.append((at, int.from_bytes(data[at:at + 2], "little")))
            at += 8 + int.from_bytes(data[at + 2:at + 4], "little")
        return found

    def test_ignored_unless_it_says_to_fail(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "x.h5"
            with h5py.File(self.PLAIN, "r") as plain, h5py.File(path, "w", libver="earliest") as file:
                plain.copy("my_table", file)
                table = file["my_table"]
                column = table.create_dataset("extra", data=range(5), dtype="i4", fillvalue=-1, track_times=True)
                address = h5py.h5o.get_info(column.id).addr
            data = path.read_bytes()
            # In the place of the time of modification.
            place, = (at for at, kind in self.messages(data, address) if kind == 0x12)
            made = {}
            for flags in (None, 0, 0x80):
                if flags is not None:
                    path.write_bytes(data[:place] + b"\x09\0" + data[place + 2:place + 4] + bytes([flags]) + data[place + 5:])
                done = subprocess.run([HEPCHECK, "validate", "--no-config", "--reader", "own", "--format", "json", path],
                                      capture_output=True, check=False, timeout=60)
                made[flags] = verdicts(json.loads(done.stdout)["files"])
            self.assertTrue(made[None])
            self.assertEqual(made[0], made[None])
            reasons = {reason for verdict, reason in made[0x80].values() if verdict == "not-checked"}
            self.assertTrue(any("0x9" in (reason or "") for reason in reasons), reasons)


if __name__ == "__main__":
    unittest.main()
