"""An RNTuple as a description that recipes change, and its bytes."""

import copy
import re
import struct

from .codecs import CODECS
from .root import Key
from .xxh import xxh3

LEAF, COLLECTION, RECORD, VARIANT, STREAMED = range(5)

# name: type, bits, bytes of an element as struct writes it, split, zigzag, delta
TYPES = {
    "Index64": (0x01, 64, "Q"), "Index32": (0x02, 32, "I"), "Switch": (0x03, 96, None),
    "Byte": (0x04, 8, "B"), "Char": (0x05, 8, "B"), "Bit": (0x06, 1, None),
    "Real64": (0x07, 64, "d"), "Real32": (0x08, 32, "f"), "Real16": (0x09, 16, "e"),
    "UInt64": (0x0A, 64, "Q"), "UInt32": (0x0B, 32, "I"), "UInt16": (0x0C, 16, "H"),
    "UInt8": (0x0D, 8, "B"), "SplitIndex64": (0x0E, 64, "Q"), "SplitIndex32": (0x0F, 32, "I"),
    "SplitReal64": (0x10, 64, "d"), "SplitReal32": (0x11, 32, "f"), "SplitReal16": (0x12, 16, "e"),
    "SplitUInt64": (0x13, 64, "Q"), "SplitUInt32": (0x14, 32, "I"), "SplitUInt16": (0x15, 16, "H"),
    "Int64": (0x16, 64, "q"), "Int32": (0x17, 32, "i"), "Int16": (0x18, 16, "h"),
    "Int8": (0x19, 8, "b"), "SplitInt64": (0x1A, 64, "q"), "SplitInt32": (0x1B, 32, "i"),
    "SplitInt16": (0x1C, 16, "h"), "Real32Trunc": (0x1D, 20, None),
}
# The column of a C++ type, without "Split".
PLAIN = {"bool": "Bit", "char": "Char", "std::int8_t": "Int8", "std::uint8_t": "UInt8",
         "std::int16_t": "Int16", "std::uint16_t": "UInt16", "std::int32_t": "Int32",
         "std::uint32_t": "UInt32", "std::int64_t": "Int64", "std::uint64_t": "UInt64",
         "float": "Real32", "double": "Real64", "std::byte": "Byte"}


def u16(value):
    return value.to_bytes(2, "little")


def u32(value):
    return value.to_bytes(4, "little")


def u64(value):
    return (value & (1 << 64) - 1).to_bytes(8, "little")


def i32(value):
    return value.to_bytes(4, "little", signed=True)


def string(content):
    content = content if isinstance(content, bytes) else content.encode()
    return u32(len(content)) + content


