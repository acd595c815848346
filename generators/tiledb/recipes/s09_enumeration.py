"""Enumeration files."""

from generators.tiledb import *


def made(*arguments, **options):
    return lambda: Enumeration(*arguments, **options)


def fixed(datatype, count=1, data=b"", **options):
    return made("n", (), datatype, count, data=data, **options)


def strings(data, offsets, datatype=UTF8):
    return made("n", (), datatype, VAR, data=data, offsets=offsets)


one_byte = lambda: Enumeration("c")
valid("enum-complete", "colours", "Three strings.", nothing, base=colours,
      keeps=["enum-name-length", "enum-path-length", "enum-version-known", "enum-tile-version", "enum-name-nonempty",
             "enum-path-component", "enum-datatype-known", "enum-cell-val-num", "enum-data-fits",
             "enum-offsets-fits", "enum-end", "enum-offsets-size", "enum-offsets-first-zero",
             "enum-offsets-ascending", "enum-offsets-within-data", "enum-values-unique",
             "enum-data-needs-offsets", "enum-text"])
for slug, field, inside in (("after-path", "datatype", 0), ("data-size", "data size", 3), ("offsets", "offsets size", 0)):
    invalid("enum-complete", slug, "The enumeration ends before its last field.", cut(field, inside), base=colours)
invalid("enum-name-and-path-fields", "without", "An enumeration without the two names, as the text has it.",
        drop("name size", "name", "path size", "path"), base=colours, alias="enum-name-length",
        ambiguity="enumeration-file-names")
invalid("enum-name-length", "largest", "The length is 4294967295.", put({"name size": 0xFFFFFFFF}), base=colours)
invalid("enum-name-length", "four-bytes", "The enumeration has 4 bytes.", cut("name size"), base=colours)
invalid("enum-path-length", "largest", "The length is 4294967295.", put({"path size": 0xFFFFFFFF}), base=colours)
invalid("enum-path-length", "cut", "The enumeration ends after the name.", cut("path size"), base=colours)


def in_array(file):
    return lambda a: a.enumeration(file)


for number in (1, 22):
    def versioned(a, number=number):
        file = colours()
        file.version = number
        a.enumeration(file)
    invalid("enum-version-known", f"{number}", f"The version is {number}.", versioned, base=array)
for number in (19, 5):
    invalid("enum-tile-version", f"{number}", f"The tile has version {number}.", tile(version=number), base=colours)
valid("enum-tile-version", "20", "The tile has version 20.", tile(version=20), base=colours)
invalid("enum-name-nonempty", "empty", "The enumeration has no name.", nothing, base=made(""))
for slug, path in (("slash", "a/b"), ("empty", ""), ("up", "../x")):
    invalid("enum-path-component", slug, "The path name is none of a file.", nothing, base=made(path=path))
for number in (44, 255):
    invalid("enum-datatype-known", f"{number}", f"The datatype is {number}.", put({"datatype": number}), base=colours)
invalid("enum-cell-val-num", "zero", "0 values per cell.", put({"cell val num": 0}), base=numbers)
valid("enum-ordered-flag", "one", "An ordered enumeration.", nothing, base=made(ordered=1))
for number in (2, 255):
    invalid("enum-ordered-flag", f"{number}", f"The flag is {number}.", put({"ordered": number}), base=colours)
invalid("enum-data-fits", "largest", "The data have 2^64 - 1 bytes.", put({"data size": 2**64 - 1}), base=colours)
invalid("enum-data-fits", "one-more", "The data have one byte more than what is left.", put({"data size": 17}),
        base=numbers)
invalid("enum-offsets-fits", "largest", "The offsets have 2^64 - 1 bytes.", put({"offsets size": 2**64 - 1}),
        base=colours)
invalid("enum-offsets-fits", "eight-more", "The offsets have eight bytes more than what is left.",
        put({"offsets size": 32}), base=colours)
