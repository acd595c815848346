"""The encoding of the metadata as flatbuffers."""

from generators.arrow import *

ROOT, VTABLE, SIZE = "arrow-fb-root-in-bounds", "arrow-fb-vtable-in-bounds", "arrow-fb-table-size"
FIELD, OFFSET, VECTOR = ("arrow-fb-field-in-bounds", "arrow-fb-offset-in-bounds",
                         "arrow-fb-vector-in-bounds")
STRING, TERMINATED = "arrow-fb-string-in-bounds", "arrow-fb-string-terminated"
ALIGNMENT, UNION = "arrow-fb-alignment", "arrow-fb-union-value"
ALL = [ROOT, VTABLE, SIZE, FIELD, OFFSET, VECTOR, STRING, TERMINATED, ALIGNMENT, UNION]


def length(f, message=-1):
    """Of a message's metadata."""
    return len(f.messages[message].encoded(f)[1])


@valid(ROOT, base=several_file, keeps=ALL)
def sound(f):
    "Messages and footer are sound."


for name, style in (("behind", Style(vtables="behind")), ("shared", Style(vtables="shared", deep=False)),
                    ("by-id", Style(fields="id")), ("reversed", Style(last_first=True))):
    @valid(VTABLE, name, f"Vtables or what they lead to: {name}.", base=several, keeps=ALL)
    def styled(f, style=style):
        f.style = style

    @valid(VTABLE, f"{name}-in-a-file", f"Vtables or what they lead to in a footer: {name}.",
           base=words_file, keeps=ALL)
    def styled_in_a_file(f, style=style):
        f.style = style


# The root -----------------------------------------------------------------------------------------

for name, value in (("0", 0), ("far", 0xFFFFFFF0)):
    corrupted(ROOT, name, f"The root offset is {value:#x}.", {":root": value})


@invalid(ROOT)
def size_of_the_metadata(f):
    "The root offset is the size of the metadata."
    f.messages[1].pokes = [(":root", length(f))]


@invalid(ROOT, base=two_batches, also=["arrow-message-continuation-present"])
def four_bytes_only(f):
    "Metadata of 4 bytes, in the old framing."
    f.old = True
    f.messages[2].content = bytes(4)


@invalid(ROOT, base=two_batches_file)
def of_the_footer(f):
    "The root offset of the footer leads to its last 2 bytes."
    size = len(f._footer()) if f.bytes() else 0
    f.pokes = [(":root", size - 2)]


# Vtables ------------------------------------------------------------------------------------------

corrupted(VTABLE, "far", "The offset to a vtable is 0x7FFFFFFF.", {"header:table": 0x7FFFFFFF})
for value in (3, 0, 7):
    corrupted(VTABLE, f"length-{value}", f"A vtable has the length {value}.", {"header:vtable": value})
corrupted(VTABLE, "past-the-end", "A vtable runs past the metadata.", {"header:vtable": 0xFFFE})
corrupted(VTABLE, "before-the-start", "A vtable would begin before the metadata.",
       {"header:table": 0x1000}, base=ints_file)
corrupted(VTABLE, "of-a-field", "The vtable of a field has the length 2.",
       {"header.fields[0]:vtable": 2}, message=0)


@invalid(VTABLE)
def own_vtable(f):
    "A table whose offset to its vtable is 0: it is its own vtable, of length 0."
    f.messages[1].pokes = [("header:table", 0)]


@invalid(VTABLE, base=in_file(base_of((field("a", UTF8, dictionary=0), [None, None]),
                                     dictionaries=[("a", ["x"])])))
def of_a_dictionary(f):
    "The vtable of a dictionary's data has an odd length, in a file."
    f.messages[1].pokes = [("header.data:vtable", 9)]


@invalid(VTABLE, base=words_file)
def of_a_dictionary_with_keys(f):
    "The vtable of the data of a dictionary that is used has an odd length, in a file."
    f.messages[1].pokes = [("header.data:vtable", 9)]


@invalid(VTABLE, base=two_batches_file)
def of_the_footer_s_schema(f):
    "The vtable of the footer's schema has the length 1."
    f.pokes = [("schema:vtable", 1)]


for name, shows, pokes in (
        ("4", "4, with fields", {"header:size": 4}), ("0", "0", {"header:size": 0}),
        ("largest", "larger than what is left of the metadata", {"header:size": 0xFFFF})):
    corrupted(SIZE, name, f"An object size is {shows}.", pokes)


