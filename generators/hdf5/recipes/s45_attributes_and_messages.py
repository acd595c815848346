"""IV.A, IV.A.1, IV.A.2.m to s and v of the File Format Specification: attributes, and small messages."""

from generators.hdf5 import *
from generators.hdf5 import messages

from .s21_space_info import info
from .s27_cache_image import imaged
from .s29_shared_messages import shared
from .s40_datatype_classes import plain, sound
from .s44_links_and_groups import with_extra


def attributed(*attributes, **options):
    """A dataset with these attributes."""
    return lambda: of(d=plain(I32, attributes=list(attributes), **options)().at("/d"))


ONE = Attribute(b"a\0", I32, (), b"\1\0\0\0")
OLD = Attribute(b"a\0", I32, (), b"\1\0\0\0", version=1)


def attribute(clause, slug, shows, base, fields, **options):
    changed(clause, slug, shows,
            {f"OHDR /d: attribute.{name}": value for name, value in fields.items()}, base=base,
            **options)


# Attributes ---------------------------------------------------------------------------------------

sound("h5-attribute-v1-reserved", "zeros", "An attribute of version 1.", attributed(OLD))
attribute("h5-attribute-v1-reserved", "byte-1", "Byte 1 is 1.", attributed(OLD), {"flags": 1})
attribute("h5-attribute-v1-reserved", "name", "Letters after the name.", attributed(OLD),
          {"name padding": b"\0xyz\0\0"})
attribute("h5-attribute-v1-reserved", "datatype", "Padding of the datatype that is not zero.",
          attributed(OLD), {"datatype padding": b"\0\0\0\1"})
sound("h5-attribute-charset", "ascii-and-utf8", "Names in both character sets.", attributed(ONE))
for charset in (2, 255):
    attribute("h5-attribute-charset", str(charset), f"Character set {charset}.", attributed(ONE),
              {"character set": charset})
sound("h5-attribute-name-not-empty", "one-letter", "A name of one letter.", attributed(ONE), keeps=[
    "h5-attribute-part-sizes", "h5-attribute-not-extendable", "h5-attribute-slack"])
invalid("h5-attribute-name-not-empty", "nul", "A name that is only its NUL.",
        base=attributed(Attribute(b"\0", I32, (), bytes(4))))(lambda f: None)
sound("h5-attribute-part-sizes", "each-version", "Attributes of versions 1, 2 and 3.",
      attributed(*(Attribute(b"abc"[i:i + 1] + b"\0", I32, (2,), bytes(8), version=i + 1)
                   for i in range(3))))


@invalid("h5-attribute-part-sizes", "datatype", "A datatype of 16 bytes for 12.",
         base=attributed(ONE))
def longer_datatype(f):
    header = f["OHDR /d"]
    header["attribute.datatype.precision"] = b"\x20\0" + bytes(4)


@invalid("h5-attribute-part-sizes", "dataspace", "A dataspace of 12 bytes for 4.",
         base=attributed(ONE))
def longer_dataspace(f):
    f["OHDR /d"]["attribute.dataspace.type"] = bytes(9)


@invalid("h5-attribute-part-sizes", "rank-0", "A dataspace of rank 0 in the bytes of one of rank 1.",
         base=attributed(Attribute(b"a\0", I32, (2,), bytes(8))))
def rank_0(f):
    f["OHDR /d"]["attribute.dataspace.rank"] = 0


def shared_part(more):
    kind = NamedDatatype(type=I32)
    made = of(d=plain(I32, attributes=[Attribute(b"a\0", kind, (), bytes(4))])().at("/d"))
    made.root.links["t"] = kind
    return made


sound("h5-attribute-part-sizes", "shared", "A committed datatype.", lambda: shared_part(0))


@invalid("h5-attribute-part-sizes", "shared-20", "A committed datatype in 20 bytes.",
         base=lambda: shared_part(0))
