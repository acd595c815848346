"""Dimension labels, and the arrays with their data."""

from generators.tiledb import *


def label(**options):
    return lambda: dense(labels=[Label(**options)])


def of_table(**options):
    def base():
        f = dense(18, labels=[Label(**options)])
        f.labels_of_table = True
        return f
    return base


valid("label-complete", "one", "A label in the layout that every release writes.", nothing, base=labelled,
      keeps=["schema-label-count-fits", "label-name-length", "label-uri-length", "label-attr-name-length",
             "label-table-layout", "label-dim-index", "label-order", "label-order-not-unordered",
             "label-name-nonempty", "label-uri-nonempty", "label-attr-name-nonempty", "label-relative-flag",
             "label-external-flag", "label-internal-relative", "label-datatype", "label-cell-val-num",
             "label-dimension-datatype", "label-relative-uri-form"])
long_uri = label(uri="__labels/" + "x" * 40)
invalid("label-complete", "after-uri", "The schema ends before the external flag.", cut("label 0.external"),
        base=long_uri)
invalid("label-complete", "flag", "The schema ends before the relative flag.", cut("label 0.relative"),
        base=label(name="x" * 60))
invalid("label-name-length", "largest", "The length is 4294967295.", put({"label 0.name size": 0xFFFFFFFF}),
        base=labelled)
invalid("label-name-length", "cut", "The schema ends inside the name.", cut("label 0.name", 30),
        base=label(name="x" * 60))
invalid("label-uri-length", "largest", "The length is 2^64 - 1.", put({"label 0.uri size": 2**64 - 1}), base=labelled)
invalid("label-uri-length", "cut", "The schema ends inside the URI.", cut("label 0.uri", 30), base=long_uri)
invalid("label-attr-name-length", "largest", "The length is 4294967295.",
        put({"label 0.attribute size": 0xFFFFFFFF}), base=labelled)
invalid("label-attr-name-length", "cut", "The schema ends inside the attribute's name.", cut("label 0.attribute", 2),
        base=long_uri)
invalid("label-table-layout", "one", "A label in the layout of the table.", nothing,
        base=of_table(domain=bytes(16)), ambiguity="dimension-label-layout")
valid("label-table-start-size", "string", "A label of strings in the layout of the table.", nothing,
      base=of_table(datatype=ASCII, domain=b"az", start_size=1), warns=["label-table-layout"],
      keeps=["label-dim-index"])
invalid("label-table-start-size", "fixed", "The first value of a FLOAT64 label has a size.", nothing,
        base=of_table(domain=bytes(16), start_size=8), also=["label-table-layout"])
invalid("label-table-start-size", "longer", "The first value is longer than the domain.", nothing,
        base=of_table(datatype=ASCII, domain=b"az", start_size=3), also=["label-table-layout"])
invalid("label-table-domain-fits", "largest", "The domain of a label has 2^64 - 1 bytes.",
        put({"label 0.domain size": 2**64 - 1}), base=of_table(domain=bytes(16)), alias="label-name-length")
valid("label-dim-index", "second", "A label of the second of two dimensions.", nothing,
      base=lambda: dense(dims=[Dimension("x"), Dimension("y")], labels=[Label("l", 1)]))
for number in (1, 0xFFFFFFFF):
    invalid("label-dim-index", f"{number}", f"The dimension is {number}, and there is one.", nothing,
            base=label(dimension=number))
for number in (3, 255):
    invalid("label-order", f"{number}", f"The order is {number}.", nothing, base=label(order=number))
invalid("label-order-not-unordered", "zero", "The label is unordered.", nothing, base=label(order=0))
invalid("label-name-nonempty", "empty", "The label has no name.", nothing, base=label(name=""))
invalid("label-uri-nonempty", "empty", "The label has no URI.", nothing, base=label(uri="", attribute="a" * 20))
invalid("label-attr-name-nonempty", "empty", "The label names no attribute.", nothing, base=label(attribute=""))
for number in (2, 255):
    invalid("label-relative-flag", f"{number}", f"The flag is {number}.", nothing, base=label(relative=number))
    invalid("label-external-flag", f"{number}", f"The flag is {number}.", nothing, base=label(external=number))
