"""Files of writers that were killed, repaired by hepcheck and by h5clear, side by side.

    HEPCHECK=build/release/hepcheck python3 docs/repair/killed.py [NUMBER]

A child process appends to a chunked dataset and is killed at a random moment, under SWMR or without. A line for
each: the rows that a reader of the open file sees, and those after either repair, or why there are none.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

HEPCHECK = os.environ["HEPCHECK"]


def write(path, swmr, ready):
    with h5py.File(path, "w", libver="latest") as file:
        data = file.create_dataset("d", (0,), maxshape=(None,), chunks=(64,), dtype="i8")
        file.flush()
        if swmr:
            file.swmr_mode = True
        os.write(ready, b"r")
        rows = 0
        while True:
            data.resize((rows + 100,))
            data[rows:] = np.arange(rows, rows + 100)
            rows += 100
            if random.random() < 0.5:
                data.flush()


def kill_one(path, swmr, delay):
    get, put = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(get)
        try:
            write(path, swmr, put)
        finally:
            os._exit(1)
    os.close(put)
    os.read(get, 1)
    time.sleep(delay)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(get)


def rows(path, **options):
    """Rows that are right, in a process of its own: the library may crash."""
    code = ("import h5py, numpy as np, sys\n"
            f"with h5py.File({path!r}, 'r', **{options!r}) as f:\n"
            "    v = f['d'][()]\n"
            "    right = np.array_equal(v, np.arange(len(v)))\n"
            "    print(len(v) if right else f'{len(v)}, of them {int((v == np.arange(len(v))).sum())} right')")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "HDF5_USE_FILE_LOCKING": "FALSE"})
    return done.stdout.strip() if done.returncode == 0 else "unreadable"


def main():
    random.seed(1)
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    print("writer", "open file, SWMR reader", "as left", "hepcheck repair", "h5clear -s", "h5clear -s --increment=0",
          sep="\t")
    with tempfile.TemporaryDirectory() as folder:
        for i in range(number):
            swmr = i % 2 == 0
            path = f"{folder}/{i}.h5"
            kill_one(path, swmr, random.uniform(0.005, 0.2))
            copies = [f"{folder}/{i}-{tool}.h5" for tool in ("hepcheck", "clear", "increment")]
            for copy in copies[1:]:
                shutil.copy(path, copy)
            subprocess.run([HEPCHECK, "repair", "--spec", "hdf5", "-q", path, "-o", copies[0]], capture_output=True)
            subprocess.run(["h5clear", "-s", copies[1]], capture_output=True)
            subprocess.run(["h5clear", "-s", "--increment=0", copies[2]], capture_output=True)
            print("SWMR" if swmr else "plain", rows(path, swmr=True), rows(path), *map(rows, copies), sep="\t")


if __name__ == "__main__":
    main()