valid("enum-end", "fixed", "An enumeration of INT32 ends with its data.", nothing, base=numbers,
      keeps=["enum-fixed-data-size"])
invalid("enum-end", "one-byte", "A byte follows.", tail(b"\0"), base=colours, ambiguity="trailing-bytes")
invalid("enum-end", "eight-bytes", "Eight zero bytes follow.", tail(bytes(8)), base=colours)
for slug, content in (("size-0", u64(0)), ("offsets", u64(32) + bytes(32))):
    invalid("enum-fixed-no-offsets", slug, "Offsets follow the data of INT32.", tail(content), base=numbers,
            alias="enum-end")
for slug, base in (("int32-15", fixed(INT32, data=bytes(range(15)))),
                   ("float64-24", fixed(FLOAT64, 2, bytes(range(24))))):
    invalid("enum-fixed-data-size", slug, "The data are no whole values.", nothing, base=base)
valid("enum-fixed-data-size", "pairs", "Two values of two FLOAT64.", nothing, base=fixed(FLOAT64, 2, bytes(range(32))))
for size in (12, 33):
    invalid("enum-offsets-size", f"{size}", f"The offsets have {size} bytes.", nothing,
            base=strings(b"redblue", bytes(size)))
valid("enum-offsets-first-zero", "twos", "Values of two bytes.", nothing, base=strings(b"aabbccdd", [0, 2, 4, 6]))
invalid("enum-offsets-first-zero", "one", "The first offset is 1.", nothing, base=strings(b"aabbcc", [1, 2, 4]))
valid("enum-offsets-ascending", "empty-value", "An empty value between others.", nothing,
      base=strings(b"aabb", [0, 2, 2]))
for slug, offsets in (("three", [0, 5, 3]), ("far", [0, 2**63, 4])):
    invalid("enum-offsets-ascending", slug, f"The offsets are {offsets}.", nothing, base=strings(b"aabbccdd", offsets))
valid("enum-offsets-within-data", "at-the-end", "The last value is empty.", nothing, base=strings(b"aabb", [0, 2, 4]))
invalid("enum-offsets-within-data", "beyond", "The last offset is behind the data.", nothing,
        base=strings(b"aabbccdd", [0, 2, 9]))
invalid("enum-offsets-within-data", "no-data", "An offset 8 and no data.", nothing, base=strings(b"", [8]))
valid("enum-values-unique", "case", "Values that differ in case.", nothing, base=made("c", ("red", "Red")))
for slug, base in (("strings", made("c", ("red", "blue", "red"))), ("int32", fixed(INT32, data=values(INT32, 1, 2, 1))),
                   ("empty", made("c", ("", "a", ""))),
                   ("nan", fixed(FLOAT64, data=bytes.fromhex("000000000000f87f") * 2))):
    invalid("enum-values-unique", slug, "Two values are equal.", nothing, base=base)
invalid("enum-data-needs-offsets", "eight", "Data of 8 bytes and no offsets.", nothing, base=strings(b"aabbccdd", []))
valid("enum-empty", "variable", "No values of variable size.", nothing, base=strings(b"", []))
valid("enum-empty", "fixed", "No values of INT32.", nothing, base=fixed(INT32))
valid("enum-single-empty-string", "one", "One empty value.", nothing, base=strings(b"", [0]))
valid("enum-var-any-length", "int32", "Values of two and three bytes under INT32.", nothing,
      base=strings(b"aabbb", [0, 2], INT32), ambiguity="enumeration-var-width")
valid("enum-text", "utf8", "A value in UTF-8.", nothing, base=made("c", ("Größe",)))
valid("enum-text", "ascii", "A value in ASCII.", nothing, base=made("c", ("size",), ASCII))
for slug, datatype in (("latin-1", UTF8), ("e4-in-ascii", ASCII)):
    invalid("enum-text", slug, "A value with a byte that is no text.", nothing,
            base=made("c", ("Gr\xf6\xdfe".encode("latin-1"),), datatype))
