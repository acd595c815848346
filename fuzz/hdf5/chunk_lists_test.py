"""Fixtures have the chunks that libhdf5 sees; so have the real files that may lie beside the sources.
Broken ones, too, wherever both can list them."""

import multiprocessing
import os
import pathlib
import unittest

import chunk_lists

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
REAL = SOURCE.parent / "shared/corpus/hdf5"
PATIENCE = 60  # seconds a file


# libhdf5 does not ask for these: it takes the size of a chunk that no filter made from the layout, and
# counts on when an offset is more than 64 bits hold.
LENIENT = ("swmr-chunk-size-unfiltered", "swmr-btree1-key-side",
           "swmr-chunk-inside-maximum--beyond-all")


def compare(path, answer):
    try:
        answer.put(chunk_lists.differences(HEPCHECK, path))
    except (OSError, RuntimeError, ValueError):  # the latter: of an address behind all files
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
        """Against libhdf5; at least that share of the files has to be comparable."""
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
        self.held(sorted((SOURCE / "fixtures/hdf5/valid").rglob("*.h5")), 0.9)

    def test_broken_fixtures(self):
        self.held([path for path in sorted((SOURCE / "fixtures/hdf5/invalid").rglob("*.h5"))
                   if not path.name.startswith(LENIENT)], 0.8)

    def test_tables(self):
        self.held(sorted((SOURCE / "fixtures/hep001/valid").rglob("*.h5"))[::7], 0.9)

    @unittest.skipUnless(REAL.is_dir(), "the files are not here")
    def test_real_files(self):
        self.held(sorted(path for path in REAL.rglob("*.h*5")), 0.7)


if __name__ == "__main__":
    unittest.main()
