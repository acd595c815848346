"""Readers of HDF5 files with mistakes: broken_readers.py NAME. A mistake concerns one file, whose clause it fails; every member
of a reply has at least two. The program N makes the mistake of that number for each file; others end in some way."""

import itertools
import sys
from dataclasses import dataclass

from right_reader import Reader

from file_readers import Endings  # noqa: E402

BIT32 = 1 << 32
CHUNKED = "valid/10.1/swmr-earray-element-order--chunk-0-3-is-element-5.h5"
CLASSES = "valid/FF-IV.A.2.d/swmr-datatype-class--one-of-each.h5"
ATTRIBUTES = "valid/FF-III.A.2/swmr-dense-record-order--ten-attributes.h5"
TEXT = "valid/FF-III.B/swmr-symbol-node-signature--library-earliest.h5"
NULL = "valid/FF-IV.A.2.b/swmr-dataspace-type--null.h5"
NULL_ATTRIBUTE = "valid/IV.A.2.b/h5-dataspace-null-allowed--null.h5"
SCALAR = "valid/FF-IV.A.2.b/swmr-dataset-has-dataspace--scalar.h5"
OFFSET = "valid/IV.A.2.d/h5-datatype-bits-inside--offset-4.h5"
LARGE = "valid/IV.B/h5-dataset-size--2-60.h5"
PADDING = "valid/IV.A.2.d/h5-datatype-string-padding--each.h5"
CHARSET = "valid/IV.A.2.d/h5-datatype-string-charset--utf8.h5"
TAG = "valid/IV.A.2.d/h5-datatype-opaque-tag-terminated--abc.h5"
REFERENCES = "valid/IV.A.2.d/h5-datatype-reference-size--each-kind.h5"
SEQUENCES = "valid/IV.B/h5-vlen-object-exists--sequences.h5"
TYPE = "valid/FF-IV.A.2.d/swmr-dataset-has-datatype--of-committed-datatype.h5"
LINKS = "valid/FF-II.A/swmr-superblock-version--version-0.h5"
TWO_LINKS = "valid/9.2/swmr-btree2-record-type--both.h5"
# Files of one dataset of integers of four bytes, in turn, so that few programs make all mistakes.
INTEGERS = itertools.cycle([
    "valid/11.2/swmr-farray-header-signature--twelve-elements.h5", "valid/6/swmr-chunk-decodes--deflated-twice.h5",
    "valid/6/swmr-chunk-size-positive--gzip-column.h5", "valid/6/swmr-chunk-size-unfiltered--of-16-bytes.h5",
    "valid/6/swmr-index-btree1-only-old-layout--as-of-old.h5"])
# These are broken, and a reader may refuse them.
MISSING = "invalid/IV.B/h5-vlen-object-exists--index-11.h5"
CHECKSUM = "invalid/9.2/swmr-btree2-record-order--equal.h5"


@dataclass
class Mistake:
    file: str
    change: object  # of the objects by their paths, or of the whole reply
    fails: bool = True


MISTAKES = {}


def mistake(name, file, fails=True):
    def add(change):
        assert name not in MISTAKES
        MISTAKES[name] = Mistake(file, change, fails)
        return change
    return add


def at(path, key, value, name, file, fails=True):
    """Another value of a member; `path` may name an attribute: "/d@a". `value` may be a function of the present one."""
    @mistake(name, file, fails)
    def change(objects):
        entry = find(objects, path)
        *inner, last = key.split(".")
        for each in inner:
            entry = entry[int(each) if each.isdigit() else each]
        last = int(last) if last.isdigit() else last
        entry[last] = value(entry[last]) if callable(value) else value


def find(objects, path):
    path, _, attribute = path.partition("@")
    entry = next(each for each in objects if "/" + "/".join(each["path"]) == path)
    return next(each for each in entry["attributes"] if each["name"] == attribute) if attribute else entry


def larger(value):
    """Equal in 32 bits."""
    return str(int(value) + BIT32)


# Objects --------------------------------------------------------------------------------------------

at("/d", "path", ["e"], "another path", CHUNKED)
at("/d", "path", ["d", "d"], "a path below a dataset", CHUNKED)
at("/", "kind", "dataset", "a group as a dataset", CHUNKED)
at("/d", "kind", "type", "a dataset as a datatype", CHUNKED)


@mistake("no dataset", CHUNKED)
@mistake("no dataset of two", TWO_LINKS)
def lose(objects):
    del objects[-1]


@mistake("no objects", CHUNKED)
def lose_all(objects):
    objects.clear()


