"""Attributes."""

from generators.tiledb import *


def attr(*arguments, number=22, **options):
    """A schema whose only attribute is this."""
    return lambda: dense(number, attrs=[Attribute(*arguments, **options)])


long_name = attr("a" * 40)
valid("attr-name-length", "twelve", "A name of twelve bytes.", nothing, base=attr("twelve bytes"),
      keeps=["attr-complete", "attr-datatype-known", "attr-cell-val-num", "attr-fill-fits", "attr-fill-nonempty",
             "attr-fill-size", "attr-nullable-flag", "attr-fill-validity", "attr-fill-validity-unused"])
invalid("attr-name-length", "largest", "The length is 4294967295.", put({"attr 0.name size": 0xFFFFFFFF}))
two = lambda: dense(7, attrs=[Attribute("a" * 60, nullable=1), Attribute("b")])
invalid("attr-name-length", "no-validity-byte", "Attributes of version 7 without the validity of the fill value.",
        drop("attr 0.validity", "attr 1.validity"), base=two)
for slug, field, inside in (("after-name", "attr 0.datatype", 0), ("fill-size", "attr 0.fill size", 5),
                            ("order", "attr 0.order", 0)):
    invalid("attr-complete", slug, "The schema ends inside an attribute.", cut(field, inside), base=long_name)
invalid("attr-complete", "validity", "The schema of version 7 ends before the validity.", cut("attr 0.validity"),
        base=attr("a" * 40, number=7))
for slug, datatype in (("geom-wkt", GEOM_WKT), ("utf32", UTF32), ("time", TIME_NS)):
    valid("attr-datatype-known", slug, "A datatype that only attributes have, or all.", nothing,
          base=attr("a", datatype))
for number in (44, 128, 255):
    invalid("attr-datatype-known", f"{number}", f"The datatype is {number}.", put({"attr 0.datatype": number}))
invalid("attr-cell-val-num", "zero", "0 values per cell.", put({"attr 0.cell val num": 0}))
for slug, datatype, count in (("float32-2", FLOAT32, 2), ("char-16", CHAR, 16), ("utf8-3", UTF8, 3)):
    valid("attr-fixed-cells", slug, f"{count} values per cell.", nothing, base=attr("a", datatype, count),
          keeps=["attr-fill-size", "attr-cell-val-num"])
valid("attr-any-is-var", "variable", "ANY of variable size.", nothing, base=attr("a", ANY, VAR))
for count in (1, 8):
    invalid("attr-any-is-var", f"{count}", f"ANY with {count} values per cell.", nothing,
            base=attr("a", ANY, count))
invalid("attr-fill-fits", "largest", "The fill value has 2^64 - 1 bytes.", put({"attr 0.fill size": 2**64 - 1}))
invalid("attr-fill-fits", "one-more", "The fill value has one byte more than what is left.",
        all_of(cut("attr 0.nullable"), put({"attr 0.fill size": 5})), base=long_name)
invalid("attr-fill-nonempty", "variable", "A variable-sized attribute without fill value.", nothing,
        base=attr("a", ASCII, VAR, fill=b""))
invalid("attr-fill-nonempty", "int32", "INT32 without fill value.", nothing, base=attr("a", fill=b""))
for slug, datatype, count, size in (("int32-8", INT32, 1, 8), ("int64-4", INT64, 1, 4), ("float32-4", FLOAT32, 2, 4),
                                    ("float64-1", FLOAT64, 1, 1)):
    invalid("attr-fill-size", slug, f"A fill value of {size} bytes.", nothing,
            base=attr("a", datatype, count, fill=bytes(size)), ambiguity="fill-value-size")
for slug, datatype, fill in (("ascii-1", ASCII, b"\0"), ("int32-4", INT32, bytes(4)), ("utf8-5", UTF8, b"empty"),
                             ("uint16-3", UINT16, bytes(3))):
    valid("attr-fill-var-size", slug, f"A fill value of {len(fill)} bytes.", nothing,
          base=attr("a", datatype, VAR, fill=fill))
for slug, datatype, fill in (("nan", FLOAT64, bytes.fromhex("0102030405faf87f")), ("zero", INT32, bytes(4)),
                             ("char", CHAR, b"a"), ("bool-7", BOOL, b"\7")):
    valid("attr-fill-any-value", slug, "A fill value of any bytes.", nothing, base=attr("a", datatype, fill=fill))
valid("attr-nullable-flag", "one", "A nullable attribute with validity 1.", nothing,
      base=attr("a", nullable=1, validity=1), keeps=["attr-fill-validity"])
