"""Converts named fields to bytes. A Struct is a sequence of fields, a Block is a Struct with an address in the
file, and an Image contains all blocks of a file. Addresses, sizes and checksums are computed when the bytes are
requested, so a recipe may change any field before that:

    image["EAHD"]["version"] = 1             the checksum is computed from the changed bytes
    image["EAHD"].corrupt("version")           the checksum is computed before a bit of this field changes
    image["EAHD"]["checksum"] = 0
"""

from .checksums import lookup3


class Computed:
    """A number that is computed when the bytes are requested."""

    def __init__(self, compute):
        self.compute = compute


class Checksum:
    """lookup3 of the bytes of the enclosing Struct before it; or of all its bytes, with the checksum as zero."""

    def __init__(self, whole=False):
        self.whole = whole


class At:
    """The address of a block, plus `further` bytes."""

    def __init__(self, block, further=0):
        self.block, self.further = block, further


class Struct:
    def __init__(self, *fields):
        self.fields = {}
        for field in fields:
            self.add(*field)

    def add(self, name, value, width=None):
        """`value`: a number, a Computed, a Block (its address) or None (no address), all of `width`
        bytes; bytes or a Struct; a Checksum."""
        assert name not in self.fields, f"two fields {name}"
        if isinstance(value, Checksum):
            width = 4
        assert (width is None) == inline(value), name
        self.fields[name] = [value, width]
        return self

    def extend(self, other):
        for name, field in other.fields.items():
            assert name not in self.fields, f"two fields {name}"
            self.fields[name] = list(field)
        return self

    def _find(self, path):
        struct, name = self, path
        while name not in struct.fields:
            first, dot, name = name.partition(".")
            inside = struct.fields.get(first, (None,))[0]
            assert dot and has_fields(inside), f"no field {path}: {', '.join(self.paths())}"
            struct = inside
        return struct, name

    def __contains__(self, path):
        return path in self.paths()

    def __getitem__(self, path):
        struct, name = self._find(path)
        value = struct.fields[name][0]
        return value.compute() if isinstance(value, Computed) else value

    def __setitem__(self, path, value):
        struct, name = self._find(path)
        field = struct.fields[name]
        if inline(value):
            field[1] = None
        elif field[1] is None:  # a number that replaces bytes has their width
            field[1] = size_of(field[0])
        field[0] = value

    def __delitem__(self, path):
        struct, name = self._find(path)
        del struct.fields[name]

    def exchange(self, one, other):
        self[one], self[other] = self[other], self[one]

    def paths(self, before=""):
        """All fields that have no fields themselves."""
        found = []
        for name, (value, _) in self.fields.items():
            if has_fields(value):
                found += value.paths(f"{before}{name}.")
            else:
                found.append(before + name)
        return found

    def size(self):
        return sum(size_of(value) if width is None else width
                   for value, width in self.fields.values())

    def place(self, path):
        """The position and the size of a field."""
        struct, at = self, 0
        while True:
            for name, (value, width) in struct.fields.items():
                size = size_of(value) if width is None else width
                if name == path:
                    return at, size
                if has_fields(value) and path.startswith(name + "."):
                    path = path[len(name) + 1:]
                    break
                at += size
            else:
                raise KeyError(path)
            struct = value

    def write(self, into):
        """Appends the bytes to `into`; returns the checksums that span this whole struct."""
        begin, whole = len(into), []
        for value, width in self.fields.values():
            if has_fields(value):
                value.write(into)
            elif isinstance(value, bytes):
                into += value
            elif isinstance(value, Checksum):
                if value.whole:
                    whole.append(len(into))
                    into += bytes(4)
                else:
                    into += lookup3(into[begin:]).to_bytes(4, "little")
            else:
                into += _number(value, width)
        for at in whole:
            into[at:at + 4] = lookup3(into[begin:]).to_bytes(4, "little")