@invalid(SIZE)
def entry_2(f):
    "A field lies at 2, inside the offset to the vtable."
    f.schema.endianness = 0
    f.messages[0].style = Style(defaults=True)
    f.messages[0].pokes = [("header:entry endianness", 2)]


# Fields -------------------------------------------------------------------------------------------

corrupted(FIELD, "body-length", "The vtable's entry of a body length is 0xFFF0.",
       {":entry bodyLength": 0xFFF0}, also=[SIZE])
corrupted(FIELD, "type", "The vtable's entry of a field's type leads beyond the metadata.",
       {"header.fields[0]:entry type": 0x7FF0}, message=0, also=[SIZE])


@invalid(FIELD, base=base_of((field("a", NULL), 3 * [None])), also=[SIZE])
def half_of_a_long(f):
    "A field of 8 bytes has 4 left."
    message = f.messages[1]
    message.style = Style(defaults=True)
    message.encoded(f)
    table = message.places[":table"][0]
    message.pokes = [(":entry bodyLength", length(f) - 4 - table)]


# Offsets ------------------------------------------------------------------------------------------

corrupted(OFFSET, "0-in-a-vector", "An offset in the vector of fields is 0.", {"header.fields[0]": 0},
       message=0)
corrupted(OFFSET, "far", "The offset to a name is 0xFFFFFFFF.", {"header.fields[0].name": 0xFFFFFFFF},
       message=0)
corrupted(OFFSET, "header", "The offset to the header leads past the end.", {"header": 0x10000})


@invalid(OFFSET)
def last_three_bytes(f):
    "An offset leads to the last 3 bytes of the metadata."
    message = f.messages[1]
    message.encoded(f)
    message.pokes = [("header.nodes", length(f) - 3 - message.places["header.nodes"][0])]


# Vectors ------------------------------------------------------------------------------------------

corrupted(VECTOR, "nodes-wrap", "The count of nodes times 16 is 0x200000000.",
       {"header.nodes:count": 0x20000000})
corrupted(VECTOR, "buffers", "The count of buffers is 0xFFFFFFFF.", {"header.buffers:count": 0xFFFFFFFF},
       base=in_file(ints))


@invalid(VECTOR, base=several)
def one_more_field(f):
    "The vector of fields has more elements than there is space for."
    message = f.messages[0]
    message.encoded(f)
    room = (length(f, 0) - message.places["header.fields:count"][0] - 4) // 4
    message.pokes = [("header.fields:count", room + 1)]


@invalid(VECTOR, base=two_batches_file)
def blocks(f):
    "The count of blocks is 0xFFFFFFFF."
    f.pokes = [("recordBatches:count", 0xFFFFFFFF)]


@valid(VECTOR, base=no_batches)
def empty_at_the_end(f):
    "A vector of no fields is the last thing in the metadata."
    f.schema.fields = []


# Strings ------------------------------------------------------------------------------------------

corrupted(STRING, "far", "The length of a name is 0xFFFFFFFF.", {"header.fields[0].name:count": 0xFFFFFFFF},
       message=0)


@invalid(STRING, base=no_batches)
def no_room(f):
    "A name ends with the last byte of the metadata, with no byte left for the terminator."
    message = f.messages[0]
    message.style = Style(last_first=True)
    message.encoded(f)
    at = message.places["header.fields[0].name:count"][0]
    message.pokes = [("header.fields[0].name:count", length(f, 0) - at - 4)]


@valid(STRING, base=in_file(base_of((field("", I32), [1]))))
def empty_name(f):
    "An empty name: length 0 and one zero byte."


corrupted(TERMINATED, "space", "The byte after a name is a space.",
       {"header.fields[0].name:end": 0x20}, message=0)


@invalid(TERMINATED)
def followed_at_once(f):
    "The value of a pair is followed by the next object at once."
    f.schema.custom_metadata = pairs({"key": "value"})
    f.messages[0].pokes = [("header.custom_metadata[0].value:count", 4)]


@valid(TERMINATED, base=base_of((field("abc", I32), [1]), (field("x\0y", I32), [2])))
def three_bytes(f):
    "A name of 3 bytes and its zero byte; a name with a zero byte inside."


# Alignment ----------------------------------------------------------------------------------------

def skewed(name, shows, place, by, message=-1, base=ints):
    """An object lies further on than where it would be aligned."""
    @invalid(ALIGNMENT, name, shows, base=base)
    def mutate(f):
        f.messages[message].skews[place] = by