def shared_20(f):
    header = f["OHDR /d"]
    target = header["attribute.datatype.address"]
    header["attribute.datatype.address"] = Struct(("address", target, 8), ("more", bytes(10)))


sound("h5-attribute-not-extendable", "3", "Three elements, with that maximum.",
      attributed(Attribute(b"a\0", I8, (3,), bytes(3))))


@invalid("h5-attribute-not-extendable", "unlimited", "An attribute without a maximum.",
         base=attributed(Attribute(b"a\0", I8, (3,), bytes(3))))
def unlimited(f):
    header = f["OHDR /d"]
    header["attribute.dataspace.flags"] = 1
    header["attribute.dataspace.size 0"] = (3).to_bytes(8, "little") + b"\xff" * 8


sound("h5-attribute-slack", "none", "An attribute that ends with its value.", attributed(ONE))
sound("h5-attribute-slack", "padded", "Padding of a version 1 header.",
      attributed(OLD, header=Header(version=1)))
for extra in (1, 100):
    invalid("h5-attribute-slack", str(extra), f"{extra} bytes after the value.",
            base=attributed(Attribute(b"a\0", I32, (), bytes(4 + extra))))(lambda f: None)


def several(count, **options):
    return attributed(*(Attribute(b"a%d\0" % i, I8, (), b"\1") for i in range(count)), **options)


sound("h5-attributes-storage-as-phase", "8", "Eight attributes in the header.", several(8))
sound("h5-attributes-storage-as-phase", "6-dense", "Six attributes in a heap.",
      several(6, dense=dense_attributes()), keeps=["h5-attributes-one-storage"])
sound("h5-attributes-storage-as-phase", "12-of-12", "Twelve attributes, as the header says.",
      several(12, header=Header(phase=(12, 6))))
invalid("h5-attributes-storage-as-phase", "9", "Nine attributes in the header.", base=several(9))(
    lambda f: None)
invalid("h5-attributes-storage-as-phase", "5-dense", "Five attributes in a heap.",
        base=several(5, dense=dense_attributes()))(lambda f: None)


def dataset_with(base, *extra):
    def made():
        file = base()
        file.at("/d").header.extra = list(extra)
        return file
    return made


sound("h5-attributes-one-storage", "dense", "Nine attributes in a heap.",
      several(9, dense=dense_attributes()))
invalid("h5-attributes-one-storage", "both", "Dense attributes and an attribute message.",
        base=dataset_with(several(9, dense=dense_attributes()),
                          Message("attribute", lambda w: messages.attribute(
                              w, b"z\0", I8, (), b"\1"))))(lambda f: None)


def described(flags=0, header_flags=0, **fields):
    """A dataset with attribute info and these header flags."""
    def info(w):
        made = Struct(("version", 0, 1), ("flags", flags, 1))
        if flags & 1:
            made.add("maximum creation index", fields.get("maximum", 0), 2)
        made.add("heap", fields.get("heap"), 8).add("name index", fields.get("names"), 8)
        if flags & 2:
            made.add("order index", fields.get("order"), 8)
        return made

    def base():
        attributes = fields.get("attributes", ())
        made = of(d=plain(I32, header=Header(ordered=bool(header_flags & 4)))().at("/d"))
        made.at("/d").header.extra = [
            *(Message("attribute", lambda w, i=i: messages.attribute(
                w, b"a%d\0" % i, I8, (), b"\1"), order=order)
              for i, order in enumerate(attributes)),
            Message("attribute info", info)]
        made["OHDR /d"]["flags"] = made["OHDR /d"]["flags"] & ~0x0C | header_flags
        return made
    return base


sound("h5-attribute-info-order-index", "empty", "An index of the order, and no heap.",
      described(3, 0x0C), keeps=["h5-attribute-info-flags-as-header"])
invalid("h5-attribute-info-order-index", "without-a-heap", "An index of the order without a heap.",
        base=described(3, 0x0C, order=4096))(lambda f: None)