def has_fields(value):
    """Whether it is stored in the struct itself. For a block only the address is."""
    return isinstance(value, Struct) and not isinstance(value, Block)


def inline(value):
    return isinstance(value, bytes) or has_fields(value)


def size_of(value):
    return value.size() if has_fields(value) else len(value)


def _number(value, width):
    if isinstance(value, Computed):
        value = value.compute()
    if value is None:
        return b"\xff" * width
    if isinstance(value, At):
        value = value.block.address + value.further
    elif isinstance(value, Block):
        value = value.address
    return (value % (1 << 8 * width) if value < 0 else value).to_bytes(width, "little")


class Block(Struct):
    """`kind` and `owner` identify it in a recipe: "EADB" and "/d"."""

    def __init__(self, kind, owner, *fields, address=None):
        super().__init__(*fields)
        self.kind, self.owner = kind, owner
        self.address = address  # relative to the base; assigned by the image unless given
        self.fixed = address is not None
        self.corrupted = []

    def corrupt(self, path, mask=1):
        """Changes bits of the first byte of a field after the checksums were computed."""
        self.corrupted.append((path, mask))

    def plain_size(self):
        return self.size()

    def plain(self):
        """The bytes without filters."""
        made = bytearray()
        self.write(made)
        for path, mask in self.corrupted:
            made[self.place(path)[0]] ^= mask
        return bytes(made)

    def bytes(self):
        return self.plain()

    def covered(self):
        """[(begin, end)] of the bytes that cannot be changed without invalidating a checksum."""
        return _covered(self, 0)


class FilteredBlock(Block):
    """A block that is stored as the output of filters. Its size depends on the addresses in it, so it names no
    block that comes after it. `changed` may replace the stored bytes."""

    def __init__(self, kind, owner, encode):
        super().__init__(kind, owner)
        self.encode, self.changed = encode, None

    def plain_size(self):
        return super().size()

    def size(self):
        return len(self.bytes())

    def bytes(self):
        stored = self.encode(self.plain())
        return self.changed(stored) if self.changed else stored

    def covered(self):
        """The filters may make the same of different bytes."""
        return []


def _covered(struct, begin):
    found, at = [], begin
    for value, width in struct.fields.values():
        size = size_of(value) if width is None else width
        if isinstance(value, Checksum):
            found.append((begin, begin + struct.size() if value.whole else at + size))
        elif has_fields(value):
            found += _covered(value, at)
        at += size
    return found


class Image:
    """Blocks, in the order in which they are stored in the file."""

    def __init__(self):
        self.blocks = []
        self.base = 0          # the address of the superblock
        self.before = b""      # bytes of the user block; zeros up to the base
        self.behind = b""      # bytes after the last block
        self.cut = 0           # bytes that are missing at the end

    def add(self, block):
        self.blocks.append(block)
        return block

    def arrange(self):
        at = 0
        for block in self.blocks:
            if not block.fixed:
                block.address = at
            at = max(at, block.address + block.size())
        self.end = at  # relative to the base

    def find(self, name):
        """The block "EADB", "EADB /d" or "EADB /d 2": the third one of that kind and owner."""
        kind, *rest = name.split(" ")
        number = int(rest.pop()) if rest and rest[-1].isdigit() else None
        found = [block for block in self.blocks
                 if block.kind == kind and (not rest or block.owner == " ".join(rest))]
        assert found, f"no block {name}: " + ", ".join(f"{b.kind} {b.owner}" for b in self.blocks)
        assert number is not None or len(found) == 1, f"there are {len(found)} of {name}"
        return found[number or 0]

    __getitem__ = find

    def bytes(self):
        self.arrange()
        made = bytearray(self.end)
        for block in self.blocks:
            stored = block.bytes()
            made[block.address:block.address + len(stored)] = stored
        made = self.before.ljust(self.base, b"\0") + bytes(made) + self.behind
        return made[:len(made) - self.cut] if self.cut else made