skewed("body-length", "A body length lies on an odd multiple of 4.", "", 4)
skewed("odd-table", "A table lies at an odd position.", "header", 1)
skewed("buffers", "The vector of buffers lies on a multiple of 4 only.", "header.buffers", 4, base=several)
skewed("nodes", "The vector of nodes lies on a multiple of 4 only.", "header.nodes", 4, base=ints_file)
skewed("string", "A name lies on a multiple of 2 only.", "header.fields[0].name", 2, 0)
skewed("odd-vtable", "A vtable lies at an odd position.", "vtable", 1)


@invalid(ALIGNMENT, base=two_batches_file)
def footer(f):
    "The vector of blocks lies on a multiple of 4 only."
    f.skews["recordBatches"] = 4


@valid(ALIGNMENT, base=base_of((field("a", I32), [1]), (field("b", I32), [2])),
       keeps=["arrow-lengths-are-int64"])
def at_4_of_8(f):
    "The length word of the nodes lies on 4 modulo 8, the nodes on 8."


# Unions -------------------------------------------------------------------------------------------

@valid(UNION, base=bools)
def empty_table(f):
    "The type Bool: tag 6 and an empty table."


@invalid(UNION)
def type_without_value(f):
    "A field has the type tag of Int and no type."
    del f.field("a").type


@invalid(UNION)
def header_without_value(f):
    "A message has the header type of a record batch and no header."
    def change(table):
        del table.header
    f.batches[0].change = change


@invalid(UNION, base=two_batches_file)
def in_the_footer(f):
    "A field of the footer's schema has a type tag and no type."
    del f.footer_schema().fields[0].type


# What is free -------------------------------------------------------------------------------------

@valid("arrow-fb-unknown-fields", base=several)
def ninth(f):
    "Message, schema and fields have fields of unknown ids."
    for table in (f.messages[0].table, f.schema, f.field("x"), f.field("p.u").type):
        table.unknown.update({8: 7, 11: -1})


@valid("arrow-fb-unknown-fields", base=two_batches_file)
def of_the_footer_too(f):
    "Footer and batches have fields of unknown ids."
    f.footer.unknown[9] = 1
    for message in f.batches:
        message.table.unknown[7] = 5


DEFAULTS = base_of((field("date", Table("Date")), [86400000]), (field("time", Table("Time")), [5]),
                   (field("decimal", Table("Decimal", precision=5)), [123]),
                   (field("timestamp", Table("Timestamp")), [7]),
                   (field("duration", Table("Duration")), [8]),
                   (field("interval", Table("Interval")), [9]),
                   (field("half", Table("FloatingPoint")), [0.5]))


@valid("arrow-fb-absent-means-default", base=DEFAULTS)
def left_out(f):
    "Units, widths and precisions that are left out."
    f.style = Style()


@valid("arrow-fb-absent-means-default", base=in_file(DEFAULTS))
def written_out(f):
    "Units, widths and precisions that have their defaults, written out."
    f.style = Style(defaults=True)
    for name, parameter, value in (("date", "unit", 1), ("time", "unit", 1), ("time", "bitWidth", 32),
                                   ("decimal", "bitWidth", 128), ("timestamp", "unit", 0),
                                   ("duration", "unit", 1), ("half", "precision", 0)):
        setattr(f.field(name).type, parameter, value)


@valid("arrow-fb-absent-vector-empty", base=ints_file)
def absent_vectors(f):
    "Children, pairs and the footer's dictionaries are left out."
    del f.field("a").children
    f.change_footer = lambda table: table.values.pop("dictionaries")


@valid("arrow-fb-absent-vector-empty", base=base_of(length=3))
def nodes_and_buffers(f):
    "A batch of no columns without vectors of nodes and buffers."
    def change(table):
        del table.header.nodes, table.header.buffers
    f.batches[0].change = change


@valid("arrow-fb-absent-vector-empty", base=no_batches)
def no_fields(f):
    "A schema without vector of fields."
    del f.schema.fields


@valid("arrow-fb-shared-objects", base=several)
def one_vtable_one_key(f):
    "Fields share vtables, pairs share a key."
    f.style = Style(vtables="shared", deep=False)
    key = Shared("unit")
    f.field("x").custom_metadata, f.field("s").custom_metadata = [pair(key, "m")], [pair(key, "s")]


@valid("arrow-fb-shared-objects", base=two_batches_file)
def one_type(f):
    "Three fields share one name and one type."
    f.style = Style(vtables="shared", deep=False)
    type, name = I32.copy(), Shared("same")
    f.schema.fields = [Table("Field", name=name, type_type=2, type=type, nullable=True)
                       for _ in range(3)]
    f.messages[1:] = []
    f.add([1], [2], [3])
