"""Logs in the format of `hepcheck trace record`, of appends in any order of writes: generated from two states of
one file, which the writer of raw structures creates. No program is run, so any order is possible.

    session = Session(before, after)
    session.write("chunk /d 3", "EAIB /d", "EAHD /d", "OHDR /d")
    Path("good.log").write_bytes(session.close())
"""

import struct

from .checksums import lookup3

SIGNATURE = b"\x89HEPTRC\n"
UNKNOWN, RAW = 255, 3   # memory kinds
INODE = 77
NAME = "/data/file.h5"


class Log:
    """Records one after the other."""

    def __init__(self):
        self.bytes = SIGNATURE + struct.pack("<II", 1, 0)

    def record(self, kind, data=b"", position=0, memory=UNKNOWN, file=INODE):
        self.bytes += struct.pack("<cBHIQQ", kind.encode(), memory, 0, len(data), file, position)
        self.bytes += data
        return self

    def opens(self, name, before):
        self.record("B", position=len(before))
        for at in range(0, len(before), 65536):
            self.record("I", before[at:at + 65536], at)
        return self.record("O", name.encode())

    def write(self, position, data, memory=UNKNOWN):
        return self.record("W", data, position, memory)

    def announce(self, position, size, memory=UNKNOWN):
        return self.record("K", struct.pack("<Q", size), position, memory)

    def call(self, text):
        return self.record("A", text.encode())


def names(image):
    """{"EADB /d 1": block}, in the order of the file; the number is there if there are several."""
    counts, found = {}, {}
    for block in image.blocks:
        key = f"{block.kind} {block.owner}".strip()
        number = counts.get(key, 0)
        counts[key] = number + 1
        found[(key, number)] = block
    return {key if counts[key] == 1 else f"{key} {number}": block
            for (key, number), block in found.items()}


class Session:
    """A writer has `before` open under SWMR, and changes it to `after`. Blocks of both states keep
    their addresses; new ones, and those in `moved`, are placed after the file. `swmr` False: without
    SWMR; `marked` False: without the flags that mark the file as open."""

    def __init__(self, before, after, moved=(), swmr=True, calls=True, marked=True):
        self.swmr, self.calls, self.end = swmr, calls, None
        self.old, self.base = before.bytes(), before.image.base
        self.places(before, after, moved)
        self.after = after
        self.log = Log().opens(NAME, self.old)
        if marked:
            self.begin()

    def places(self, before, after, moved):
        kept, counts = {}, {}
        for block in before.image.blocks:
            key = (block.kind, block.owner)
            kept[key, counts.setdefault(key, 0)] = block
            counts[key] += 1
        end, counts = before.image.end, {}
        for name, block in names(after.image).items():
            key = (block.kind, block.owner)
            twin = kept.get((key, counts.setdefault(key, 0)))
            counts[key] += 1
            if twin and name not in moved:
                block.address = twin.address
            else:
                block.address = end
                end += block.size()
            block.fixed = True
        after.image.arrange()

    def then(self, after, moved=()):
        """The next state, to which the file changes from the present one."""
        self.old = self.after.bytes()
        self.places(self.after, after, moved)
        self.after = after
        return self

    # Writes -------------------------------------------------------------------------------------

    def begin(self):
        self.mark(1)
        if self.swmr:
            self.call("swmr").mark(5).call("swmr-started")
        return self

    def again(self):
        """Closes the file, and opens it once more."""
        self.mark(0).call("close").log.record("C").record("O", NAME.encode())
        return self.begin()

    def call(self, text):
        if self.calls:
            self.log.call(text)
        return self

    def ends_at(self, end):
        """From now on, the superblock states this end of the file."""
        self.end = end
        return self.mark(5)

    def mark(self, flags):
        """The superblock with these status flags."""
        width = self.old[self.base + 9]
        block = bytearray(self.old[self.base:self.base + 12 + 4 * width])
        block[11] = flags
        if self.end is not None:
            block[12 + 2 * width:12 + 3 * width] = self.end.to_bytes(width, "little")
        return self.raw(0, bytes(block) + lookup3(bytes(block)).to_bytes(4, "little"))

    def block(self, name):
        return names(self.after.image)[name]

    def bytes_of(self, name):
        return self.block(name).bytes()

    def memory(self, name):
        return RAW if name.startswith("chunk") else UNKNOWN

    def write(self, *blocks):
        for name in blocks:
            self.raw(self.block(name).address, self.bytes_of(name), self.memory(name))
        return self

    def part(self, name, begin, end=None):
        """The bytes of a block; `begin` and `end` may be names of its fields, meaning their positions."""
        block = self.block(name)
        begin, end = (block.place(at)[0] if isinstance(at, str) else at for at in (begin, end))
        return self.raw(block.address + begin, self.bytes_of(name)[begin:end], self.memory(name))

    def raw(self, address, data, memory=UNKNOWN):
        self.log.write(self.base + address, data, memory)
        return self

    def flush(self, dataset=None):
        return self.call(f"dataset-flush {dataset}" if dataset else "flush")

    def close(self):
        self.mark(0).call("close")
        self.log.record("C")
        return self.log.bytes