def encode(kind, values):
    """The uncompressed bytes of a page."""
    if kind == "Bit":
        bits = sum(bool(value) << i for i, value in enumerate(values))
        return bits.to_bytes((len(values) + 7) // 8, "little")
    if kind == "Switch":
        return b"".join(u64(index) + u32(tag) for index, tag in values)
    if isinstance(values, bytes):
        return values
    letter = TYPES[kind][2]
    size = struct.calcsize(letter)
    if kind.startswith("SplitIndex"):
        mask = (1 << 8 * size) - 1
        values = [value - before & mask for before, value in zip([0, *values], values)]
    if kind.startswith("SplitInt"):
        values, letter = [value << 1 if value >= 0 else ~value << 1 | 1 for value in values], \
            letter.upper()
    plain = struct.pack(f"<{len(values)}{letter}", *values)
    if kind.startswith("Split"):
        plain = b"".join(plain[k::size] for k in range(size))
    return plain


class Frame:
    """A record or list frame of bytes and frames. `size` and `count` are added to the right numbers."""

    def __init__(self, *parts, items=None):
        self.parts, self.items = list(parts), items
        self.size = self.count = 0
        self.as_list = items is not None
        self.tail = b""

    def bytes(self):
        body = b"".join(each if isinstance(each, bytes) else each.bytes()
                        for each in (*self.parts, *(self.items or ()))) + self.tail
        if not self.as_list:
            return u64(8 + len(body) + self.size) + body
        count = len(self.items or ()) + self.count
        return u64(-(12 + len(body) + self.size)) + u32(count) + body


def record(*parts):
    return Frame(*parts)


def listed(items):
    return Frame(items=list(items))


def locator(size, offset):
    return i32(size) + u64(offset)


def other_locator(kind, payload, *, reserved=0, own=None):
    own = 4 + len(payload) if own is None else own
    return i32(-(kind << 24 | reserved << 16 | own)) + payload


class Field:
    def __init__(self, name, type, role=LEAF, parent=None, *, flags=0, size=None, alias="",
                 description="", extension=False):
        self.name, self.type, self.role, self.parent = name, type, role, parent
        self.flags = flags | (size is not None)
        self.size, self.alias, self.description = size, alias, description
        self.extension = extension
        self.version = self.type_version = 0
        self.more = b""     # numbers of later drafts
        self.surplus = b""

    def frame(self, fields):
        parent = self.parent if self.parent is not None else self
        number = parent if isinstance(parent, int) else fields.index(parent)
        return record(u32(self.version) + u32(self.type_version) + u32(number) + u16(self.role)
                      + u16(self.flags) + (u64(self.size) if self.size is not None else b"")
                      + self.more, string(self.name), string(self.type), string(self.alias),
                      string(self.description), self.surplus)


class Column:
    def __init__(self, kind, field, *, flags=0, bits=None, first=None, extension=False):
        self.kind, self.field, self.bits, self.first = kind, field, bits, first
        self.flags = flags | (0x08 if first is not None else 0)
        self.number = None    # of the type, if it is none of TYPES
        self.representation = 0
        self.extension = extension
        self.surplus = b""

    def frame(self, fields):
        number, bits = (TYPES[self.kind][:2] if self.number is None else (self.number, self.bits))
        field = self.field if isinstance(self.field, int) else fields.index(self.field)
        return record(u16(number) + u16(self.bits or bits) + u32(field)
                      + u32(self.flags | self.representation << 16)
                      + (u64(self.first) if self.first is not None else b"") + self.surplus)


class Alias:
    def __init__(self, column, field, extension=False):
        self.column, self.field, self.extension = column, field, extension

    def frame(self, columns, fields):
        column = self.column if isinstance(self.column, int) else columns.index(self.column)
        field = self.field if isinstance(self.field, int) else fields.index(self.field)
        return record(u32(column) + u32(field))


class Page:
    """`values` are encoded unless `plain` says what the uncompressed bytes are."""

    def __init__(self, values):
        self.values = values
        self.plain = self.stored = self.checksum = None
        self.count = None      # the number of elements in the page list
        self.size = self.offset = None   # of the locator, if they differ
        self.locator = None    # bytes
        self.codec = None
        self.kind = "RBlob"
        self.same = None       # the page that it shares its bytes with
        self.sum_change = None  # of the bytes of the checksum


class Chunk:
    """The pages of a column in a cluster."""

    def __init__(self, pages):
        self.pages = pages
        self.offset = self.settings = None
        self.suppressed = False
        self.count = 0      # is added to the number of pages
        self.tail = None    # bytes instead of offset and settings


class Cluster:
    def __init__(self, entries):
        self.entries = entries
        self.first = self.flags = self.group = None
        self.chunks = {}   # by column
        self.order = None  # the columns that are listed, if not all of them
        self.surplus = b""


class Group:
    def __init__(self, clusters):
        self.clusters = clusters
        self.first = self.span = self.count = None
        self.link = None       # (length, locator bytes)
        self.surplus = b""


def split(text):
    """The arguments of a template."""
    made, depth, start = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter == "<") - (letter == ">")
        if letter == "," and depth == 0:
            made.append(text[start:i].strip())
            start = i + 1
    return [*made, text[start:].strip()]


