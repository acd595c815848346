"""What a reader finds in the fixtures, in the notation of conformance/protocol-rntuple.md: fixtures/rntuple/contents.json.

    python3 -m generators.rntuple.contents [--check]

The contents are those that the recipes describe, not those that a reader finds. A broken file has two descriptions: the
one that the recipe broke, and its sound original; a reader may return either. A description that the recipe changed in its
bytes only, or that does not say what is read, is null: other values than those of the original are then not judged.

    {"contents": [[RNTUPLE, ...], ...], "files": {FILE: [NUMBER OF CONTENTS or null, ...]}}

An RNTuple is that of the protocol; each field has its "kind", too. "ignored" are fields over columns of unknown type, and
"projected" those over columns of others. Not judged is what is absent: spellings of types, and values elsewhere.
"""

import re
import struct
import sys

from .. import formats
from ..contents import document as joined
from ..contents import main, numbered, text
from .ntuple import COLLECTION, LEAF, PLAIN, RECORD, TYPES, VARIANT
from .root import Directory

FORMAT = formats.find("rntuple")
PATH = FORMAT.fixtures / "contents.json"
INTEGER = re.compile("(Split)?U?Int")
# Other spellings of these are the same type.
SEVERAL_SPELLINGS = re.compile(r"const|volatile|Int_t|unsigned|RVec|ROOT::Vec|< | >")


class Unknown(Exception):
    """The description does not say what is read."""


def described(file):
    return [Described(member, path).notation() for path, member in _members(file.top, [])]


def _members(directory, path):
    for member in directory.members:
        if isinstance(member, Directory):
            yield from _members(member, [*path, member.name])
        else:
            yield [*path, member.key_name or member.name], member


def changed_in_bytes(file):
    return any((file.after, file.changes, file.top.changes, file.top.list_changes)) or any(
        ntuple.edit or ntuple.patch or ntuple.after or ntuple.anchor or ntuple.anchor_patch or ntuple.anchor_after
        or ntuple.anchor_stored or ntuple.lengths for _, ntuple in _members(file.top, []))


class Described:
    def __init__(self, ntuple, path):
        self.ntuple, self.path = ntuple, path
        self.clusters = []
        starts = {}  # of clusters over the same entries, the columns are joined
        for cluster in (each for each in ntuple.clusters if each.entries):
            starts.setdefault(ntuple._first(cluster), []).append(cluster)
        for first, shards in sorted(starts.items()):
            if len({each.entries for each in shards}) != 1 or first != sum(entries for entries, _ in self.clusters):
                raise Unknown
            self.clusters.append((shards[0].entries, {column: chunk for each in shards for column, chunk in each.chunks.items()}))

    def notation(self):
        top = [field for field in self.ntuple.fields if field.parent is None]
        return {"path": self.path, "entries": str(sum(entries for entries, _ in self.clusters)),
                "fields": [self._top(field) for field in top]}

    def _top(self, field):
        made = self._described(field)
        if any(column.number is not None or column.kind == "Real32Trunc" for column in self._columns(field, deep=True)):
            return {**made, "ignored": True}
        if any(alias.field is field for alias in self.ntuple.aliases):
            made["projected"] = True
        try:
            made["values"] = [value for entries, chunks in self.clusters for value in self._values(field, chunks, entries)]
        except _Elsewhere:
            pass
        return made

    def _described(self, field):
        children = [self._described(child) for child in self._children(field)]
        made = {"name": text_of(field.name), "type": field.type, "kind": self._kind(field), "fields": children}
        if SEVERAL_SPELLINGS.search(field.type):
            del made["type"]
        return made

    def _children(self, field):
        return [each for each in self.ntuple.fields if each.parent is field]

    def _columns(self, field, deep=False):
        own = [each for each in self.ntuple.columns if each.field is field] + [
            alias.column for alias in self.ntuple.aliases if alias.field is field]
        if any(isinstance(each, int) for each in own):
            raise Unknown
        return own + [each for child in self._children(field) for each in self._columns(child, True)] if deep else own

    def _kind(self, field):
        outer, children, columns = field.type.partition("<")[0], self._children(field), self._columns(field)
        if field.role == COLLECTION and len(children) == 1 and len(columns) == 1:
            return "optional" if outer in ("std::optional", "std::unique_ptr") else "collection"
        if field.role == VARIANT and len(columns) == 1 and children:
            return "variant"
        if field.role == RECORD and not columns:
            return "record"
        if field.role == LEAF:
            plain = re.sub(r"\b(const|volatile)\b", "", field.type).strip()
            if outer == "std::bitset" and field.size and len(columns) == 1:
                return "bitset"
            if len(children) == 1 and not columns:
                return "array" if outer == "std::array" or field.type.endswith("]") else "wrapper"
            if plain == "std::string" and len(columns) == 2 and not children:
                return "string"
            if outer.endswith("Cardinality") and len(columns) == 1 and not children:
                return "cardinality"
            if len(columns) == 1 and not children:
                return {"bool": "bool", "char": "char", "std::byte": "byte", "float": "float", "double": "float"}.get(plain, "integer")
        raise Unknown

    def _elements(self, column, chunks):
        if column not in chunks:
            raise Unknown
        elements = []
        for page in chunks[column].pages:
            own = page if page.values is not None else page.same
            elements += _page(column, own)
            if page.count is not None and page.count != len(own.values):
                raise Unknown
            if page.locator is not None and page.locator[3] & 0x80:
                raise _Elsewhere
        return elements

    def _values(self, field, chunks, count):
        """The values of so many instances of the field in the cluster."""
        kind, children, columns = self._kind(field), self._children(field), self._columns(field)
        if kind == "record":
            members = [self._values(child, chunks, count) for child in children]
            return [[member[i] for member in members] for i in range(count)]
        if kind == "wrapper":
            return self._values(children[0], chunks, count)
        if kind == "array":
            size = field.size or 0
            return _parts(self._values(children[0], chunks, count * size), [size] * count)
        elements = self._elements(columns[0], chunks)
        wanted = count * (field.size if kind == "bitset" else 1)
        if columns[0].first is not None and len(elements) < wanted:
            elements = [0] * (wanted - len(elements)) + elements
        if len(elements) != wanted:
            raise Unknown
        if kind == "bitset":
            return _parts([bool(each) for each in elements], [field.size] * count)
        if kind == "variant":
            inner = [self._values(child, chunks, sum(tag == number + 1 for _, tag in elements))
                     for number, child in enumerate(children)]
            return [None if tag == 0 else {"tag": str(tag), "value": inner[tag - 1][index]} for index, tag in elements]
        if kind == "optional" and columns[0].kind == "Bit":
            values = self._values(children[0], chunks, count)
            return [[value] if bit else [] for bit, value in zip(elements, values)]
        if kind in ("collection", "optional", "string", "cardinality"):
            if "Index" not in columns[0].kind:
                raise Unknown
            sizes = [end - begin for begin, end in zip([0, *elements], elements)]
            if any(size < 0 for size in sizes) or kind == "optional" and any(size > 1 for size in sizes):
                raise Unknown
            if kind == "cardinality":
                return [*map(str, sizes)]
            if kind != "string":
                return _parts(self._values(children[0], chunks, sum(sizes)), sizes)
            content = b"".join(bytes([each]) for each in self._elements(columns[1], chunks))
            if len(content) != sum(sizes) or columns[1].kind != "Char":
                raise Unknown
            return [text(each) for each in _parts(content, sizes)]
        return [_scalar(kind, field, columns[0].kind, each) for each in elements]