sound("h5-attribute-info-flags-as-header", "tracked", "Both track the order.", described(1, 0x04))
for slug, flags, header in (("only-tracked", 1, 0x0C), ("header-only", 0, 0x04),
                            ("info-only", 1, 0x00)):
    invalid("h5-attribute-info-flags-as-header", slug,
            f"Attribute info with flags {flags}, a header with flags {header:#x}.",
            base=described(flags, header))(lambda f: None)
invalid("h5-link-order-indexed-tracked", "header-with-info", "A header with flags 0x8, attribute info with flags 0.",
        base=described(0, 0x08))(lambda f: None)
sound("h5-attribute-order-unique", "0-1-2", "The orders 0, 1 and 2.",
      described(1, 0x04, attributes=(0, 1, 2), maximum=3),
      keeps=["h5-attribute-order-below-maximum"])
invalid("h5-attribute-order-unique", "1-twice", "The order 1 twice.",
        base=described(1, 0x04, attributes=(0, 1, 1), maximum=3))(lambda f: None)
sound("h5-attribute-order-below-maximum", "equal", "The order 6 of at most 6.",
      described(1, 0x04, attributes=(0, 6), maximum=6))
invalid("h5-attribute-order-below-maximum", "7", "The order 7 of at most 6.",
        base=described(1, 0x04, attributes=(0, 7), maximum=6))(lambda f: None)
invalid("h5-attribute-order-below-maximum", "0", "A maximum of 0 with three attributes.",
        base=described(1, 0x04, attributes=(0, 1, 2), maximum=0))(lambda f: None)


def old_header(**options):
    return plain(I32, header=Header(version=1), **options)


sound("h5-attribute-info-v2-only", "version-2", "Attribute info in a version 2 header, none in the other.",
      lambda: of(a=described()().at("/d"), b=old_header()().at("/d")))
invalid("h5-attribute-info-v2-only", "version-1", "Attribute info in a version 1 header.",
        base=dataset_with(old_header(), Message("attribute info", lambda w: messages.attribute_info(
            w, None, None))))(lambda f: None)

# Headers ------------------------------------------------------------------------------------------

sound("h5-ohdr-v1-reserved", "zeros", "A version 1 header with a continuation.",
      lambda: of(d=plain(I32, header=Header(version=1, split=(2,)))().at("/d")))
changed("h5-ohdr-v1-reserved", "byte-1", "Byte 1 of a header is 7.", {"OHDR /d: reserved": 7},
        base=old_header())
changed("h5-ohdr-v1-reserved", "bytes-12-to-15", "Bytes 12 to 15 of a header are not zero.",
        {"OHDR /d: padding": 1}, base=old_header())
changed("h5-ohdr-v1-reserved", "prefix", "A reserved byte of a message prefix is 0x97.",
        {"OHDR /d: datatype.message reserved": 0x9700}, base=old_header())


def extra(*contents, base=plain(I32)):
    return dataset_with(base, *contents)


sound("h5-ohdr-marked-not-understood", "none", "No message is marked.", plain(I32),
      keeps=["h5-ohdr-type-known", "h5-ohdr-no-repeat-other", "h5-ohdr-foreign-messages",
             "h5-risk-unknown-message"])
invalid("h5-ohdr-marked-not-understood", "30", "An unknown message with flags 0x30.",
        base=extra(raw("unknown", bytes(8), flags=0x30)), also=["h5-ohdr-type-known"])(lambda f: None)
sound("h5-ohdr-size-width-any", "8", "Sizes of the first block in each width.",
      lambda: of(**{f"w{width}": plain(I32, header=Header(size_width=width))().at("/d")
                    for width in (1, 2, 4, 8)}))
invalid("h5-ohdr-type-known", "19", "A message of type 0x19.",
        base=extra(raw("first unknown", bytes(8))))(lambda f: None)