valid("label-internal-relative", "external", "An external label with a URI that is not relative.", nothing,
      base=label(external=1, relative=0, uri="file:///data/labels"), keeps=["label-external-flag"])
invalid("label-internal-relative", "absolute", "A label of the array with a URI that is not relative.", nothing,
        base=label(relative=0))
for slug, datatype in (("utf8", UTF8), ("any", ANY), ("bool", BOOL), ("unknown", 44)):
    invalid("label-datatype", slug, "A datatype that labels do not have.", nothing, base=label(datatype=datatype))
for slug, datatype, count in (("ascii-1", ASCII, 1), ("float64-variable", FLOAT64, VAR), ("int32-0", INT32, 0),
                              ("int64-2", INT64, 2)):
    invalid("label-cell-val-num", slug, "Another number of values per cell.", nothing,
            base=label(datatype=datatype, cell_val_num=count))
for slug, dimension in (("string", Dimension("d", ASCII, None, None)), ("float64", Dimension("d", FLOAT64, (0.0, 1.0), 0.5))):
    invalid("label-dimension-datatype", slug, "A label of a dimension that is no integer.", nothing,
            base=lambda dimension=dimension: sparse(dims=[dimension], labels=[Label()]))
for slug, uri in (("scheme", "file:///tmp/x"), ("slash", "/labels/l0"), ("up", "../other/l0"), ("nul", "a\0b" + "c" * 8)):
    invalid("label-relative-uri-form", slug, "A relative URI that leads elsewhere.", nothing, base=label(uri=uri))
valid("label-several-per-dimension", "three", "Two labels of one dimension, and one of another.", nothing,
      base=lambda: dense(dims=[Dimension("d0"), Dimension("d1")], labels=[
          Label("x"), Label("y", 0, "__labels/l1"), Label("t", 1, "__labels/l2", datatype=DATETIME_SEC, order=2)]))


def with_data(data, **options):
    def base():
        return Array(**({"__labels/l0/__schema/__1_1_" + UUID(7): data} if data else {})).schema(
            dense(labels=[Label(**options)]))
    return base


def data(datatype=FLOAT64, count=1, order=1, name="label", dims=None):
    return dense(attrs=[Attribute(name, datatype, count, order=order)], dims=dims or [Dimension("index")])


valid("label-array-exists", "inside", "The label's array lies in the array.", nothing, base=labelled_array,
      keeps=["label-array-datatype", "label-array-order", "label-array-dimension"])
invalid("label-array-exists", "missing", "There is no such array.", nothing, base=with_data(None))
invalid("label-array-exists", "no-schema", "The label's array has no schema.",
        lambda a: a.members.__setitem__("__labels/l0/__schema", None), base=with_data(None))
invalid("label-array-exists", "link", "The label's array is a link.",
        lambda a: a.members.__setitem__("__labels/l0", Link("..")), base=with_data(None))
for slug, base in (("float32", with_data(data(FLOAT32))), ("no-attribute", with_data(data(name="values"))),
                   ("utf8", with_data(data(UTF8, VAR, 0), datatype=ASCII))):
    invalid("label-array-datatype", slug, "The label's array has other data.", nothing, base=base,
            also=["label-array-order"] if slug == "utf8" else ())
for slug, order in (("unordered", 0), ("decreasing", 2)):
    invalid("label-array-order", slug, "The data have another order.", nothing, base=with_data(data(order=order)))
invalid("label-array-dimension", "two", "The label's array has two dimensions.", nothing,
        base=with_data(data(dims=[Dimension("x"), Dimension("y")])))
invalid("label-array-dimension", "int64", "The label's array is over INT64.", nothing,
        base=with_data(data(dims=[Dimension("index", INT64)])))
