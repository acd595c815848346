"""The ROOT container: keys, directories, the file header. Big-endian."""

DATE = 0x6E000000


def text(content):
    content = content if isinstance(content, bytes) else content.encode("latin-1")
    return (bytes([len(content)]) if len(content) < 255
            else b"\xff" + len(content).to_bytes(4, "big")) + content


class Key:
    """The header of a record. `wide`: 64-bit pointers (version 1004)."""

    def __init__(self, kind, name="", title="", *, wide=False, cycle=1, parent=100):
        self.kind, self.name, self.title = kind, name, title
        self.wide, self.cycle, self.parent = wide, cycle, parent
        self.seek = self.stored = self.length = 0  # file offset, stored and uncompressed size
        self.changes = {}  # fields with another value than the right one

    @property
    def size(self):
        return (34 if self.wide else 26) + sum(len(text(each))
                                               for each in (self.kind, self.name, self.title))

    def bytes(self, **changes):
        wide = 8 if self.wide else 4
        says = {"nbytes": self.size + self.stored, "version": 1004 if self.wide else 4,
                "objlen": self.length, "keylen": self.size, "cycle": self.cycle,
                "seek": self.seek, "pdir": self.parent, "kind": self.kind, "name": self.name,
                **self.changes, **changes}
        says = {field: value(self) if callable(value) else value for field, value in says.items()}
        return b"".join((says["nbytes"].to_bytes(4, "big", signed=says["nbytes"] < 0),
                         says["version"].to_bytes(2, "big"), says["objlen"].to_bytes(4, "big"),
                         DATE.to_bytes(4, "big"), says["keylen"].to_bytes(2, "big"),
                         says["cycle"].to_bytes(2, "big"), says["seek"].to_bytes(wide, "big"),
                         says["pdir"].to_bytes(wide, "big"), text(says["kind"]),
                         text(says["name"]), text(self.title)))


class Directory:
    def __init__(self, name="", *, wide=False):
        self.name, self.wide = name, wide
        self.keys = []        # listed ones
        self.members = []     # RNTuples and directories
        self.seek = self.keys_at = self.keys_size = self.name_bytes = 0
        self.changes = {}     # of the record: "seek_dir", "name_bytes"
        self.list_changes = {}  # of the list: "count", "size", "seek", "tail"
        self.listed = []      # further keys, or functions of the file that return one

    def record(self):
        wide = 8 if self.wide else 4
        says = {"nbytes_keys": self.keys_size, "name_bytes": self.name_bytes,
                "seek_dir": self.seek, "seek_keys": self.keys_at, **self.changes}
        return b"".join(((1005 if self.wide else 5).to_bytes(2, "big"),
                         2 * DATE.to_bytes(4, "big"), says["nbytes_keys"].to_bytes(4, "big"),
                         says["name_bytes"].to_bytes(4, "big"),
                         says["seek_dir"].to_bytes(wide, "big"), bytes(wide),
                         says["seek_keys"].to_bytes(wide, "big"), bytes(18)))


class RootFile:
    """A file with RNTuples. `bytes()` lays everything out; what `changes` names has another value than
    the right one."""

    suffix = ".root"

    def __init__(self, *ntuples, large=False):
        self.large = large
        self.top = Directory()
        self.top.members = list(ntuples)
        self.changes = {}   # of the header: "begin", "end", "units", "name_bytes"
        self.after = []     # functions that change the whole file, a bytearray
        self.behind = b""   # bytes after fEND
        self.blobs = True   # pages and envelopes are in RBlob records
        self.gap = 0        # bytes of a gap record before the first blob

    @property
    def ntuple(self):
        member = self.top.members[0]
        while isinstance(member, Directory):
            member = member.members[0]
        return member

    def bytes(self):
        self.content = bytearray(100)
        self.labels = {}  # the bytes of parts, for examples
        self.sums = []    # (begin, end, place): bytes under a checksum, and where findings about it are
        top = Key("TFile", "t.root")
        self.top.name_bytes = top.size + len(text("t.root")) + len(text(""))
        self.top.seek = 100
        top.length = top.stored = (len(text("t.root")) + 1 + len(self.top.record()))
        top.parent = 0
        self._put(top, text("t.root") + text("") + self.top.record())
        if self.gap:
            self.content += (-self.gap).to_bytes(4, "big", signed=True) + bytes(self.gap - 4)
        self._members(self.top)
        self._record_of(self.top)
        self._put(Key("TList", "StreamerInfo", "Doubly linked list"),
                  b"\x40\x00\x00\x11\x00\x05\x00\x01\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x00")
        end = len(self.content)
        self._header(end)
        self.content += self.behind
        before = bytes(self.content)
        for change in self.after:
            change(self.content)
        if bytes(self.content) != before:
            self.labels["bytes of the file"] = bytes(self.content)
        return bytes(self.content)

    def _members(self, directory):
        for member in directory.members:
            if isinstance(member, Directory):
                key = Key("TDirectory", member.name, wide=member.wide)
                key.length = key.stored = len(member.record())
                member.name_bytes = key.size
                self._put(key, member.record())
                member.seek = key.seek
                directory.keys.append(key)
                self._members(member)
                self._record_of(member)
            else:
                directory.keys.append(member.write(self))

    def _record_of(self, directory):
        """Writes the list of keys, and completes the record."""
        own = Key(directory is self.top and "TFile" or "TDirectory", directory.name or "t.root")
        keys = directory.keys + [each(self) if callable(each) else each
                                 for each in directory.listed]
        says = {"count": len(keys), "tail": b"", **directory.list_changes}
        body = says["count"].to_bytes(4, "big") + b"".join(key.bytes(**getattr(key, "listed", {}))
                                                           for key in keys) + says["tail"]
        if "body" in says:
            body = says["body"](body)
        own.length = own.stored = len(body)
        self.labels[f"list of keys {directory.name}".strip()] = body
        self._put(own, body)
        directory.keys_at = says.get("seek", own.seek)
        directory.keys_size = says.get("size", own.size + len(body))
        at = directory.seek + directory.name_bytes
        self.content[at:at + len(directory.record())] = directory.record()
        self.labels[f"directory {directory.name}".strip()] = directory.record()

    def _header(self, end):
        says = {"begin": 100, "end": end, "units": 8 if self.large else 4,
                "name_bytes": self.top.name_bytes, "version": 63101 + 1000000 * self.large,
                **self.changes}
        wide = 8 if self.large else 4
        header = b"".join((b"root", says["version"].to_bytes(4, "big"),
                           says["begin"].to_bytes(4, "big"), says["end"].to_bytes(wide, "big"),
                           end.to_bytes(wide, "big"), bytes(8),
                           says["name_bytes"].to_bytes(4, "big"), bytes([says["units"]]),
                           (0).to_bytes(4, "big"), bytes(wide), bytes(4), b"\x00\x01", bytes(16)))
        self.content[:len(header)] = header
        self.labels["file header"] = header

    def _put(self, key, stored):
        """Appends a record; returns the offset of the object."""
        key.seek, key.stored = len(self.content), len(stored)
        key.length = key.length or len(stored)
        self.content += key.bytes() + stored
        return key.seek + key.size

    def blob(self, stored, *, kind="RBlob", wide=False):
        return self._put(Key(kind, wide=wide), stored)
