"""Tests of hepcheck reduce: the result is smaller, and violates the same clause and no other."""

import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SOURCE))
from generators.hep001 import hostile  # noqa: E402

FIXTURES = SOURCE / "fixtures/hep001"
MANIFEST = json.loads((FIXTURES / "manifest.json").read_text())
OLDER, NEWER = [MANIFEST["spec"], *MANIFEST["later"]]


def fixtures(spec):
    """The manifest entry of each file of one revision."""
    for entry in MANIFEST["fixtures"]:
        if entry["spec"] <= spec <= entry.get("until", spec):
            yield {**entry, **entry.get("revisions", {}).get(spec, {})}


def invalid(spec):
    return [entry for entry in fixtures(spec)
            if entry["kind"] == "invalid" and len(entry["fails"]) == 1 and not entry["warns"]]


def of_lists(entry):
    return entry["file"].split("/")[1].startswith("9.") and "list" in entry["clause"]


# A sample of each revision; of the newer one, lists and clauses that apply only if the tokens match.
CASES = ([(OLDER, entry) for entry in invalid(OLDER)[::25]] +
         [(NEWER, entry) for entry in list(filter(of_lists, invalid(NEWER)))[::20]] +
         [(NEWER, entry) for entry in invalid(NEWER) if entry["file"].startswith(
             ("invalid/10.5/sorted", "invalid/12.2/"))][::12])


def run(*arguments):
    return subprocess.run([HEPCHECK, *map(str, arguments)], capture_output=True, text=True,
                          timeout=120)


def broken(path, group, spec="auto"):
    report = json.loads(run("validate", "--format", "json", "--spec", spec,
                            f"{path}:{group}").stdout)
    return [clause["id"] for table in report["files"][0]["tables"] for clause in table["clauses"]
            if clause["verdict"] == "fail" and clause["severity"] != "info"]


