"""What a reader finds in the fixtures, in the notation of conformance/protocol-hdf5.md: fixtures/hdf5/contents.json.

    python3 -m generators.hdf5.contents [--check]

The contents are those that the recipes describe, not those that a reader finds. A broken file has two descriptions: the
one that the recipe broke, and its sound original; a reader may return the values of either. Files that libhdf5 wrote
have the contents that it reads in them.

    {"objects": [OBJECT, ...], "contents": [[NUMBER OF AN OBJECT, ...], ...], "files": {FILE: [NUMBER OF CONTENTS, ...]}}

An object is that of the protocol without its path; "links" of a group gives the number of the target in its contents for
each hard link, null for others. The first object is the root group. Not judged is what is absent: "values" of elements
without a notation, and "links" and "attributes" where the description does not have all of them.
"""

import itertools
import math
import sys
import tempfile
import zlib
from pathlib import Path

import h5py
import numpy as np

from .. import formats, processes
from ..contents import document as joined
from ..contents import main, numbered, text
from . import Contiguous, Dataset, Group, Virtual
from .checksums import fletcher32
from .library import Library
from .messages import DEFLATE, FLETCHER32, SHUFFLE
from .notation import Type, Unknown
from .objects import NamedDatatype, Node

FORMAT = formats.find("hdf5")
MOST = 65536  # bytes of a dataset or an attribute of which values are requested
PATH = FORMAT.fixtures / "contents.json"


def described(file):
    """The objects of a description."""
    file.image.arrange()
    nodes = file.objects()
    numbers = {id(node): number for number, node in enumerate(nodes.values())}
    return [_object(file, path, node, numbers) for path, node in nodes.items()]


def _object(file, path, node, numbers):
    made = {"kind": "group" if isinstance(node, Group) else "dataset" if isinstance(node, Dataset) else "type"}
    if isinstance(node, Group):
        made["links"] = [[text(name), numbers.get(id(link.target)) if link.kind == 0 else None] for name, link in node.pairs()]
        if any(link.kind == 0 and not isinstance(link.target, Node) for _, link in node.pairs()):
            made["links"] = None
    else:
        type = _type(file, path, node)
        made["type"] = type and type.notation
        if isinstance(node, Dataset):
            made.update(_values(file, path, node, type))
    fields = [name for block in file.image.blocks if block.kind in ("OHDR", "OCHK") and block.owner == path
              for name in block.fields if name == "attribute" or name.startswith("attribute ") and name[10:].isdigit()]
    if not node.dense and len(fields) == len(node.attributes) or node.dense and not fields:
        made["attributes"] = [_attribute(file, each) for each in node.attributes]
    return _known(made)


def _known(entry):
    return {key: value for key, value in entry.items() if value is not None or key == "shape"}


def _bytes(struct):
    made = bytearray()
    struct.write(made)
    return bytes(made)


def _type(file, path, node):
    """As the message says, or as described if the message is elsewhere."""
    for block in file.image.blocks:
        if block.kind in ("OHDR", "OCHK") and block.owner == path and "datatype" in block.fields:
            message = block["datatype"]
            if not message["message flags"] & 2:
                skipped = sum(message.place(name)[1] for name in message.fields if name.startswith("message ") and
                              name != "message padding")
                return _decoded(_bytes(message)[skipped:])
    type = node.type
    return _decoded(_bytes((type if hasattr(type, "encode") else type.type).encode()))


def _decoded(data):
    try:
        return Type(data)
    except (Unknown, IndexError):
        return None


def _values(file, path, node, type):
    if node.shape is None:
        return {"shape": None}
    if isinstance(node.storage, Virtual):
        return {}  # even the shape may depend on the sources
    made = {"shape": [str(size) for size in node.shape]}
    count = math.prod(node.shape)
    headers = [block for block in file.image.blocks if block.kind in ("OHDR", "OCHK") and block.owner == path]
    elsewhere = any("external files" in block.fields for block in headers)
    if type is None or count * type.size > MOST or not type.comparable() or elsewhere:
        return made
    data = _stored(file, path, node)
    # A shape that the recipe changed in the message has other elements.
    if data is not None and made["shape"] == _stated_shape(file, headers, made["shape"]):
        made["values"] = _elements(file, type, data, count)
    made["shape"] = _stated_shape(file, headers, made["shape"])
    return made


def _stated_shape(file, headers, otherwise):
    for block in headers:
        if "dataspace" in block.fields and not block["dataspace"]["message flags"] & 2:
            space = block["dataspace"]
            sizes = [space[f"size {i}"] for i in range(space["rank"]) if f"size {i}" in space]
            if all(isinstance(size, int) for size in sizes):
                return [*map(str, sizes)]
    return otherwise


def _stored(file, path, node):
    """The elements as the recipe stores them; None if the bytes of a chunk are something else."""
    if isinstance(node.storage, Contiguous):
        data = [block for block in file.image.blocks if (block.kind, block.owner) == ("data", path)]
        if data:
            return data[0].bytes()[:math.prod(node.shape) * node.element_size]
    made, size = bytearray(node.expected()), node.element_size
    for place, chunk in replaced_chunks(node):
        content = _undone(chunk, node)
        if content is None and file.originally_replaced:
            return None
        for number, inner in enumerate(itertools.product(*map(range, node.chunk))) if content else ():
            at = [each * width + step for each, width, step in zip(place, node.chunk, inner)]
            if all(one < limit for one, limit in zip(at, node.shape)):
                index = sum(one * math.prod(node.shape[i + 1:]) for i, one in enumerate(at))
                made[index * size:(index + 1) * size] = content[number * size:(number + 1) * size]
    return bytes(made)


