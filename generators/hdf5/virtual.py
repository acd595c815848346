"""Virtual datasets: the block in the global heap that says where their values come from."""

from dataclasses import dataclass

from .blocks import Checksum, Struct
from .global_heap import collection

FILE_SHARED, DATASET_SHARED, SAME_FILE = 1, 2, 4


@dataclass
class Mapping:
    """`file`, `dataset`: the name without its NUL; or, in version 1, the number of the mapping that has it; `file` None:
    this file, in version 1. `flags`: those to write; by default those that follow from the names."""

    source: bytes
    here: bytes
    file: object = b"."
    dataset: object = b"s"
    flags: int = None

    def fields(self, version):
        made = Struct()
        shared = [isinstance(name, int) for name in (self.file, self.dataset)]
        if version:
            flags = (FILE_SHARED * shared[0] + DATASET_SHARED * shared[1]
                     + SAME_FILE * (self.file is None))
            made.add("flags", flags if self.flags is None else self.flags, 1)
        for word, name in (("file", self.file), ("dataset", self.dataset)):
            if isinstance(name, int):
                made.add(word, name, 8)
            elif name is not None:
                made.add(word, name + b"\0")
        return made.add("source", self.source).add("here", self.here)


def mapping_block(mappings, version=0, count=None, rest=b""):
    """`count`: of the mappings, as stated; `rest`: bytes before the checksum."""
    made = Struct(("version", version, 1), ("count", len(mappings) if count is None else count, 8))
    for number, mapping in enumerate(mappings):
        made.add(f"mapping {number}", mapping.fields(version))
    if rest:
        made.add("rest", rest)
    return made.add("checksum", Checksum())


def mapped(node, block):
    """Makes a virtual dataset name this block, as the object 1 of a collection."""
    before = node.body

    def body(file, image):
        listed = before(file, image)
        layout = next(each for each in listed if each.name == "layout")
        layout.body["heap"] = image.add(collection(node.path, {1: block}))
        layout.body["index"] = 1
        return listed

    node.body = body
    return node