@mistake("an object twice", CHUNKED)
def twice(objects):
    objects.append(objects[-1])


@mistake("an invented object", CHUNKED)
def invent(objects):
    objects.append({**objects[-1], "path": ["invented"]})


at("/", "links", lambda names: names[1:], "a link is missing", LINKS)
at("/", "links", lambda names: names + ["z"], "an invented link", LINKS)
at("/", "links", lambda names: names[1:] + names[1:2], "a link twice", LINKS)
at("/", "links", lambda names: names[::-1], "links in another order", LINKS, fails=False)

# Datatypes ------------------------------------------------------------------------------------------

at("/d", "type.class", "bitfield", "a bit field", next(INTEGERS))
at("/d", "type.class", "float", "a float", next(INTEGERS))
at("/d", "type.size", 8, "a size of 8", next(INTEGERS))
at("/d", "type.size", 4 + BIT32, "a size beyond 32 bits", next(INTEGERS))
at("/d", "type.order", "big", "the other order", next(INTEGERS))
at("/d", "type.signed", False, "no sign", next(INTEGERS))
at("/d", "type.precision", 31, "a precision", next(INTEGERS))
at("/d", "type.offset", 1, "an offset", next(INTEGERS))
at("/a", "type.precision", lambda bits: bits - 1, "a smaller precision", OFFSET)
at("/a", "type.offset", 0, "no offset", OFFSET)
at("/d", "type", {"class": "integer"}, "a class alone", next(INTEGERS), fails=False)
at("/d", "type.tag", "abd", "another tag", TAG)
at("/d", "type.tag", "", "no tag", TAG)
at("/p0", "type.padding", "space-pad", "another padding", PADDING)
at("/p2", "type.padding", "null-pad", "no padding of spaces", PADDING)
at("/k1", "type.form", "object", "another form", REFERENCES)
at("/k0", "type.form", "region", "another form of object references", REFERENCES)
at("/d", "type.base.signed", False, "a base without a sign", SEQUENCES)
at("/d", "type.base", {"class": "float"}, "another base", SEQUENCES)
at("/t", "type.size", 8, "a committed datatype of another size", TYPE)
at("/t", "type.signed", False, "a committed datatype without a sign", TYPE)


def of_class(name, *keys):
    """The object whose datatype has this class."""
    def change(value):
        def do(objects):
            entry = next(each for each in objects if each.get("type", {}).get("class") == name)
            for key in keys[:-1]:
                entry = entry[key]
            entry[keys[-1]] = value(entry[keys[-1]])
        return do
    return change


mistake("another member of a compound", CLASSES)(of_class("compound", "type", "fields", 0, 0)(lambda name: name + "x"))
mistake("another type of a member", CLASSES)(of_class("compound", "type", "fields", 0, 1)(lambda _: {"class": "string"}))
mistake("a member less", CLASSES)(of_class("compound", "type", "fields")(lambda fields: fields[:-1]))
mistake("members of a compound exchanged", CLASSES)(of_class("compound", "type", "fields")(lambda fields: fields[::-1]))
mistake("another code", CLASSES)(of_class("enum", "type", "members", 0, 1)(larger))
mistake("another name of a code", CLASSES)(of_class("enum", "type", "members", 0, 0)(lambda name: name + "x"))
mistake("a code less", CLASSES)(of_class("enum", "type", "members")(lambda members: members[:-1]))
mistake("other dimensions of an array", CLASSES)(of_class("array", "type", "dims")(lambda dims: [*dims, 1]))
mistake("a larger array", CLASSES)(of_class("array", "type", "dims", 0)(lambda size: size + BIT32))
mistake("another base of an array", CLASSES)(of_class("array", "type", "base", "class")(lambda _: "opaque"))

at("/d", "type.tag", "x", "an integer with a tag", next(INTEGERS))
at("/d", "type.base", {"class": "integer"}, "an integer with a base", next(INTEGERS))
at("/d", "type.fields", [], "an integer with fields", next(INTEGERS))
at("/d", "type.members", [], "an integer with codes", next(INTEGERS))
at("/p0", "type.order", "little", "a text with an order", PADDING)
at("/d", "links", [], "a dataset with links", CHUNKED)
at("/", "values", [], "a group with values", CHUNKED)
at("/", "type", {"class": "integer"}, "a group with a type", CHUNKED)
at("/t", "shape", [], "a committed datatype with a shape", TYPE)
at("/t", "values", ["1"], "a committed datatype with values", TYPE)

# Shapes and values ----------------------------------------------------------------------------------

