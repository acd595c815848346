"""Tests that the programs and libraries of this project load nothing from the working directory.

usage: test_loading.py BUILD CMAKE HEPCHECK

An empty or relative element of a RUNPATH is a directory relative to the working directory, which may be
untrusted. This test reads every program and shared object of the build tree and of an installed tree,
and runs hepcheck in a directory with a trap.
"""

import os
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PT_LOAD, PT_DYNAMIC, PT_INTERP = 1, 2, 3
DT_NEEDED, DT_STRTAB, DT_RPATH, DT_RUNPATH = 1, 5, 15, 29
ET_EXEC, ET_DYN = 2, 3
PATIENCE = 120  # seconds


class Elf:
    """The dynamic loading information of an executable or a shared object; `of` gives None for other files."""

    @staticmethod
    def of(path):
        data = path.read_bytes()
        return Elf(data) if data[:4] == b"\x7fELF" and Elf.type_of(data) in (ET_EXEC, ET_DYN) else None

    @staticmethod
    def type_of(data):
        return struct.unpack_from(">H" if data[5] == 2 else "<H", data, 16)[0]

    def __init__(self, data):
        self.data = data
        wide = data[4] == 2
        self.order = ">" if data[5] == 2 else "<"
        (at,) = self.unpack("Q" if wide else "I", 32 if wide else 28)
        size, count = self.unpack("HH", 54 if wide else 42)
        headers = []  # type, offset in the file, address, bytes in the file
        for i in range(at, at + size * count, size):
            if wide:
                kind, _, offset, address, _, length = self.unpack("IIQQQQ", i)
            else:
                kind, offset, address, _, length = self.unpack("IIIII", i)
            headers.append((kind, offset, address, length))
        self.loads = [h for h in headers if h[0] == PT_LOAD]
        self.interpreters = [self.string(h[1]) for h in headers if h[0] == PT_INTERP]
        entries = []
        for kind, offset, _, length in headers:
            if kind == PT_DYNAMIC:
                step = 16 if wide else 8
                entries += [self.unpack("QQ" if wide else "II", i)
                            for i in range(offset, offset + length, step)]
        if (0, 0) in entries:
            entries = entries[:entries.index((0, 0))]
        strings = [self.offset_of(value) for tag, value in entries if tag == DT_STRTAB]
        texts = [(tag, self.string(strings[0] + value)) for tag, value in entries
                 if tag in (DT_NEEDED, DT_RPATH, DT_RUNPATH)]
        self.needed = [text for tag, text in texts if tag == DT_NEEDED]
        self.search = [text for tag, text in texts if tag != DT_NEEDED]

    def unpack(self, form, at):
        return struct.unpack_from(self.order + form, self.data, at)

    def string(self, at):
        return os.fsdecode(self.data[at:self.data.index(b"\0", at)])

    def offset_of(self, address):
        return next(address - start + offset for _, offset, start, length in self.loads
                    if start <= address < start + length)

    def from_the_working_directory(self):
        """The names that the loader would look up in the working directory."""
        folders = [folder for path in self.search for folder in path.split(":")]
        libraries = [name for name in self.needed + self.interpreters if "/" in name]
        return [name for name in folders + libraries if not name.startswith("/")]


def binaries(root):
    """The binaries by path, except those installed by npm."""
    found = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != "node_modules"]
        for path in (Path(folder, name) for name in names):
            if path.suffix in (".o", ".a", ".h5") or path.is_symlink() or not path.is_file():
                continue
            if elf := Elf.of(path):
                found[str(path.relative_to(root))] = elf
    return found


class Loading(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.prefix = cls.folder / "prefix"
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", cls.prefix], check=True,
                       stdout=subprocess.DEVNULL, timeout=PATIENCE)
        cls.built, cls.installed = binaries(BUILD), binaries(cls.prefix)

    def test_working_directory_is_not_searched(self):
        for binaries_of in (self.built, self.installed):
            for name, elf in binaries_of.items():
                with self.subTest(name):
                    self.assertEqual(elf.from_the_working_directory(), [])

    def test_all_kinds_of_binaries_are_examined(self):
        self.assertEqual(list(self.installed), ["bin/hepcheck"])
        for name in ("hepcheck", "validator/trace/recorder/libhepcheck_trace_preload.so",
                     "conformance/adapters/cpp/hepcheck_cpp_adapter"):
            self.assertIn(name, self.built)
        for elf in (self.built["hepcheck"], self.installed["bin/hepcheck"]):
            self.assertLessEqual({"libc.so.6", "libseccomp.so.2"}, set(elf.needed))
            self.assertEqual(len(elf.interpreters), 1)

    def test_trap_in_the_working_directory(self):
        """The working directory has invalid files with the names of all loaded libraries."""
        trap = self.folder / "trap"
        trap.mkdir()
        for elf in {**self.built, **self.installed}.values():
            for name in elf.needed:
                (trap / Path(name).name).write_bytes(b"no library")

        def run(program, **environment):
            return subprocess.run([program, "--version"], cwd=trap, capture_output=True,
                                  timeout=PATIENCE, env={"PATH": "/usr/bin:/bin", **environment})

        for program in (HEPCHECK, self.prefix / "bin/hepcheck"):
            result = run(program)
            self.assertEqual((result.returncode, result.stderr), (0, b""))
            self.assertTrue(result.stdout.startswith(b"hepcheck "))
            # An empty element in this variable has the effect of one in a RUNPATH: the trap works.
            result = run(program, LD_LIBRARY_PATH=":")
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(b"error while loading", result.stderr)


if __name__ == "__main__":
    BUILD, CMAKE, HEPCHECK = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    unittest.main(argv=sys.argv[:1])