invalid("h5-ohdr-type-known", "version-1", "A message of type 0x40 in a version 1 header.",
        base=extra(raw("unknown", bytes(8)), base=old_header()))(lambda f: None)
IN_PARTS = plain(I32, header=Header(split=(2,)))
invalid("h5-ohdr-type-known", "continuation", "A message of type 0x19 in a continuation of a header.",
        base=extra(raw("first unknown", bytes(8)), base=IN_PARTS))(lambda f: None)
sound("h5-ohdr-type-known", "all-known", "Messages of known types only.", plain(I32))
sound("h5-ohdr-nil-any", "lengths", "NIL messages of 0, 8 and 4,096 bytes.",
      extra(messages.nil(0), raw("nil", b"a secret"), raw("nil", b"x" * 4096)), also=["h5-risk-hidden-bytes"])

COMMENT, TIME = raw("comment", b"text\0"), raw("time", b"\1\0\0\0\0\0\0\1")
OLD_TIME = raw("old time", b"19980131235959\0\0")

sound("h5-ohdr-no-repeat-other", "one-of-each", "A comment and a modification time.",
      extra(COMMENT, TIME), keeps=["h5-comment-terminated", "h5-mtime-version", "h5-mtime-reserved"])
invalid("h5-ohdr-no-repeat-other", "comments", "Two comments.", base=extra(COMMENT, COMMENT))(
    lambda f: None)
invalid("h5-ohdr-no-repeat-other", "times", "Two modification times.", base=extra(TIME, TIME))(
    lambda f: None)
invalid("h5-ohdr-no-repeat-other", "old-times", "Two old modification times.",
        base=extra(OLD_TIME, OLD_TIME))(lambda f: None)

GROUP_OF_A = lambda: File(Group(links={"a": plain(I32)().at("/d")}))


def committed(*extra_messages):
    def base():
        made = File(Group(links={"t": NamedDatatype(type=I32)}))
        made.at("/t").header.extra = list(extra_messages)
        return made
    return base


FILTERED = with_extra(GROUP_OF_A, Message("filters", lambda w: messages.filters(w, [gzip()])))
sound("h5-ohdr-foreign-messages", "pipeline", "A group with a filter pipeline.", FILTERED, keeps=[
    "swmr-filters-version", "swmr-filters-count", "swmr-filters-fit", "swmr-filters-id", "h5-filters-flags-reserved"])
for clause, slug, shows, fields in (
        ("swmr-filters-version", "of-a-group", "The pipeline of a group has version 3.", {"version": 3}),
        ("swmr-filters-count", "of-a-group", "The pipeline of a group claims 128 filters.", {"count": 128}),
        ("swmr-filters-fit", "of-a-group", "The pipeline of a group states two filters; one is there.", {"count": 2}),
        ("swmr-filters-id", "of-a-group", "A filter of a group has the number 0.", {"filter 0.id": 0}),
        ("h5-filters-flags-reserved", "of-a-group", "A filter of a group has the flags 0x0100.",
         {"filter 0.flags": 0x100})):
    changed(clause, slug, shows, {f"OHDR /: filters.{name}": value for name, value in fields.items()},
            base=FILTERED, since="hdf5-file-format-4.0")
invalid("h5-ohdr-foreign-messages", "symbol-table", "A dataset with link info.",
        base=extra(Message("link info", messages.link_info)))(lambda f: None)
invalid("h5-ohdr-foreign-messages", "continuation", "A dataset with link info in a continuation of its header.",
        base=extra(Message("link info", messages.link_info), base=IN_PARTS))(lambda f: None)
invalid("h5-ohdr-foreign-messages", "group-datatype", "A group with a datatype.",
        base=with_extra(GROUP_OF_A, Message("datatype", I32.encode())))(lambda f: None)
invalid("h5-ohdr-foreign-messages", "committed-fill", "A committed datatype with a fill value.",
        base=committed(Message("fill", messages.fill)))(lambda f: None)