at("/d", "shape.0", larger, "a shape beyond 32 bits", CHUNKED)
at("/d", "shape", lambda shape: shape[::-1], "a transposed shape", CHUNKED)
at("/d", "shape", lambda shape: [str(int(shape[0]) * int(shape[1]))], "one dimension", CHUNKED)
at("/d", "shape.0", lambda size: str(int(size) % BIT32), "a shape in 32 bits", LARGE)
at("/d", "shape.0", lambda size: str(int(size) - 4), "a shape as a float", LARGE)
at("/d", "shape", [], "a scalar for null", NULL)
at("/d", "shape", ["0"], "no elements for null", NULL)
at("/d", "shape", None, "null for a scalar", SCALAR)
at("/d", "shape", ["1"], "one element for a scalar", SCALAR)
at("/d", "values.0", larger, "the first value beyond 32 bits", CHUNKED)
at("/d", "values.35", larger, "the last value beyond 32 bits", CHUNKED)
at("/d", "values.3", "0", "a zero for a value", CHUNKED)
at("/d", "values.3", None, "null for a value", CHUNKED)
at("/d", "values.3", 4, "a number for a decimal string", CHUNKED)
at("/d", "values", lambda values: values[::-1], "values in another order", CHUNKED)
at("/d", "values", lambda values: values[:-1], "a value less", CHUNKED)
at("/d", "values", lambda values: values + ["0"], "a value more", CHUNKED)
at("/d", "values", [], "no values", CHUNKED)
mistake("values are left out", CHUNKED)(lambda objects: objects[1].pop("values"))
mistake("a value of a compound", CLASSES)(of_class("compound", "values", 1, 0)(larger))
mistake("members of a value exchanged", CLASSES)(of_class("compound", "values", 1)(lambda value: value[::-1]))
mistake("the code of an enumeration", CLASSES)(of_class("enum", "values", 0)(larger))
mistake("an opaque value", CLASSES)(of_class("opaque", "values", 0, "bytes")(lambda text: "AAAA" if text != "AAAA" else "AAAB"))
mistake("the bits of a float", CLASSES)(of_class("float", "values", 0, "bits")(lambda bits: ("8" if bits[0] != "8" else "0") + bits[1:]))
mistake("a float in the other order", CLASSES)(
    of_class("float", "values", 0, "bits")(lambda bits: bytes.fromhex(bits)[::-1].hex()))
mistake("a float with bytes", CLASSES)(of_class("float", "values", 0)(lambda value: {**value, "bytes": "AAAA"}))
mistake("an opaque value with bits", CLASSES)(of_class("opaque", "values", 0)(lambda value: {**value, "bits": "00"}))
mistake("a float with a value for display", CLASSES, fails=False)(of_class("float", "values", 0)(lambda value: {**value, "value": "x"}))
mistake("a longer text", CLASSES)(of_class("string", "values", 0)(lambda value: value + " "))
mistake("an inner value of an array", CLASSES)(of_class("array", "values", 0, 0)(larger))
at("/d", "values.0", lambda value: value[:-1], "a shorter sequence", SEQUENCES)
at("/d", "values.0.1", larger, "an inner value of a sequence", SEQUENCES)
at("/k0", "values.0.bytes", "AQAAAAEAAAA=", "an address beyond 32 bits", REFERENCES)
at("/k0", "values.0.bytes", "AQAAAAAAAAA=", "another address", REFERENCES)

# Attributes -----------------------------------------------------------------------------------------

at("/", "attributes", lambda all: all[1:], "no first attribute", ATTRIBUTES)
at("/", "attributes", lambda all: all[:-1], "no last attribute", ATTRIBUTES)
at("/", "attributes", lambda all: all + [{**all[0], "name": "z"}], "an invented attribute", ATTRIBUTES)
at("/", "attributes", lambda all: all + all[:1], "an attribute twice", ATTRIBUTES)
at("/", "attributes", lambda all: all[::-1], "attributes in another order", ATTRIBUTES, fails=False)
at("/@a1", "name", "b1", "another name of an attribute", ATTRIBUTES)
at("/@a1", "name", "a2", "the name of another attribute", ATTRIBUTES)
at("/@a1", "values.0", larger, "an attribute beyond 32 bits", ATTRIBUTES)
at("/@a1", "values", [], "an attribute without values", ATTRIBUTES)
at("/@a1", "values", lambda values: values * 2, "an attribute of two values", ATTRIBUTES)
at("/@a1", "shape", ["1"], "an attribute of another shape", ATTRIBUTES)
at("/@a1", "shape", None, "a null attribute", ATTRIBUTES)
at("/d@a", "shape", [], "a scalar attribute for null", NULL_ATTRIBUTE)
at("/@a1", "type.class", "string", "an attribute of another class", ATTRIBUTES)
at("/@a1", "type.size", 8, "an attribute of another size", ATTRIBUTES)
at("/@text", "values.0", "some", "a shorter text of an attribute", TEXT)
at("/@text", "type.charset", "utf-8", "another character set", TEXT)
mistake("values of an attribute are left out", ATTRIBUTES)(lambda objects: find(objects, "/@a1").pop("values"))
mistake("attributes are left out", ATTRIBUTES)(lambda objects: objects[0].pop("attributes"))


