"""Readers of RNTuples with mistakes: broken_readers.py NAME. A mistake concerns one file, whose clause it fails; every member of
a reply has at least two."""

import sys
from dataclasses import dataclass

from right_reader import Reader

from file_readers import Endings, Refused  # noqa: E402

INTS = "valid/8.1/rntuple-map-int32--plain.root"
LISTS = "valid/8.3.2/rntuple-map-vector-collection--index64.root"
SEVERAL = "valid/2/rntuple-several-rntuples--two.root"
EPOCH = "invalid/1/rntuple-version-epoch--two.root"
CHECKSUM = "invalid/3/rntuple-block-decodes--changed-byte.root"


@dataclass
class Mistake:
    file: str
    change: object  # of the first RNTuple, or of the list
    fails: bool = True


MISTAKES = {}


def mistake(name, change, file=INTS, fails=True):
    assert name not in MISTAKES
    MISTAKES[name] = Mistake(file, change, fails)


def of_field(name, key, value, file=INTS, fails=True):
    """Another member of the first field; `value` may be a function of the present one."""
    def change(ntuples):
        field = ntuples[0]["fields"][0]
        field[key] = value(field[key]) if callable(value) else value
    mistake(name, change, file, fails)


def of_ntuple(name, key, value, file=INTS):
    def change(ntuples):
        ntuples[0][key] = value(ntuples[0][key]) if callable(value) else value
    mistake(name, change, file)


mistake("no RNTuple", lambda ntuples: ntuples.clear())
mistake("one of two", lambda ntuples: ntuples.pop(), SEVERAL)
mistake("an RNTuple twice", lambda ntuples: ntuples.append(ntuples[0]))
mistake("the order of RNTuples", lambda ntuples: ntuples.reverse(), SEVERAL, fails=False)
of_ntuple("another path", "path", ["Event"])
of_ntuple("a longer path", "path", ["data", "Events"])
of_ntuple("an entry more", "entries", "4")
of_ntuple("entries beyond 32 bits", "entries", lambda entries: str(int(entries) + (1 << 32)))
of_ntuple("no fields", "fields", [])
of_ntuple("a field twice", "fields", lambda fields: fields * 2)
of_ntuple("a sound RNTuple is refused", "refused", "no reason")
of_field("another name", "name", "y")
of_field("no name", "name", "")
of_field("another type", "type", "std::int64_t")
of_field("no sign", "type", "std::uint32_t")
of_field("a type left out", "type", None, fails=False)
of_field("an invented subfield", "fields", [{"name": "_0"}])
of_field("no subfield", "fields", [], LISTS)
of_field("subfields left out", "fields", None, LISTS, fails=False)
of_field("another value", "values", lambda values: ["9", *values[1:]])
of_field("a value less", "values", lambda values: values[:-1])
of_field("values in another order", "values", lambda values: values[::-1])
of_field("a list without its items", "values", lambda values: [[] for _ in values], LISTS)
VARIANTS = "valid/8.3.4/rntuple-map-variant-role--two.root"
FLOATS = "valid/8.1/rntuple-map-float--plain.root"


def of_values(name, change, file, fails=True):
    """Each value that is an object is another one."""
    of_field(name, "values", lambda values: [change(value) if isinstance(value, dict) else value for value in values], file, fails)


of_values("a variant with bits", lambda value: {**value, "bits": "00"}, VARIANTS)
of_values("another alternative", lambda value: {**value, "tag": str(int(value["tag"]) + 1)}, VARIANTS)
of_values("members in another order", lambda value: dict(reversed(value.items())), VARIANTS, fails=False)
of_values("a float with bytes", lambda value: {**value, "bytes": "AAAA"}, FLOATS)
of_values("a float with a value for display", lambda value: {**value, "value": 1.5}, FLOATS, fails=False)
of_field("a sound field is refused", "refused", "no reason")
of_field("a sound list is refused", "refused", "no reason", LISTS)
of_field("another value of a broken file", "values", lambda values: ["9", *values[1:]], CHECKSUM)
of_field("a field of a broken file is refused", "refused", "a checksum", CHECKSUM, fails=False)
mistake("the values of a broken file", lambda ntuples: None, CHECKSUM, fails=False)
of_ntuple("malformed: a path that is no list", "path", "Events")
of_ntuple("malformed: a name that is a number", "path", [4])
of_ntuple("malformed: entries that are a number", "entries", 3)
of_ntuple("malformed: negative entries", "entries", "-3")
of_ntuple("malformed: fields that are no list", "fields", {})
of_ntuple("malformed: a refusal without a reason", "refused", True)
of_field("malformed: a field without a name", "name", None)
of_field("malformed: a name that is no text", "name", 4)
of_field("malformed: a type that is no text", "type", 4)
of_field("malformed: subfields that are no list", "fields", "x")
of_field("malformed: values that are no list", "values", "1")
of_field("malformed: no values", "values", None)


class Broken(Endings, Reader):
    def __init__(self, name):
        super().__init__()
        self.mistake, self.way = MISTAKES.get(name), name

    def read(self, request):
        file = "/".join(request["file"].split("/")[-3:])
        if self.mistake:
            ntuples = self.ntuples(file)
            if file == self.mistake.file:
                self.mistake.change(ntuples)
            return {"ntuples": ntuples}
        return getattr(self, self.way)(request, file)

    def reads_everything(self, request, file):
        return {"ntuples": self.ntuples(file)}

    def refuses_everything(self, request, file):
        raise Refused("no")

    def refuses_broken(self, request, file):
        if file.startswith("invalid/"):
            raise Refused("no")
        return {"ntuples": self.ntuples(file)}

    def lists_nothing(self, request, file):
        return {}


if __name__ == "__main__":
    Broken(sys.argv[1]).serve()