invalid("h5-ohdr-foreign-messages", "committed-filters", "A committed datatype with filters.",
        base=committed(Message("filters", lambda w: messages.filters(w, [gzip()]))))(lambda f: None)

sound("h5-object-kind", "three", "A group, a dataset and a committed datatype.",
      lambda: File(Group(links={"g": Group(), "d": plain(I32)().at("/d"),
                                "t": NamedDatatype(type=I32)})),
      keeps=["h5-committed-not-shared"])


def of_messages(*listed):
    def base():
        made = File(Group(links={"x": Group()}))
        made.at("/x").body = lambda file, image: list(listed)
        return made
    return base


SPACE = Message("dataspace", lambda w: messages.dataspace(w, (3,)))
for slug, listed in (("nil", (messages.nil(8),)), ("dataspace", (SPACE,))):
    invalid("h5-object-kind", slug, f"An object with a {slug} message only.",
            base=of_messages(*listed), fails={"h5-object-kind"})(lambda f: None)

sound("h5-committed-not-shared", "used", "A committed datatype that a dataset uses.",
      lambda: shared_part(0))


@invalid("h5-committed-not-shared", "shared", "A committed datatype that is kept in another.",
         base=lambda: File(Group(links={"t": NamedDatatype(type=I32), "u": NamedDatatype(type=I32)})),
         fails={"h5-committed-not-shared"})
def shared_committed(f):
    f.at("/u").body = lambda file, image: [Message("datatype", lambda w: messages.shared(
        w, f.at("/t").block), flags=2)]


sound("h5-shared-type-byte-any", "0-and-2", "Shared messages of versions 1 and 2.",
      lambda: File(Group(links={
          "t": NamedDatatype(type=I32, shared_by=2), "u": NamedDatatype(type=I32, shared_by=1)})))

sound("h5-comment-terminated", "latin-1", "A comment with a byte above 127.",
      extra(raw("comment", b"gr\xfcn\0")))
invalid("h5-comment-terminated", "no-nul", "A comment without a NUL.",
        base=extra(raw("comment", b"text")))(lambda f: None)
invalid("h5-comment-terminated", "0-bytes", "A comment of no bytes.", base=extra(raw("comment", b"")))(
    lambda f: None)
sound("h5-mtime-old-form", "1998", "The last second of a day, and a leap second.",
      lambda: of(a=extra(OLD_TIME)().at("/d"),
                 b=extra(raw("old time", b"20161231235960\0\0"))().at("/d")),
      keeps=["h5-mtime-old-reserved"])
for slug, shows, content in (
        ("letter", "A letter in the year.", b"19x80131235959\0\0"),
        ("month-13", "The month 13.", b"19981331235959\0\0"),
        ("month-0", "The month 0.", b"19980031235959\0\0"),
        ("day-32", "The day 32.", b"19980132235959\0\0"), ("day-0", "The day 0.", b"19980100235959\0\0"),
        ("hour-24", "The hour 24.", b"19980131245959\0\0"),
        ("minute-60", "The minute 60.", b"19980131236059\0\0"),
        ("second-61", "The second 61.", b"19980131235961\0\0"),
        ("8-bytes", "A time of 8 bytes.", b"19980131")):
    invalid("h5-mtime-old-form", slug, shows, base=extra(raw("old time", content)))(lambda f: None)
for at in (14, 15):
    invalid("h5-mtime-old-reserved", f"byte-{at}", f"Byte {at} is 1.", base=extra(raw(
        "old time", bytes(b | (i == at) for i, b in enumerate(b"19980131235959\0\0")))))(
            lambda f: None)
sound("h5-mtime-version", "1", "Version 1.", extra(TIME))
for slug, content in (("0", bytes(8)), ("2", b"\2" + bytes(7)), ("4-bytes", b"\1\0\0\0")):
    invalid("h5-mtime-version", slug, f"A modification time {content!r}.",
            base=extra(raw("time", content)))(lambda f: None)