@mistake("inherited attributes", TEXT)
def inherit(objects):
    """The attributes of the root group show in the others."""
    for each in objects[1:]:
        each["attributes"] = each["attributes"] + objects[0]["attributes"]


@mistake("attributes of the object before", TEXT)
def confuse(objects):
    lists = [each["attributes"] for each in objects]
    for each, attributes in zip(objects, lists[-1:] + lists):
        each["attributes"] = attributes


# Refusals -------------------------------------------------------------------------------------------

at("/d", "refused", "no reason", "a dataset of a sound file is refused", CHUNKED)
at("/", "refused", "no reason", "a group of a sound file is refused", CHUNKED)
at("/@a1", "refused", "no reason", "an attribute of a sound file is refused", ATTRIBUTES)
at("/d", "values.0", [], "nothing for a sequence of a broken file", MISSING)
at("/d", "values.1", ["1", "2", "3"], "an invented sequence of a broken file", MISSING)
at("/d", "values.1", None, "null for what a broken file has lost", MISSING, fails=False)
at("/d", "values.0", "9", "another value of a broken file", CHECKSUM)
at("/d", "values", lambda values: values[:-1], "fewer values of a broken file", CHECKSUM)
at("/d", "refused", "a checksum", "a part of a broken file is refused", CHECKSUM, fails=False)
mistake("the values of a broken file", CHECKSUM, fails=False)(lambda objects: None)


@mistake("a dataset of a broken file is unknown", CHECKSUM, fails=False)
def unknown(objects):
    objects[1:] = [{"path": ["d"], "kind": "unknown", "refused": "a checksum"}]


# Answers that are none ------------------------------------------------------------------------------

def malformed(path, key, value, name):
    at(path, key, value, "malformed: " + name, next(INTEGERS))


malformed("/d", "path", "d", "a path that is no list")
malformed("/d", "path", [4], "a name that is a number")
malformed("/d", "kind", "table", "an unknown kind")
malformed("/d", "kind", "group", "a group without links")
malformed("/d", "kind", "unknown", "unknown without a refusal")
malformed("/", "links", "d", "links that are no list")
malformed("/d", "type", "integer", "a type that is no object")
malformed("/d", "type.class", 4, "a class that is no text")
malformed("/d", "shape", "36", "a shape that is no list")
malformed("/d", "shape", [4, 9], "a shape of numbers")
malformed("/d", "shape", ["-4", "9"], "a negative shape")
malformed("/d", "values", "1", "values that are no list")
malformed("/d", "attributes", {}, "attributes that are no list")
malformed("/d", "attributes", [{"values": []}], "an attribute without a name")
malformed("/d", "refused", True, "a refusal without a reason")


def rounds():
    """The mistakes of each program, {file: name}."""
    made = []
    for name, each in MISTAKES.items():
        mine = next((one for one in made if each.file not in one), None)
        if mine is None:
            made.append(mine := {})
        mine[each.file] = name
    return made


class Broken(Endings, Reader):
    def __init__(self, name):
        super().__init__()
        self.mistakes = rounds()[int(name)] if name.isdigit() else {}
        self.name = name

    def read(self, request):
        file = "/".join(request["file"].split("/")[-3:])
        if file in self.mistakes:
            objects = self.objects(file)
            MISTAKES[self.mistakes[file]].change(objects)
            return {"objects": objects}
        return getattr(self, self.name)(request, file)

    def writes(self, request, file):
        with open(request["file"], "ab") as changed:
            changed.write(b"x")
        return {"objects": self.objects(file)}

    def babbles(self, request, file):
        print("a warning")
        return {"objects": self.objects(file)}

    def refuses(self, request, file):
        raise ValueError("no")

    def lists_nothing(self, request, file):
        return {}


if __name__ == "__main__":
    Broken(sys.argv[1]).serve()
