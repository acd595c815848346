"""Schemas, enumerations and arrays, as recipes change them."""

import io
import tarfile

from .tile import *
from .tile import Chunk, width_of

DENSE, SPARSE = 0, 1
ROW, COLUMN, HILBERT = 0, 1, 4


def least(datatype):
    """The fill value that an attribute has unless it is given one."""
    width = width_of(datatype)
    if datatype == FLOAT32:
        return bytes.fromhex("0000c07f")
    if datatype == FLOAT64:
        return bytes.fromhex("000000000000f87f")
    if datatype == CHAR:
        return b"\x80"
    if datatype in (UINT8, UINT16, UINT32, UINT64):
        return b"\xff" * width
    if datatype in (INT8, INT16, INT32, INT64) or 18 <= datatype <= 39:
        return bytes(width - 1) + b"\x80"
    return bytes(width)


class Dimension:
    def __init__(self, name="rows", datatype=INT32, domain=(1, 4), extent=4, filters=None,
                 cell_val_num=None):
        self.name, self.datatype = name, datatype
        self.cell_val_num = (VAR if datatype == ASCII else 1) if cell_val_num is None else cell_val_num
        self.domain = values(datatype, *domain) if domain else b""
        self.extent = None if extent is None else values(datatype, extent)
        self.filters = filters or Pipeline()


class Attribute:
    def __init__(self, name="a", datatype=INT32, cell_val_num=1, filters=None, fill=None, nullable=0,
                 validity=0, order=0, enumeration=""):
        self.name, self.datatype, self.cell_val_num = name, datatype, cell_val_num
        self.filters = filters or Pipeline()
        self.fill = fill if fill is not None \
            else least(datatype) * (1 if cell_val_num in (0, VAR) else cell_val_num)
        self.nullable, self.validity, self.order = nullable, validity, order
        self.enumeration = enumeration


class Label:
    def __init__(self, name="x", dimension=0, uri="__labels/l0", attribute="label", order=1,
                 datatype=FLOAT64, cell_val_num=None, relative=1, external=0, domain=b"", start_size=0):
        self.name, self.dimension, self.uri, self.attribute = name, dimension, uri, attribute
        self.order, self.datatype, self.relative, self.external = order, datatype, relative, external
        self.cell_val_num = (VAR if datatype == ASCII else 1) if cell_val_num is None else cell_val_num
        self.domain, self.start_size = domain, start_size


def encoded(text):
    return text.encode() if isinstance(text, str) else text


def sized(name, content, size=u32):
    content = encoded(content)
    yield f"{name} size", size(len(content))
    yield name, content


class File:
    """A file with a generic tile. Recipes change what it describes, or single fields:

    f["attr 0.fill size"] = 8          a number of the same width
    del f["attr 0.order"]              the field is left out
    f.before("capacity", bytes(3))     bytes are put before a field
    f.cut("attr 0.order")              the decoded bytes end before it; f.cut("capacity", 3) inside
    f.tail = b"..."                    bytes behind the last field
    f.tile                             the tile around it
    """

    suffix = ".tdb"

    def __init__(self):
        self.tile, self.tail = Tile(), b""
        self._set, self._removed, self._before, self._cut, self.patches = {}, set(), {}, None, []

    def __setitem__(self, name, value):
        self._set[name] = value

    def __delitem__(self, name):
        self._removed.add(name)

    def before(self, name, content):
        self._before[name] = content

    def cut(self, name, inside=0):
        self._cut = name, inside

    def named_fields(self):
        """(name, bytes) as they are written."""
        made = []
        fields = [*self.fields()]
        known = {name for name, _ in fields}
        assert {*self._set, *self._removed, *self._before} <= known, \
            f"no field {({*self._set, *self._removed, *self._before} - known)}"
        for name, content in fields:
            if name in self._before:
                made.append((f"before {name}", self._before[name]))
            if self._cut and self._cut[0] == name:
                inside = content[:self._cut[1]]
                return made + ([(name, inside)] if inside else [])
            if name in self._set:
                value = self._set[name]
                content = value if isinstance(value, bytes) else value.to_bytes(len(content), "little")
            if name not in self._removed:
                made.append((name, content))
        assert not self._cut, f"no field {self._cut}"
        return made + ([("behind the last field", self.tail)] if self.tail else [])

    def content(self):
        return b"".join(content for _, content in self.named_fields())

    def bytes(self):
        made = bytearray(self.tile.bytes(self.content(), self.tile_version()))
        for patch in self.patches:
            changed = patch(made)
            made = made if changed is None else changed
        return bytes(made)