sound("h5-mtime-reserved", "zeros", "Reserved bytes of zero.", extra(TIME))
for at in (1, 3):
    invalid("h5-mtime-reserved", f"byte-{at}", f"Byte {at} is 7.", base=extra(raw(
        "time", bytes(7 if i == at else b for i, b in enumerate(b"\1\0\0\0\0\0\0\1")))))(
            lambda f: None)

sound("h5-ohdr-message-slack", "padded", "Messages padded in a version 1 header.", old_header())


@invalid("h5-ohdr-message-slack", "version-1", "A datatype message of 24 bytes for a type of 12.",
         base=old_header())
def slack_in_version_1(f):
    f["OHDR /d"]["datatype.message padding"] = bytes(12)


@invalid("h5-ohdr-message-slack", "padding", "A padding byte of 0xff in a version 1 header.",
         base=old_header())
def padding_of_ones(f):
    f["OHDR /d"]["datatype.message padding"] = b"\0\xff\0\0"


@invalid("h5-ohdr-message-slack", "fill", "A fill value message with three bytes more.",
         base=plain(I32))
def slack_of_fill(f):
    f["OHDR /d"]["fill.flags"] = b"\x0b\0\0\0"


@valid("h5-ohdr-message-slack", "dataspace-4", "A dataspace of version 2 with four bytes more.",
       base=plain(I32))
def slack_of_a_dataspace(f):
    f["OHDR /d"]["dataspace.size 0"] = (3).to_bytes(8, "little") + bytes(4)


# The messages of the superblock extension.
EXTENSION = {"k values": messages.k_values, "file space": info,
             "driver": lambda w: messages.driver(w, b"MYDRIVER", b"\1\2")}


def extended(*names, spare=0):
    """`spare`: bytes after the contents of each message."""
    @reports(*["h5-risk-driver"] * ("driver" in names))
    def base():
        f = links()
        f.extension = [Message(name, EXTENSION[name](f.w).add("spare", bytes(spare))) for name in names]
        return f
    return base


sound("h5-ohdr-message-slack", "extension", "Messages of the superblock extension without spare bytes.",
      extended(*EXTENSION))
for name in EXTENSION:
    invalid("h5-ohdr-message-slack", f"extension-{name.replace(' ', '-')}",
            f"A {name} message of the superblock extension with a byte more.", base=extended(name))(
                lambda f, name=name: extended(name, spare=1)())


@invalid("h5-ohdr-message-slack", "extension-shared-table",
         "A shared message table message with four bytes more.", base=shared())
def slack_of_a_shared_table(f):
    f["OHDR extension"]["shared table.indexes"] = bytes([1, 0, 0, 0, 0])


invalid("h5-ohdr-message-slack", "extension-cache-image", "A metadata cache image message with a byte more.",
        base=imaged)(lambda f: imaged(spare=1))

sound("h5-risk-unknown-message", "known", "Messages that everybody knows.", plain(I32))
invalid("h5-risk-unknown-message", "08", "An unknown message that keeps out writers.",
        base=extra(raw("unknown", bytes(8), flags=0x08)), also=["h5-ohdr-type-known"])(lambda f: None)

sound("h5-shared-no-loop", "three-users", "A committed datatype that three datasets use.",
      lambda: (lambda kind: File(Group(links={
          "t": kind, **{f"d{i}": plain(kind)().at("/d") for i in range(3)}})))(
              NamedDatatype(type=I32)))


@invalid("h5-shared-no-loop", "two", "Two committed datatypes that name each other.",
         base=lambda: File(Group(links={"t": NamedDatatype(type=I32), "u": NamedDatatype(type=I32)})),
         also=["h5-committed-not-shared"])
def in_a_loop(f):
    for one, other in ("tu", "ut"):
        f.at("/" + one).body = lambda file, image, other=other: [
            Message("datatype", lambda w: messages.shared(w, f.at("/" + other).block), flags=2)]
