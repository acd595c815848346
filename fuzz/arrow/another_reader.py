"""What fuzz/damage asks of a stream or file: whether arrow-rs reads it where hepcheck passes it.

arrow-rs is that of parquet-wasm, in a Node process beside this one. The packages are those that the
tests have (conformance/CMakeLists.txt), or lie in the folder HEPCHECK_ARROW_READERS; where there are none
nothing is asked, and that is said."""

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
# What arrow-rs asks for and the format does not, and what it does not do. It looks at the only offset of
# an array without slots; where there are slots, the first offset is no larger than the last.
STRICTER = ("codec", "Invalid UTF8 sequence at string index", "non-nullable", "timezone", "First offset")


def _packages():
    named = os.environ.get("HEPCHECK_ARROW_READERS")
    folders = [pathlib.Path(named)] if named else SOURCE.glob("build*/*/conformance/arrow_readers")
    return next((f.resolve() for f in folders if (f / "node_modules/parquet-wasm").is_dir()), None)


def _start():
    """The socket of a reader that runs as long as this process; None if there is none."""
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
    """Whether arrow-rs reads it, or refuses it for what is but a warning here. That it crashes, as it
    does where an empty buffer has an offset of its own, says nothing."""
    said = _said(path) if READER else "read"
    if said in ("read", "crashed") or any(words in said for words in STRICTER):
        return True
    strict = subprocess.run([hepcheck, "validate", "--spec", "arrow-columnar-1.0", "--no-config",
                             "--strict", "--fail-on", "should", "--quiet", path], capture_output=True)
    if strict.returncode == 0:
        print(f"arrow-rs: {said}", flush=True)
    return strict.returncode != 0