def replaced_chunks(node):
    """The chunks whose stored bytes the recipe gives."""
    chunks = node.chunks().items() if isinstance(node, Dataset) and node.chunk else ()
    return [(place, chunk) for place, chunk in chunks if chunk.content is not None]


def _undone(chunk, node):
    """The bytes of a chunk before its filters; None if they do not give a chunk."""
    content = chunk.content
    for number, each in reversed([*enumerate(node.filters)]):
        if chunk.mask >> number & 1:
            continue
        if each.number == DEFLATE:
            try:
                content = zlib.decompress(content)
            except zlib.error:
                return None
        elif each.number == FLETCHER32:
            content, sum = content[:-4], content[-4:]
            if fletcher32(content).to_bytes(4, "little") != sum:
                return None
        elif each.number == SHUFFLE and each.values and each.values[0]:
            count = len(content) // each.values[0]
            whole = count * each.values[0]
            content = b"".join(content[i:whole:count] for i in range(count)) + content[whole:]
        else:
            return None
    return content if len(content) == node.chunk_bytes else None


def _elements(file, type, data, count):
    """None if they are too many, or not there."""
    def heap(address, index):
        for block in file.image.blocks:
            if block.kind == "GCOL" and block.address == address:
                for name, (object, _) in block.fields.items():
                    if name.startswith("object ") and index and object["index"] == index:
                        content = object["data"]
                        return content if isinstance(content, bytes) else _bytes(content)
        return None

    try:
        return type.values(data, count, heap) if len(data) == count * type.size <= MOST else None
    except Unknown:
        return None


def _attribute(file, attribute):
    shared = not hasattr(attribute.type, "encode")
    type = _decoded(_bytes((attribute.type.type if shared else attribute.type).encode()))
    made = {"name": text(attribute.name.rstrip(b"\0"))}
    if type:
        made["type"] = type.notation
    made["shape"] = None if attribute.shape is None else [str(size) for size in attribute.shape]
    if type and attribute.shape is not None and type.comparable():
        count = math.prod(attribute.shape)
        made["values"] = _elements(file, type, attribute.value, count)
    return _known(made)


# Files of the library -----------------------------------------------------------------------------

def written(file):
    """The objects of a file of libhdf5, which is small and has numbers and texts only."""
    with tempfile.NamedTemporaryFile() as stored:
        stored.write(file.written())
        stored.flush()
        with h5py.File(stored.name, "r") as found:
            return _found(found)


def _found(file):
    made, numbers = [], {}

    def add(item):
        address = h5py.h5o.get_info(item.id).addr
        if address in numbers:
            return numbers[address]
        number = numbers[address] = len(made)
        is_group = isinstance(item, h5py.Group)
        entry = {"kind": "group" if is_group else "dataset" if isinstance(item, h5py.Dataset) else "type"}
        made.append(entry)
        if is_group:
            entry["links"] = []
            for name in item:
                hard = isinstance(item.get(name, getlink=True), h5py.HardLink)
                entry["links"].append([name, add(item[name]) if hard else None])
        else:
            type = item.id.get_type() if isinstance(item, h5py.Dataset) else item.id
            entry.update(_of_library(type, item if isinstance(item, h5py.Dataset) else None))
        entry["attributes"] = [{"name": name, **_of_library(item.attrs.get_id(name).get_type(), item.attrs.get_id(name))}
                               for name in item.attrs]
        return number

    add(file["/"])
    return made


def _of_library(tid, item):
    type = _decoded(tid.encode()[2:])  # behind two bytes of its own version
    made = {"type": type.notation} if type else {}
    if item is None:
        return made
    space = item.id.get_space() if isinstance(item, h5py.Dataset) else item.get_space()
    if space.get_simple_extent_type() == h5py.h5s.NULL:
        return {**made, "shape": None}
    made["shape"] = [str(size) for size in item.shape]
    count = math.prod(item.shape)
    virtual = isinstance(item, h5py.Dataset) and item.is_virtual
    plain = type and type.number in (0, 1, 2, 3, 4, 5, 8)
    if plain and count * type.size <= MOST and not virtual:
        data = np.empty(item.shape, f"V{type.size}")
        if count:
            if isinstance(item, h5py.Dataset):
                item.id.read(h5py.h5s.ALL, h5py.h5s.ALL, data, tid)
            else:
                item.read(data, mtype=tid)
        made["values"] = type.values(data.tobytes(), count, None)
    return made


# All files ----------------------------------------------------------------------------------------

def contents_of(recipe):
    """The contents that a reader may find in a fixture, each a list of objects."""
    broken = recipe.path.startswith("invalid/")
    files = [recipe.mutated()] + ([recipe.base()] if broken and not recipe.is_base else [])
    replaced = broken and not isinstance(files[-1], Library) and any(map(replaced_chunks, files[-1].objects().values()))
    found = []
    for file in files:
        file.originally_replaced = replaced
        objects = written(file) if isinstance(file, Library) else described(file)
        if objects not in found:
            found.append(objects)
    return found


def _make(task):
    return contents_of(FORMAT.catalogue.recipes[task[1]])


def document(recipes):
    objects, contents, files = {}, {}, {}
    for recipe, found in zip(recipes, processes.results(_make, [("hdf5", each.path) for each in recipes], 50)):
        files[recipe.path] = [numbered(contents, [numbered(objects, each) for each in one]) for one in found]
    return joined({"objects": objects, "contents": contents}, files)


if __name__ == "__main__":
    sys.exit(main("hdf5", PATH, document(FORMAT.recipes("*")), sys.argv[1:]))