class _Elsewhere(Exception):
    """The values are not in the file."""


def text_of(name):
    return text(name if isinstance(name, bytes) else name.encode())


def _parts(items, sizes):
    made, at = [], 0
    for size in sizes:
        made.append(items[at:at + size])
        at += size
    return made


def _page(column, page):
    if page.values is None:
        raise Unknown
    if page.plain is None:
        return [*page.values]
    # The recipe gives the bytes.
    count, plain = len(page.values), page.plain
    if column.kind == "Bit" and len(plain) == (count + 7) // 8:
        return [plain[i // 8] >> i % 8 & 1 for i in range(count)]
    letter = TYPES[column.kind][2]
    if letter and "Split" not in column.kind and len(plain) == count * struct.calcsize(letter):
        return [*struct.unpack(f"<{count}{letter}", plain)]
    raise Unknown


def _scalar(kind, field, column, value):
    plain = re.sub(r"\b(const|volatile)\b", "", field.type).strip()
    stated = PLAIN.get(plain, PLAIN.get({"unsigned char": "std::uint8_t"}.get(plain)))
    if kind == "bool" and column == "Bit":
        return bool(value)
    if kind == "float" and "Real" in column:
        return {"bits": struct.pack(">d" if plain == "double" else ">f", value).hex()}
        return {"bits": struct.pack(">d" if size == 8 else ">f", value).hex()} if value == value else contents.nan(column, value, size)
    if column.removeprefix("Split") == stated:
        return str(value)
    raise Unknown


def contents_of(recipe):
    """The contents that a reader may find in a fixture, each a list of RNTuples; None is one that is not known."""
    broken = recipe.path.startswith("invalid/")
    found = []
    for file in [recipe.mutated()] + ([recipe.base()] if broken else []):
        try:
            made = described(file)
        except (Unknown, _Elsewhere):
            made = None
        except (TypeError, ValueError, LookupError, ArithmeticError, struct.error):
            assert broken, recipe.path
            made = None
        if broken and not found and changed_in_bytes(file):
            made = None
        if made not in found:
            found.append(made)
    return found


def document(recipes):
    table, files = {}, {}
    for recipe in recipes:
        files[recipe.path] = [None if one is None else numbered(table, one) for one in contents_of(recipe)]
    return joined({"contents": table}, files)


if __name__ == "__main__":
    sys.exit(main("rntuple", PATH, document(FORMAT.recipes("*")), sys.argv[1:]))