class Schema(File):
    def __init__(self, version=22, array_type=DENSE, dims=None, attrs=None, cell_order=ROW,
                 tile_order=ROW, capacity=10000, dups=0, coords=None, offsets=None, validity=None,
                 labels=(), enums=(), ranges=None, layout=None):
        super().__init__()
        self.version, self.array_type = version, array_type
        self.layout = layout           # the version whose fields are written, if it is another
        self.dups, self.tile_order, self.cell_order, self.capacity = dups, tile_order, cell_order, capacity
        self.coords = coords or Pipeline(compressor(ZSTD))
        self.offsets = offsets or Pipeline(compressor(ZSTD))
        self.validity = validity or Pipeline(compressor(RLE))
        self.dims = [Dimension()] if dims is None else dims
        self.attrs = [Attribute()] if attrs is None else attrs
        self.labels, self.labels_of_table = list(labels), False
        self.enums = list(enums)       # (name, file name)
        self.ranges = ranges           # of the current domain: bytes, or (minimum, maximum) of strings
        self.range_version = 0

    def tile_version(self):
        return self.version

    def fields(self):
        of = self.layout or self.version
        yield "version", u32(self.version)
        if of >= 5:
            yield "dups", u8(self.dups)
        yield "array type", u8(self.array_type)
        yield "tile order", u8(self.tile_order)
        yield "cell order", u8(self.cell_order)
        yield "capacity", u64(self.capacity)
        yield from self.coords.fields("coords")
        yield from self.offsets.fields("offsets")
        if of >= 7:
            yield from self.validity.fields("validity")
        if of < 5:
            yield "domain.datatype", u8(self.dims[0].datatype if self.dims else INT32)
        yield "domain.count", u32(len(self.dims))
        for i, each in enumerate(self.dims):
            yield from self._dimension(f"dim {i}", each, of)
        yield "attrs.count", u32(len(self.attrs))
        for i, each in enumerate(self.attrs):
            yield from self._attribute(f"attr {i}", each, of)
        if of >= 18:
            yield "labels.count", u32(len(self.labels))
            for i, each in enumerate(self.labels):
                yield from (self._label_of_table if self.labels_of_table else self._label)(f"label {i}", each)
        if of >= 20:
            yield "enums.count", u32(len(self.enums))
            for i, (name, file) in enumerate(self.enums):
                yield from sized(f"enum {i}.name", name)
                yield from sized(f"enum {i}.file", file)
        if of >= 22:
            yield "cd.version", u32(self.range_version)
            yield "cd.empty", u8(self.ranges is None)
            if self.ranges is not None:
                yield "cd.type", u8(0)
                for i, each in enumerate(self.ranges):
                    if isinstance(each, bytes):
                        yield f"cd.range {i}", each
                    else:
                        yield f"cd.range {i}.size", u64(len(each[0] + each[1]))
                        yield f"cd.range {i}.min size", u64(len(each[0]))
                        yield f"cd.range {i}.bytes", each[0] + each[1]

    def _dimension(self, name, each, of):
        yield from sized(f"{name}.name", each.name)
        if of >= 5:
            yield f"{name}.datatype", u8(each.datatype)
            yield f"{name}.cell val num", u32(each.cell_val_num)
            yield from each.filters.fields(f"{name}.filters")
            yield f"{name}.domain size", u64(len(each.domain))
        yield f"{name}.domain", each.domain
        yield f"{name}.null flag", u8(each.extent is None)
        if each.extent is not None:
            yield f"{name}.extent", each.extent

    def _attribute(self, name, each, of):
        yield from sized(f"{name}.name", each.name)
        yield f"{name}.datatype", u8(each.datatype)
        yield f"{name}.cell val num", u32(each.cell_val_num)
        yield from each.filters.fields(f"{name}.filters")
        if of >= 6:
            yield from sized(f"{name}.fill", each.fill, u64)
        if of >= 7:
            yield f"{name}.nullable", u8(each.nullable)
            yield f"{name}.validity", u8(each.validity)
        if of >= 17:
            yield f"{name}.order", u8(each.order)
        if of >= 20:
            yield from sized(f"{name}.enum", each.enumeration)

    def _label(self, name, each):
        yield f"{name}.dimension", u32(each.dimension)
        yield from sized(f"{name}.name", each.name)
        yield f"{name}.relative", u8(each.relative)
        yield from sized(f"{name}.uri", each.uri, u64)
        yield from sized(f"{name}.attribute", each.attribute)
        yield f"{name}.order", u8(each.order)
        yield f"{name}.datatype", u8(each.datatype)
        yield f"{name}.cell val num", u32(each.cell_val_num)
        yield f"{name}.external", u8(each.external)

    def _label_of_table(self, name, each):
        yield f"{name}.dimension", u32(each.dimension)
        yield f"{name}.order", u8(each.order)
        yield from sized(f"{name}.name", each.name, u64)
        yield f"{name}.relative", u8(each.relative)
        yield from sized(f"{name}.uri", each.uri, u64)
        yield from sized(f"{name}.attribute", each.attribute)
        yield f"{name}.datatype", u8(each.datatype)
        yield f"{name}.cell val num", u32(each.cell_val_num)
        yield f"{name}.domain size", u64(len(each.domain))
        yield f"{name}.start size", u64(each.start_size)
        yield f"{name}.domain", each.domain
        yield f"{name}.external", u8(each.external)


