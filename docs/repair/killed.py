"""A writer that is killed at every write: what it leaves, repaired by hepcheck and by h5clear, side by side.

    HEPCHECK=build/release/hepcheck python3 docs/repair/killed.py [APPENDS]

A child process appends to a dataset, and `hepcheck trace record` logs its writes. Each prefix of the writes is the file
that a kill at this point leaves. For each of them, and for each kind of writer, the rows are counted that h5py reads
from the file as it is, and after each repair. A table of the outcomes follows; the exit status is 1 if a repair by hepcheck
loses or changes a row that a SWMR reader of the open file saw.
"""

import collections
import multiprocessing
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

HEPCHECK = str(pathlib.Path(os.environ["HEPCHECK"]).resolve())
OPEN_FILES = {"HDF5_USE_FILE_LOCKING": "FALSE"}
TOOLS = {
    "hepcheck repair": lambda path, copy: [HEPCHECK, "repair", "--spec", "hdf5", "-q", path, "-o", copy],
    "h5clear -s": lambda path, copy: ["h5clear", "-s", copy],
    "h5clear -s --increment=0": lambda path, copy: ["h5clear", "-s", "--increment=0", copy],
}
WRITER = """
import sys, h5py, numpy as np
path, swmr, dimensions, appends = sys.argv[1], sys.argv[2] == "SWMR", int(sys.argv[3]), int(sys.argv[4])
with h5py.File(path, "w", libver="latest") as file:
    shape = (0,) + (3,) * (dimensions - 1)
    data = file.create_dataset("d", shape, maxshape=(None,) * dimensions, chunks=(16,) * dimensions, dtype="i8")
    file.flush()
    if swmr:
        file.swmr_mode = True
    for rows in range(0, 25 * appends, 25):
        data.resize(rows + 25, axis=0)
        data[rows:] = np.arange(rows, rows + 25).reshape((25,) + (1,) * (dimensions - 1))
        if rows % 2:
            data.flush()
"""


def states(log):
    """The contents of the file after each of its writes, from a log (docs/trace.md)."""
    image, position = bytearray(), 16
    while position < len(log):
        kind, _, _, length, _, at = struct.unpack_from("<cBHIQQ", log, position)
        data = log[position + 24:position + 24 + length]
        position += 24 + length
        if kind == b"W":
            image.extend(bytes(max(0, at + length - len(image))))
            image[at:at + length] = data
        elif kind == b"T":
            image = image[:at] + bytes(max(0, at - len(image)))
        else:
            continue
        yield bytes(image)


def _rows(path, swmr, answer):
    import h5py
    import numpy
    try:
        with h5py.File(path, "r", swmr=swmr) as file:
            values = file["d"][()]
    except (OSError, KeyError, RuntimeError):
        answer.send(None)
        return
    wanted = numpy.arange(len(values)).reshape((-1,) + (1,) * (values.ndim - 1))
    different = values != wanted
    answer.send((len(values), int((different & (values == 0)).sum()), int((different & (values != 0)).sum())))


def rows(path, swmr=False):
    """(rows, fill values, other wrong values), or None; in a process of its own, because the library may crash."""
    answer, child = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=_rows, args=(path, swmr, child))
    process.start()
    child.close()
    try:
        return answer.recv() if answer.poll(30) else None
    except EOFError:
        return None
    finally:
        process.kill()
        process.join()


def compared(reader, repaired):
    """How the rows after a repair relate to those of a SWMR reader of the open file."""
    if repaired is None:
        return "unreadable before and after" if reader is None else "unreadable, although the reader saw rows"
    if reader is None:
        return ("readable, with wrong values" if repaired[2] else
                "readable, fill values in chunks that were not written" if repaired[1] else "readable, all rows right")
    if repaired == reader:
        return "as the reader saw it"
    return "fewer rows" if repaired[0] < reader[0] else "other rows"


def examine(writer, dimensions, appends, folder, tools=TOOLS):
    """(the number of states, that of each outcome by tool)"""
    log, path = f"{folder}/log", f"{folder}/t.h5"
    subprocess.run([HEPCHECK, "trace", "record", "--by", "preload", "-o", log, "--", sys.executable, "-c", WRITER, path,
                    writer, str(dimensions), str(appends)], check=True)
    outcomes = collections.Counter()
    images = list(states(pathlib.Path(log).read_bytes()))
    for image in images:
        pathlib.Path(path).write_bytes(image)
        reader = rows(path, swmr=True)
        for tool in tools:
            copy = f"{folder}/copy.h5"
            pathlib.Path(copy).unlink(missing_ok=True)
            if tool != "hepcheck repair":
                shutil.copy(path, copy)
            subprocess.run(TOOLS[tool](path, copy), capture_output=True)
            repaired = rows(copy) if os.path.exists(copy) else None
            outcomes[tool, compared(reader, repaired)] += 1
    return len(images), outcomes


def main():
    os.environ.update(OPEN_FILES)
    appends = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    lost = 0
    print("writer", "chunk index", "states", "tool", "outcome", "number", sep="\t")
    for writer in ("SWMR", "plain"):
        for dimensions, index in ((1, "extensible array"), (2, "version 2 B-tree")):
            with tempfile.TemporaryDirectory() as folder:
                number, outcomes = examine(writer, dimensions, appends, folder)
            for (tool, outcome), count in sorted(outcomes.items()):
                print(writer, index, number, tool, outcome, count, sep="\t")
                lost += tool == "hepcheck repair" and outcome in (
                    "fewer rows", "other rows", "unreadable, although the reader saw rows",
                    "readable, with wrong values")
    return int(lost > 0)


if __name__ == "__main__":
    sys.exit(main())
