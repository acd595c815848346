"""Tests that hepcheck and libhdf5 list the same chunks in fixtures, in real files if they exist next to
the sources, and in broken fixtures that both can list."""

import multiprocessing
import os
import pathlib
import unittest

import chunk_lists

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
REAL = SOURCE.parent / "shared/corpus/hdf5"
EVERY = os.environ.get("HEPCHECK_EVERY", "0") != "0"
PATIENCE = 60  # seconds a file


# libhdf5 does not check these: it takes the size of an unfiltered chunk from the layout, and continues if
# an offset exceeds 64 bits.
LENIENT = ("swmr-chunk-size-unfiltered", "swmr-btree1-key-side",
           "swmr-chunk-inside-maximum--beyond-all")


def compare(path, answer):
    try:
        answer.put(chunk_lists.differences(HEPCHECK, path))
    except (OSError, RuntimeError, ValueError):  # the last one: an address beyond the end of the file
        answer.put(None)


def outcome(path):
    """(differences, chunks); None if libhdf5 cannot open the file, or crashes on it."""
    context = multiprocessing.get_context("fork")
    answer = context.SimpleQueue()
    process = context.Process(target=compare, args=(path, answer))
    process.start()
    process.join(PATIENCE)
    if process.is_alive():
        process.kill()
        process.join()
    return None if answer.empty() else answer.get()


class ChunkLists(unittest.TestCase):
    def held(self, paths, share):
        """Compares with libhdf5; at least this share of the files must be comparable."""
        chunks = files = 0
        for path in paths:
            with self.subTest(path.name):
                found = outcome(path)
                if found is None:
                    continue
                self.assertEqual(found[0], [])
                files, chunks = files + 1, chunks + found[1]
        print(f"{files} of {len(paths)} files, {chunks} chunks")
        self.assertGreater(files, share * len(paths))

    def test_fixtures(self):
        self.held(sorted((SOURCE / "fixtures/hdf5/valid").rglob("*.h5"))[::1 if EVERY else 2], 0.9)

    def test_broken_fixtures(self):
        self.held([path for path in sorted((SOURCE / "fixtures/hdf5/invalid").rglob("*.h5"))
                   if not path.name.startswith(LENIENT)][::3], 0.8)

    def test_tables(self):
        self.held(sorted((SOURCE / "fixtures/hep001/valid").rglob("*.h5"))[::7], 0.9)

    @unittest.skipUnless(REAL.is_dir(), "the files are not here")
    def test_real_files(self):
        self.held(sorted(path for path in REAL.rglob("*.h*5")), 0.7)


if __name__ == "__main__":
    unittest.main()