class Ntuple:
    def __init__(self, name="Events", *, version=4, settings=0, checksums=False, index="Index64"):
        self.name, self.description, self.writer = name, "", "hepcheck generator 1.0"
        self.class_version = version
        self.version = (0, 2, 0, 0)
        self.settings, self.checksums, self.index = settings, checksums, index
        self.fields, self.columns, self.aliases, self.extra_types = [], [], [], []
        self.flags, self.footer_flags = [0], [0]
        self.clusters, self.groups = [], None
        self.column_groups = []
        self.metadata = []         # envelopes: lists of records
        self.links = []            # bytes of further metadata links
        self.metadata_list = True
        self.extension = None      # "empty" for a record without lists
        self.key_name = None
        self.kind = "ROOT::Experimental::RNTuple"
        self.edit = {}             # functions that change the frames of an envelope, by its name
        self.patch = {}            # that change its payload, before the checksum
        self.after = {}            # that change the whole envelope
        self.codec = {}            # of an envelope; by its name
        self.lengths = {}          # uncompressed size that links and the anchor state, by its name
        self.types = {}            # of envelopes
        self.anchor = {}           # members of the anchor with another value
        self.anchor_patch = None   # changes the members, before the checksum
        self.anchor_after = None   # changes the object
        self.anchor_stored = None  # changes the stored object
        self.key = {}              # fields of the record of the anchor
        self.listed = {}           # and of the list of keys
        self.backwards = False     # pages are stored in the opposite order

    # --- Building ------------------------------------------------------------------------------

    def field(self, name, type, values=None, *, parent=None, extension=False, first=None,
              flags=0, alias="", encoding=None, role=None):
        """Adds a field with what its type needs. `values`: for each cluster, the values of its entries."""
        clusters = values if values is not None else [[] for _ in self.clusters]
        if parent is None and values is not None:
            for number, some in enumerate(clusters):
                if number == len(self.clusters):
                    self.clusters.append(Cluster(len(some)))
        return self._field(name, type, clusters, parent, extension, first, flags, alias,
                           encoding, role)

    def _column(self, kind, field, clusters, first, flags=0):
        """Adds a column; of a deferred one, the leading values are left out."""
        column = Column(kind, field, flags=flags, first=first, extension=field.extension)
        self.columns.append(column)
        left = first or 0
        for cluster, values in zip(self.clusters, clusters):
            skipped = min(left, len(values))
            left -= skipped
            values = values[skipped:]
            cluster.chunks[column] = Chunk([Page(values)] if len(values) else [])
        return column

    def _index(self, field, clusters, kind, first, flags):
        offsets = []
        for values in clusters:
            total, made = 0, []
            for value in values:
                total += len(value)
                made.append(total)
            offsets.append(made)
        self._column(kind or self.index, field, offsets, first, flags)

    def _field(self, name, type, clusters, parent, extension, first, flags, alias, encoding, role):
        made = Field(name, type, parent=parent, alias=alias, extension=extension)
        self.fields.append(made)
        outer, _, rest = type.partition("<")
        arguments = split(rest[:-1]) if rest else []
        array = re.fullmatch(r"(.*)\[(\d+)\]", type)

        def child(name, type, clusters):
            return self._field(name, type, clusters, made, extension, None, 0, "", None, None)

        def joined(groups):
            return [[item for value in values for item in value] for values in groups]

        if type in PLAIN:
            self._column(encoding or PLAIN[type], made, clusters, first, flags)
        elif type == "std::string":
            texts = [[text.encode() if isinstance(text, str) else text for text in values]
                     for values in clusters]
            self._index(made, texts, encoding, first, flags)
            self._column("Char", made, [b"".join(values) for values in texts], None)
        elif outer in ("std::vector", "std::set", "std::unordered_set", "std::map",
                       "std::unordered_map", "ROOT::VecOps::RVec", "ROOT::RVec", "ROOT::Vec",
                       "std::multiset", "std::unordered_multimap"):
            made.role = COLLECTION
            self._index(made, clusters, encoding, first, flags)
            inner = f"std::pair<{rest[:-1]}>" if "map" in outer else arguments[0]
            child("_0", inner, joined(clusters))
        elif outer in ("std::optional", "std::unique_ptr"):
            made.role = COLLECTION
            if encoding == "Bit":
                self._column("Bit", made, [[value is not None for value in values]
                                           for values in clusters], first)
                child("_0", arguments[0], [[0 if value is None else value for value in values]
                                           for values in clusters])
            else:
                some = [[[] if value is None else [value] for value in values]
                        for values in clusters]
                self._index(made, some, encoding, first, flags)
                child("_0", arguments[0], joined(some))
        elif outer == "std::array" or array:
            inner, size = (arguments[0], int(arguments[1])) if not array else (
                array[1], int(array[2]))
            if size:
                made.flags, made.size = 1, size
            child("_0", inner, joined(clusters))
        elif outer == "std::bitset":
            made.flags, made.size = 1, int(arguments[0])
            self._column("Bit", made, joined(clusters), first)
        elif outer in ("std::pair", "std::tuple"):
            made.role = RECORD
            for i, argument in enumerate(arguments):
                child(f"_{i}", argument, [[value[i] for value in values] for values in clusters])
        elif outer == "std::variant":
            made.role = VARIANT
            switch, inner = [], [[] for _ in arguments]
            for values in clusters:
                counts, tags = [0] * len(arguments), []
                for value in values:      # (alternative from 0, value), or None
                    if value is None:
                        tags.append((0, 0))
                        continue
                    tags.append((counts[value[0]], value[0] + 1))
                    counts[value[0]] += 1
                switch.append(tags)
                for k, list_ in enumerate(inner):
                    list_.append([value[1] for value in values if value and value[0] == k])
            self._column("Switch", made, switch, first)
            for k, argument in enumerate(arguments):
                child(f"_{k}", argument, inner[k])
        elif outer == "std::atomic":
            child("_0", arguments[0], clusters)
        elif type == "Color":
            child("_0", "std::int32_t", clusters)
        elif outer == "ROOT::Experimental::RNTupleCardinality":
            if encoding:
                self._column(encoding, made, clusters, first, flags)
        elif clusters and any(isinstance(value, dict) for values in clusters for value in values):
            made.role = RECORD
            names = next(value for values in clusters for value in values)
            for member, (kind, _) in names.items():
                child(member, kind, [[value[member][1] for value in values]
                                     for values in clusters])
        else:
            made.role = RECORD if role is None else role
        if role is not None:
            made.role = role
        return made

    def find(self, *names):
        """A field by the names from the top."""
        found = None
        for name in names:
            found = next(each for each in self.fields if each.parent is found and each.name == name)
        return found

    def column(self, *names, number=0):
        field = self.find(*names)
        return [each for each in self.columns if each.field is field][number]

    def chunk(self, *names, cluster=0, number=0):
        return self.clusters[cluster].chunks[self.column(*names, number=number)]

    def page(self, *names, cluster=0, number=0, page=0):
        return self.chunk(*names, cluster=cluster, number=number).pages[page]

    # --- Writing -------------------------------------------------------------------------------

    def write(self, file):
        """Writes everything to the file; returns the key of the anchor."""
        self.at = {}
        self._order()
        self._pages(file)
        header = self._envelope("header", 1, self._header_parts())
        self.sum = header[-8:]
        groups = self._groups()
        for number, group in enumerate(groups):
            self._put(file, f"pagelist{number}",
                      self._envelope(f"pagelist{number}", 3, self._page_list_parts(group)))
        for number, pairs in enumerate(self.metadata):
            self._put(file, f"metadata{number}",
                      self._envelope(f"metadata{number}", 4, pairs if isinstance(pairs, list) and
                                     pairs and isinstance(pairs[0], bytes) else [listed(pairs)]))
        self._put(file, "footer", self._envelope("footer", 2, self._footer_parts(groups)))
        self._put(file, "header", header)
        return self._anchor(file)

    def _order(self):
        self.all_fields = ([each for each in self.fields if not each.extension]
                           + [each for each in self.fields if each.extension])
        self.all_columns = ([each for each in self.columns if not each.extension]
                            + [each for each in self.columns if each.extension])

    def _groups(self):
        return self.groups if self.groups is not None else [Group(self.clusters)] \
            if self.clusters else []

    def _pages(self, file):
        step = -1 if self.backwards else 1
        for cluster in self.clusters[::step]:
            for column, chunk in [*cluster.chunks.items()][::step]:
                for page in chunk.pages[::step]:
                    if page.same is not None:
                        continue
                    if page.plain is None:
                        page.plain = encode(column.kind, page.values)
                    settings = self.settings if chunk.settings is None else chunk.settings
                    codec = page.codec or CODECS.get(settings // 100, lambda plain: plain)
                    stored = page.stored if page.stored is not None else codec(page.plain)
                    summed = page.checksum if page.checksum is not None else self.checksums
                    page.summed = bool(summed)
                    after = b""
                    if summed:
                        after = u64(xxh3(page.plain if summed == "plain" else stored))
                        after = page.sum_change(after) if page.sum_change else after
                    page.place = file.blob(stored + after, kind=page.kind)
                    number = sum(label.startswith("page ") for label in file.labels)
                    file.labels[f"page {number} in {page.kind}"] = stored + after
                    page.bytes_stored = len(stored)
                    if summed:
                        file.sums.append((page.place, page.place + len(stored + after), page.place))
        for cluster in self.clusters:
            for chunk in cluster.chunks.values():
                for page in chunk.pages:
                    if page.same is not None:
                        page.place, page.bytes_stored = page.same.place, page.same.bytes_stored
                        page.summed = page.same.summed

    def _envelope(self, name, kind, parts):
        kind_name = re.sub(r"\d+$", "", name)
        for key in dict.fromkeys((name, kind_name)):
            if key in self.edit:
                changed = self.edit[key](parts)
                parts = changed if isinstance(changed, list) else parts
        payload = b"".join(each if isinstance(each, bytes) else each.bytes() for each in parts)
        if name in self.patch:
            payload = self.patch[name](payload)
        kind = self.types.get(name, kind)
        length = len(payload) + 16
        made = u64(kind | length << 16) + payload
        if ("word", name) in self.after:
            made = self.after["word", name](made[:8], length) + payload
        made += u64(xxh3(made))
        return self.after[name](made) if name in self.after else made

    def _put(self, file, name, envelope):
        codec = self.codec.get(name, CODECS.get(self.settings // 100, bytes))
        stored = codec(envelope)
        offset = file.blob(stored)
        file.labels[name] = envelope
        if stored == envelope:
            file.sums.append((offset, offset + len(stored), offset))
        self.at[name] = (offset, len(stored), self.lengths.get(name, len(envelope)))

    def _lists(self, extension):
        def of(some):
            return [each for each in some if each.extension == extension]
        return [listed(each.frame(self.all_fields) for each in of(self.fields)),
                listed(each.frame(self.all_fields) for each in of(self.columns)),
                listed(each.frame(self.all_columns, self.all_fields) for each in of(self.aliases)),
                listed(each for place, each in self.extra_types if place == extension)]

    def _header_parts(self):
        return [*(u64(each) for each in self.flags), string(self.name), string(self.description),
                string(self.writer), *self._lists(False)]

    def _footer_parts(self, groups):
        lists = self._lists(True)
        empty = self.extension == "empty" or (self.extension is None
                                              and not any(each.items for each in lists))
        links = []
        for number in range(len(self.metadata)):
            offset, size, length = self.at[f"metadata{number}"]
            links.append(u64(length) + locator(size, offset))
        parts = [*(u64(each) for each in self.footer_flags), self.sum,
                 record() if empty else record(*lists),
                 listed(record(listed(u32(each if isinstance(each, int)
                                          else self.all_columns.index(each)) for each in group))
                        for group in self.column_groups),
                 listed(self._cluster_group(number, group) for number, group in enumerate(groups))]
        if self.metadata_list:
            parts.append(listed([*links, *self.links]))
        return parts

    def _first(self, cluster):
        if cluster.first is not None:
            return cluster.first
        before = self.clusters[:self.clusters.index(cluster)]
        return sum(each.entries for each in before)

    def _cluster_group(self, number, group):
        firsts = [self._first(each) for each in group.clusters]
        ends = [first + each.entries for first, each in zip(firsts, group.clusters)]
        first = min(firsts, default=0) if group.first is None else group.first
        span = max(ends, default=0) - min(firsts, default=0) if group.span is None else group.span
        count = len(group.clusters) if group.count is None else group.count
        offset, size, length = self.at[f"pagelist{number}"]
        link = group.link(length, size, offset) if group.link else (u64(length)
                                                                    + locator(size, offset))
        return record(u64(first) + u64(span) + u32(count), link, group.surplus)

    def _page_list_parts(self, group):
        return [self.sum, listed(self._summary(each) for each in group.clusters),
                listed(self._locations(each) for each in group.clusters)]

    def _summary(self, cluster):
        flags = (0 if cluster.group is None else 1) if cluster.flags is None else cluster.flags
        return record(u64(self._first(cluster)) + u64(cluster.entries | flags << 60)
                      + (u32(cluster.group) if cluster.group is not None else b"")
                      + cluster.surplus)

    def _columns_of(self, cluster):
        if cluster.order is not None:
            return cluster.order
        if cluster.group is not None and cluster.group < len(self.column_groups):
            return [self.all_columns[each] if isinstance(each, int) else each
                    for each in self.column_groups[cluster.group]]
        return self.all_columns

    def _elements(self, chunk):
        return sum(len(page.same.values if page.values is None else page.values)
                   if page.count is None else page.count for page in chunk.pages)

    def _offset(self, column, cluster):
        total = column.first or 0
        for each in self.clusters[:self.clusters.index(cluster)]:
            if column in each.chunks and column in self._columns_of(each):
                total += self._elements(each.chunks[column])
        return total

    def _locations(self, cluster):
        made = []
        for column in self._columns_of(cluster):
            chunk = cluster.chunks[column]
            pages = []
            for page in chunk.pages:
                values = page.values if page.values is not None else page.same.values
                count = len(values) if page.count is None else page.count
                size = page.bytes_stored if page.size is None else page.size
                offset = page.place if page.offset is None else page.offset
                pages.append(i32(-count if page.summed else count)
                             + (page.locator or locator(size, offset)))
            inner = listed(pages)
            inner.count = chunk.count
            offset = self._offset(column, cluster) if chunk.offset is None else chunk.offset
            settings = self.settings if chunk.settings is None else chunk.settings
            inner.tail = chunk.tail if chunk.tail is not None else u64(offset) + u32(settings)
            made.append(inner)
        return listed(made)

    def _anchor(self, file):
        says = {"epoch": self.version[0], "major": self.version[1], "minor": self.version[2],
                "patch": self.version[3]}
        for name in ("header", "footer"):
            says |= dict(zip((f"{name} seek", f"{name} size", f"{name} length"), self.at[name]))
        says |= {"key size": 1 << 30} if self.class_version >= 6 else {}
        says |= {name: value(self) if callable(value) else value
                 for name, value in self.anchor.items()}
        members = b"".join(value.to_bytes(2 if key in ("epoch", "major", "minor", "patch") else 8,
                                          "big") for key, value in says.items()
                           if isinstance(value, int))
        summed = members
        if self.anchor_patch:
            members = summed = self.anchor_patch(members)
        made = u16(self.class_version)[::-1] + members + xxh3(summed).to_bytes(8, "big")
        counted = len(made) if self.class_version < 5 else len(made) - 8
        made = (0x40000000 | counted).to_bytes(4, "big") + made
        if self.anchor_after:
            made = self.anchor_after(made)
        stored = self.anchor_stored(made) if self.anchor_stored else made
        key = Key(self.kind, self.key_name or self.name)
        key.length = len(made)
        key.changes = self.key
        key.listed = self.listed
        at = file._put(key, stored)
        if stored == made:
            file.sums.append((at + 6, at + len(stored), at))
        file.labels[f"key of {self.name}"] = key.bytes()
        file.labels[f"anchor of {self.name}"] = stored
        return key


def copied(ntuple):
    return copy.deepcopy(ntuple)