UUID = "{:032x}".format


def enumeration_file(number):
    return f"__{UUID(0xabc0 + number)}_0"


class Enumeration(File):
    def __init__(self, name="colours", texts=("red", "green", "blue"), datatype=UTF8, cell_val_num=VAR,
                 ordered=0, data=None, offsets=None, number=0, path=None):
        super().__init__()
        self.version, self.name, self.datatype, self.cell_val_num = 0, name, datatype, cell_val_num
        self.path = enumeration_file(number) if path is None else path
        self.ordered = ordered
        parts = [encoded(text) for text in texts]
        self.data = b"".join(parts) if data is None else data
        if offsets is None:
            offsets = [sum(map(len, parts[:i])) for i in range(len(parts))]
        self.offsets = offsets         # numbers, or bytes

    def tile_version(self):
        return 22

    def fields(self):
        yield "version", u32(self.version)
        yield from sized("name", self.name)
        yield from sized("path", self.path)
        yield "datatype", u8(self.datatype)
        yield "cell val num", u32(self.cell_val_num)
        yield "ordered", u8(self.ordered)
        yield from sized("data", self.data, u64)
        if self.cell_val_num == VAR:
            offsets = self.offsets if isinstance(self.offsets, bytes) \
                else b"".join(map(u64, self.offsets))
            yield from sized("offsets", offsets, u64)


class Link:
    def __init__(self, target):
        self.target = target


class Array:
    """An array directory: {path: a file, bytes, a Link, or None for a directory}. It is written as a tar
    archive, which hepcheck examines like the directory."""

    suffix = ".tdb.tar"

    def __init__(self, **members):
        self.members = dict(members)

    def schema(self, file, t=1, t2=None, number=None, name=None):
        name = name or f"__{t}_{t if t2 is None else t2}_{UUID(0x5c4e0 + t if number is None else number)}"
        self.members[f"__schema/{name}"] = file
        return self

    def old(self, file):
        self.members["__array_schema.tdb"] = file
        return self

    def enumeration(self, file, name=None):
        self.members[f"__schema/__enumerations/{name or file.path}"] = file
        return self

    def bytes(self):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for path, member in sorted(self.members.items()):
                entry = tarfile.TarInfo(f"array/{path}")
                entry.mode = 0o644
                if member is None:
                    entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                    archive.addfile(entry)
                elif isinstance(member, Link):
                    entry.type, entry.linkname = tarfile.SYMTYPE, member.target
                    archive.addfile(entry)
                else:
                    content = member if isinstance(member, bytes) else member.bytes()
                    entry.size = len(content)
                    archive.addfile(entry, io.BytesIO(content))
        # Python fills the archive up to 10 KiB; two empty blocks are enough.
        made = out.getvalue().rstrip(b"\0")
        return made + bytes(-len(made) % 512 + 1024)
