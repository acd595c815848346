"""A reader of HDF5 files on h5py, for hepcheck suite (conformance/protocol-hdf5.md).

Each file is read in a process of its own, because a broken one may damage what the library keeps in memory. If this
process ends, the adapter ends in the same way, and the suite sees a crash.
"""

import contextlib
import ctypes
import json
import math
import os
import resource
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))

import h5py
import hdf5
import notation
from h5py import h5a, h5i, h5o, h5s

ADDRESS_SPACE = 4 << 30  # bytes
KINDS = {h5i.GROUP: "group", h5i.DATASET: "dataset", h5i.DATATYPE: "type"}


class Reader:
    name = f"h5py {h5py.version.version} (libhdf5 {h5py.version.hdf5_version})"
    datatypes = ["integer", "other-integer", "float", "other-float", "string", "vlen-string", "enum", "opaque", "bitfield",
                 "time", "compound", "array", "vlen", "reference"]
    features = ["attributes", "committed-types"]

    def hello(self):
        return {"protocol": 1, "name": self.name, "capabilities": {
            "operations": ["read"], "datatypes": self.datatypes, "features": self.features}}

    def read(self, path, most):
        self.most, self.seen, self.objects = most, set(), []
        with contextlib.closing(h5py.File(path, "r")) as file:
            self.object(h5o.open(file.id, b"/"), [])
            return {"objects": self.objects}

    def object(self, item, path):
        address = h5o.get_info(item).addr
        if address in self.seen:
            return
        self.seen.add(address)
        entry = {"path": path, "kind": KINDS[h5i.get_type(item)]}
        self.objects.append(entry)
        with refusals(entry):
            if entry["kind"] == "dataset":
                self.values(entry, item)
            elif entry["kind"] == "type":
                entry["type"] = notation.describe_type(item)
            else:
                entry["links"] = [notation.text(name) for name in self.names(item)]
        with refusals(entry):
            names = []
            h5a.iterate(item, names.append)
            entry["attributes"] = [self.attribute(item, name) for name in names]
        if entry["kind"] == "group":
            for name in self.names(item) if "links" in entry else ():
                self.member(item, name, path + [notation.text(name)])

    def names(self, group):
        found = []
        group.links.iterate(found.append)
        return found

    def member(self, group, name, path):
        entry = {"path": path, "kind": "unknown"}
        with refusals(entry):
            if group.links.get_info(name).type == h5py.h5l.TYPE_HARD:
                self.object(h5o.open(group, name), path)
        if "refused" in entry:
            self.objects.append(entry)

    def attribute(self, owner, name):
        entry = {"name": notation.text(name)}
        with refusals(entry):
            self.values(entry, h5a.open(owner, name))
        return entry

    def values(self, entry, item):
        """The members of a dataset or an attribute."""
        tid, space = item.get_type(), item.get_space()
        entry["type"] = notation.describe_type(tid)
        shape = None if space.get_simple_extent_type() == h5s.NULL else space.get_simple_extent_dims()
        entry["shape"] = shape if shape is None else [str(size) for size in shape]
        count = 0 if shape is None else math.prod(shape)
        size = tid.get_size()
        if shape is None or count * size > self.most:
            return
        buffer = hdf5.read_all(item, tid, count)
        at = ctypes.addressof(buffer)
        entry["values"] = [notation.decode(tid, at + i * size) for i in range(count)]


@contextlib.contextmanager
def refusals(entry):
    """What the library refuses is stated in the entry."""
    try:
        yield
    except Exception as error:
        entry.setdefault("refused", f"{type(error).__name__}: {error}"[:300])


def answer(reader, request):
    reply = {"id": request["id"]}
    try:
        reply["ok"] = reader.hello() if request["op"] == "hello" else reader.read(request["file"], int(request["most"]))
    except Exception as error:
        reply["error"] = {"kind": "failed", "message": f"{type(error).__name__}: {error}"[:300]}
    return reply


def serve(reader):
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    # The library may print to standard output.
    replies = os.dup(1)
    os.dup2(2, 1)
    for text in sys.stdin.buffer:
        request = json.loads(text)
        process = os.fork()
        if process == 0:
            with open(replies, "w", encoding="utf-8") as out:
                out.write(json.dumps(answer(reader, request)) + "\n")
                out.flush()
                os._exit(0)
        status = os.waitpid(process, 0)[1]
        if os.WIFSIGNALED(status):
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
            os.kill(os.getpid(), os.WTERMSIG(status))
        if status:
            os._exit(os.waitstatus_to_exitcode(status) & 255)


if __name__ == "__main__":
    serve(Reader())