for number in (2, 255):
    invalid("attr-nullable-flag", f"{number}", f"The flag is {number}.", put({"attr 0.nullable": number}))
    invalid("attr-fill-validity", f"{number}", f"The validity is {number}.", put({"attr 0.validity": number}),
            ambiguity="fill-validity-value")
invalid("attr-fill-validity-unused", "one", "An attribute that cannot be null has the validity 1.",
        put({"attr 0.validity": 1}))
for number in (3, 255):
    invalid("attr-order", f"{number}", f"The order is {number}.", put({"attr 0.order": number}))
index = dict(dims=[Dimension("index")])


def ordered(*arguments, **options):
    return lambda: dense(attrs=[Attribute(*arguments, **options)], **index)


for slug, datatype in (("decreasing", FLOAT64), ("date", DATETIME_SEC)):
    valid("attr-ordered-datatype", slug, "An ordered attribute.", nothing, base=ordered("a", datatype, order=2),
          keeps=["attr-order", "attr-ordered-cell-val-num", "attr-ordered-not-nullable"])
valid("attr-ordered-cell-val-num", "ascii", "Ordered strings.", nothing, base=ordered("a", ASCII, VAR, order=1))
for slug, datatype, count in (("int32-2", INT32, 2), ("ascii-4", ASCII, 4), ("uint8-variable", UINT8, VAR)):
    invalid("attr-ordered-cell-val-num", slug, "An ordered attribute of another size.", nothing,
            base=ordered("a", datatype, count, order=1))
for slug, datatype in (("blob", BLOB), ("bool", BOOL)):
    invalid("attr-ordered-datatype", slug, "An increasing attribute of a datatype without order.", nothing,
            base=ordered("a", datatype, order=1))
invalid("attr-ordered-not-nullable", "nullable", "An increasing attribute that can be null.", nothing,
        base=ordered("a", order=1, nullable=1))


def enumerated(datatype=INT8, count=1, name="colours", entries=(("colours", enumeration_file(0)),)):
    return lambda: dense(attrs=[Attribute("a", datatype, count, enumeration=name)], enums=entries)


valid("attr-enum-integer", "bool", "An enumeration on BOOL.", nothing, base=enumerated(BOOL))
valid("attr-enum-name-length", "none", "No enumeration.", nothing)
invalid("attr-enum-name-length", "largest", "The length is 4294967295.", put({"attr 0.enum size": 0xFFFFFFFF}))
invalid("attr-enum-name-length", "cut", "The schema ends after the order.", cut("attr 0.enum size"), base=long_name)
for slug, name, entries in (("other", "colors", [("colours", enumeration_file(0))]),
                            ("case", "Colours", [("colours", enumeration_file(0))]), ("empty-map", "colours", [])):
    invalid("attr-enum-known", slug, "The map has no such enumeration.", nothing,
            base=enumerated(name=name, entries=entries), ambiguity="attribute-enumeration-name")
for slug, datatype in (("float32", FLOAT32), ("date", DATETIME_DAY), ("char", CHAR)):
    invalid("attr-enum-integer", slug, "An enumeration on a datatype that is no integer.", nothing,
            base=enumerated(datatype))
for count in (2, VAR):
    invalid("attr-enum-single", f"{count}", f"{count} values per cell.", nothing, base=enumerated(count=count))
valid("attr-empty-name", "empty", "An attribute without name.", nothing, base=attr(""))
valid("attr-reserved-name", "one-underscore", "An attribute with the name _index.", nothing, base=attr("_index"))
valid("attr-reserved-name", "version-4", "An attribute with the name __attr in version 4.", nothing,
      base=attr("__attr", number=4), ambiguity="empty-and-reserved-names")
for slug, name, number in (("coords", "__coords", 22), ("timestamps", "__timestamps", 22), ("attr-in-10", "__attr", 10)):
    invalid("attr-reserved-name", slug, "A name that starts with two underscores.", nothing,
            base=attr(name, number=number), ambiguity="empty-and-reserved-names")

for slug, datatype in (("year", 18), ("attosecond", 30)):
    invalid("datatype-since", f"{slug}-in-version-2", f"Datatype {datatype} in an attribute of version 2; it came with 3.",
            nothing, base=lambda datatype=datatype: dense(2, attrs=[Attribute("a", datatype)]))
valid("datatype-since", "year-in-version-3", "Datatype 18 in an attribute of version 3.", nothing,
      base=lambda: dense(3, attrs=[Attribute("a", 18)]))
