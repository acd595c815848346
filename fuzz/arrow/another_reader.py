"""Checks for fuzz/damage whether arrow-rs can read a stream or file that hepcheck passes.

arrow-rs is used through parquet-wasm in a separate Node process. The packages are those of the tests
(conformance/CMakeLists.txt), or in the directory HEPCHECK_ARROW_READERS; without them nothing is checked,
with a message."""

import atexit
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
# Requirements of arrow-rs that the format does not have, and unsupported features. It examines the only
# offset of an array without slots; if there are slots, the first offset is not larger than the last.
STRICTER = ("codec", "Invalid UTF8 sequence at string index", "non-nullable", "timezone", "First offset")


def _packages():
    named = os.environ.get("HEPCHECK_ARROW_READERS")
    folders = [pathlib.Path(named)] if named else SOURCE.glob("build*/*/conformance/arrow_readers")
    return next((f.resolve() for f in folders if (f / "node_modules/parquet-wasm").is_dir()), None)


def _start():
    """The socket of a reader that runs as long as this process; None without the packages."""
    packages, node = _packages(), shutil.which("node")
    if not packages or not node:
        print("no arrow-rs here: nothing else reads what passes", file=sys.stderr)
        return None
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "reader")
    reader = subprocess.Popen([node, HERE / "reader.mjs", packages, path])
    owner = os.getpid()

    def stop():
        if os.getpid() == owner:
            reader.kill()
            shutil.rmtree(folder)

    atexit.register(stop)
    for _ in range(200):
        if os.path.exists(path):
            return path
        time.sleep(0.05)
    sys.exit("fuzz/damage: the reader does not start")


READER = _start()


def _said(path):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(READER)
        connection.sendall(f"{path}\n".encode())
        return b"".join(iter(lambda: connection.recv(4096), b"")).decode()


def reads_everything(path):
    return True


def reads_the_same(hepcheck, path):
    """Whether arrow-rs reads it, or refuses it for a reason that is only a warning here. Crashes are
    ignored; it crashes, for example, if an empty buffer has an offset."""
    said = _said(path) if READER else "read"
    if said in ("read", "crashed") or any(words in said for words in STRICTER):
        return True
    strict = subprocess.run([hepcheck, "validate", "--spec", "arrow-columnar-1.0", "--no-config",
                             "--strict", "--fail-on", "should", "--quiet", path], capture_output=True)
    if strict.returncode == 0:
        print(f"arrow-rs: {said}", flush=True)
    return strict.returncode != 0
