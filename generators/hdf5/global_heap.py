"""Global heap collections, and values that name their objects."""

from .blocks import Block, Struct, size_of

LEAST = 4096


def collection(owner, objects, size=LEAST):
    """A collection of these objects, {index: bytes or a Struct}; the rest of it is free."""
    made = Block("GCOL", owner, ("signature", b"GCOL"), ("version", 1, 1), ("reserved", 0, 3),
                 ("size", size, 8))
    for index, content in objects.items():
        size_of_content = size_of(content)
        padding = bytes(-size_of_content % 8)
        made.add(f"object {index}", Struct(
            ("index", index, 2), ("count", 0, 2), ("reserved", 0, 4), ("size", size_of_content, 8),
            ("data", content), *([("padding", padding)] if padding else [])))
    left = size - made.size()
    assert left >= 0
    if left >= 16:
        made.add("free", Struct(("index", 0, 2), ("count", 0, 2), ("reserved", 0, 4),
                                ("size", left, 8), ("data", bytes(left - 16))))
    else:
        made.add("rest", bytes(left))
    return made


def heap_id(heap, index):
    """`heap`: a Block, or an address."""
    return Struct(("collection", heap, 8), ("index", index, 4))


def element(length, heap, index):
    """An element of variable length; a revised reference has its size in this place, too."""
    return Struct(("length", length, 4), ("collection", heap, 8), ("index", index, 4))