class Reduce(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_violates_the_same_clause_and_no_other(self):
        smaller = 0
        for spec, entry in CASES:
            with self.subTest(entry["file"], spec=spec):
                path, small = FIXTURES / entry["file"], self.folder / "small.h5"
                before = hashlib.sha256(path.read_bytes()).hexdigest()
                clause = entry["fails"][0]
                done = run("reduce", f"{path}:{entry['group']}", "--keep", clause, "--spec", spec,
                           "-o", small)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(broken(small, entry["group"], spec), [clause])
                self.assertEqual(hashlib.sha256(path.read_bytes()).hexdigest(), before)
                self.assertLessEqual(small.stat().st_size, 2 * path.stat().st_size)
                smaller += objects(small) < objects(path)
        self.assertGreater(smaller, 10)

    def test_lists_are_cut_at_entry_boundaries(self):
        import h5py
        for name in ("two", "two-nested", "127-of-texts"):
            big, small = self.folder / "big.h5", self.folder / "small.h5"
            shutil.copy(FIXTURES / f"invalid/9.2/list-mask-value--{name}.h5", big)
            group = next(e["group"] for e in fixtures(NEWER) if e["file"].endswith(f"-value--{name}.h5"))
            with h5py.File(big, "r+") as opened:
                for member in members(opened[group]):
                    lengthen(member)
            done = run("reduce", f"{big}:{group}", "--keep", "list-mask-value", "-o", small)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(broken(small, group, NEWER), ["list-mask-value"])
            with h5py.File(small, "r") as opened:
                left = list(members(opened[group]))
                self.assertGreater(len(left), 2, name)
                entries = int(opened[group].attrs["NROWS"])
                lists = [item for item in opened[group].values() if isinstance(item, h5py.Group)]
                self.assertEqual(len(lists), 1)
                level = lists[0]
                while isinstance(level, h5py.Group):
                    self.assertEqual(level["OFFSETS"].shape, (entries + 1,), name)
                    if "MASK" in level:
                        self.assertEqual(level["MASK"].shape, (entries,), name)
                    entries = int(level["OFFSETS"][entries])
                    level = level["CHARS" if "CHARS" in level else "VALUES"]
                self.assertEqual(level.shape, (entries,), name)

    def test_revision_is_detected(self):
        """It is detected from the table; matching tokens must still match, or the clause would not be violated."""
        entry = next(e for e in invalid(NEWER) if e["file"].startswith("invalid/10.5/sorted-"))
        path, small = FIXTURES / entry["file"], self.folder / "small.h5"
        done = run("reduce", f"{path}:{entry['group']}", "--keep", entry["fails"][0], "-o", small)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(broken(small, entry["group"], NEWER), entry["fails"])
        done = run("reduce", f"{path}:{entry['group']}", "--keep", "generation-present",
                   "--spec", OLDER, "-o", small)
        self.assertEqual(done.returncode, 2, done.stderr)

    def test_rejected_input_has_a_reason(self):
        path = FIXTURES / "invalid/7.3/nrows-uint64--int64.h5"
        out = self.folder / "out.h5"
        for arguments, status, words in (
                ((f"{path}:/events", "--keep", "class-present"), 3, "does not violate"),
                ((f"{path}:/nothing", "--keep", "class-present"), 3, "/nothing"),
                ((f"{path}", "--keep", "class-present"), 2, "names no group"),
                ((f"{path}:/events", "--keep", "class-presents"), 2, "did you mean"),
                ((f"{path}:/events", "--keep", "class-present", "--limit", "tim=3"), 2, "time?"),
                ((f"{path}:/events", "--keep", "nrows-uint64", "--limit", "memory=1000"), 3,
                 "exceeds the memory limit"),
                ((f"{self.folder}/none.h5:/t", "--keep", "class-present"), 3, "none.h5")):
            done = run("reduce", *arguments, "-o", out)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(words, done.stderr)
            self.assertFalse(out.exists())

    def many_columns(self, count):
        """A table of equal columns, all of which are too short."""
        import h5py
        import numpy as np
        path = self.folder / "wide.h5"
        with h5py.File(path, "w", libver="latest") as file:
            table = file.create_group("t")
            for name, value in (("CLASS", b"COLUMN_TABLE"), ("VERSION", b"1.0")):
                kind = h5py.string_dtype("ascii", len(value) + 1)
                table.attrs.create(name, np.array(value, f"S{len(value) + 1}"), dtype=kind)
            table.attrs["NROWS"] = np.uint64(3)
            space = h5py.h5s.create_simple((2,), (h5py.h5s.UNLIMITED,))
            plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            plist.set_chunk((3,))
            for i in range(count):
                h5py.h5d.create(table.id, f"c{i:05}".encode(), h5py.h5t.STD_I32LE, space, plist)
        return path

    def test_ten_thousand_equal_columns(self):
        path, out = self.many_columns(10_000), self.folder / "small.h5"
        began = time.monotonic()
        done = run("reduce", f"{path}:/t", "--keep", "extent-ge-nrows", "-o", out)
        self.assertEqual(done.returncode, 0, done)
        self.assertLess(time.monotonic() - began, 90)
        tries = int(re.search(r"in (\d+) tries", done.stdout)[1])
        self.assertLess(tries, 120, done.stdout)
        import h5py
        with h5py.File(out) as file:
            self.assertEqual(len(file["t"]), 1)

    def test_unreadable_objects_are_kept_and_reported(self):
        """The library does not unlink an object that it cannot open, nor copy a group that contains one."""
        path, out = self.many_columns(20), self.folder / "small.h5"
        import h5py
        with h5py.File(path) as file:
            place = h5py.h5o.get_info(file["t/c00007"].id).addr
        data = bytearray(path.read_bytes())
        self.assertEqual(data[place:place + 4], b"OHDR")
        data[place + 4] = 0xEE
        path.write_bytes(data)
        done = run("reduce", f"{path}:/t", "--keep", "extent-ge-nrows", "-o", out)
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("it could be smaller: the file cannot be rewritten", done.stderr)
        self.assertLess(out.stat().st_size, len(data))
        with h5py.File(out) as file:
            self.assertEqual(len(file["t"]), 2)
            self.assertIn("c00007", file["t"])

    def test_interrupted_run_writes_its_current_result(self):
        path, out = self.many_columns(10_000), self.folder / "small.h5"
        with subprocess.Popen([HEPCHECK, "reduce", f"{path}:/t", "--keep", "extent-ge-nrows",
                               "-o", out], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            output, complaint = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, complaint)
        self.assertIn("still violates extent-ge-nrows", output)
        self.assertIn("stopped early", complaint)
        self.assertIn("extent-ge-nrows", broken(out, "/t"))

    def test_reason_for_no_reduction(self):
        path, out = self.many_columns(1), self.folder / "small.h5"
        first = run("reduce", f"{path}:/t", "--keep", "extent-ge-nrows", "-o", out)
        self.assertEqual(first.returncode, 0, first)
        again = run("reduce", f"{out}:/t", "--keep", "extent-ge-nrows", "-o", self.folder / "two.h5")
        self.assertEqual(again.returncode, 0, again)
        self.assertIn("no smaller: ", again.stderr)

    def test_without_isolation(self):
        path = FIXTURES / "invalid/7.3/nrows-uint64--int64.h5"
        out = [self.folder / "a.h5", self.folder / "b.h5"]
        output = [run("reduce", f"{path}:/events", "--keep", "nrows-uint64", "-o", each, *options)
                for each, options in zip(out, ((), ("--no-isolation",)))]
        self.assertEqual([each.returncode for each in output], [0, 0], output)
        self.assertEqual(*(each.stdout.split(":", 1)[1] for each in output))
        self.assertEqual(broken(out[1], "/events"), ["nrows-uint64"])

    def test_no_scratch_files(self):
        path = FIXTURES / "invalid/7.3/nrows-uint64--int64.h5"
        nowhere = dict(os.environ, TMPDIR="/nonexistent")
        done = subprocess.run([HEPCHECK, "reduce", f"{path}:/events", "--keep", "nrows-uint64", "-o",
                               self.folder / "small.h5"], capture_output=True, timeout=120, env=nowhere)
        self.assertEqual(done.returncode, 0, done)


class Isolated(unittest.TestCase):
    """The file is parsed in a sandboxed worker, within limits."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path, self.out = self.folder / "x.h5", self.folder / "out.h5"
        hostile.values_without_end(self.path)

    def test_time_limit_leaves_no_output(self):
        done = run("reduce", f"{self.path}:/t", "--keep", "nrows-uint64", "-o", self.out,
                   "--limit", "time=1,ratio=1000000000")
        self.assertEqual((done.returncode, done.stdout), (3, ""), done)
        self.assertIn("the limit of time was reached", done.stderr)
        self.assertFalse(self.out.exists())

    def test_parser_runs_in_a_sandbox(self):
        with subprocess.Popen([HEPCHECK, "reduce", f"{self.path}:/t", "--keep", "nrows-uint64",
                               "-o", self.out, "--limit", "time=1,ratio=1000000000"],
                              stderr=subprocess.PIPE) as process:
            seen = set()
            while process.poll() is None:
                for worker in of(process.pid, f"task/{process.pid}/children").split():
                    if re.search(r"^Seccomp:\s*2$", of(worker, "status"), re.M):
                        seen.add(worker)
                time.sleep(0.01)
        self.assertEqual(len(seen), 1)


def of(process, what):
    try:
        return pathlib.Path(f"/proc/{process}/{what}").read_text()
    except OSError:  # the process has ended
        return ""


def members(table):
    """The datasets of its list columns, at every level."""
    import h5py
    found = []
    for item in table.values():
        if isinstance(item, h5py.Group) and item.attrs.get("CLASS") == b"LIST_COLUMN":
            item.visititems(lambda _, member: found.append(member))
    return [member for member in found if isinstance(member, h5py.Dataset)]


def lengthen(member):
    """The same member with reserved storage at its end, contiguous or not."""
    import numpy as np
    from h5py import h5d, h5p, h5s
    parent, name = member.parent, member.name.rsplit("/", 1)[1]
    kind, attributes = member.id.get_type(), dict(member.attrs)
    raw = np.zeros(member.shape[0] + 50, f"V{kind.get_size()}")
    if member.shape[0]:
        stored = np.empty(member.shape, raw.dtype)
        member.id.read(h5s.ALL, h5s.ALL, stored, kind)
        raw[:len(stored)] = stored
    layout = h5p.create(h5p.DATASET_CREATE)
    if name == "OFFSETS":
        layout.set_chunk((16,))
    if name == "VALUES" and member.id.get_create_plist().fill_value_defined() == h5d.FILL_VALUE_USER_DEFINED:
        layout = member.id.get_create_plist()
        layout.set_layout(h5d.CONTIGUOUS)
    del parent[name]
    made = h5d.create(parent.id, name.encode(), kind, h5s.create_simple(raw.shape), layout)
    made.write(h5s.ALL, h5s.ALL, raw, kind)
    for key, value in attributes.items():
        parent[name].attrs[key] = value


def objects(path):
    """The numbers of links and attributes in the whole file."""
    import h5py
    count = 0
    with h5py.File(path, "r") as file:
        def visit(_, node):
            nonlocal count
            count += 1 + h5py.h5a.get_num_attrs(node.id)
        file.visititems(visit)
    return count


if __name__ == "__main__":
    unittest.main()
