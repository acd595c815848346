"""IV.B, VIII.B and VIII.C of the File Format Specification: values, and references of both kinds."""

import struct

from generators.hdf5 import *
from generators.hdf5 import messages
from generators.hdf5.global_heap import collection, element, heap_id

from .s40_datatype_classes import a_string, plain, sound, text


def u32(*numbers):
    return struct.pack(f"<{len(numbers)}I", *numbers)


def u64(*numbers):
    return struct.pack(f"<{len(numbers)}Q", *numbers)


def holding(type, elements, objects=None, others=None, **options):
    """A contiguous dataset of these elements, and a collection of these objects. An element is bytes, or a
    function of the collection and the file that makes a Struct; an object may be such a function, too."""
    def base():
        made = of(**(others() if others else {}), d=plain(type, shape=(len(elements),), **options)().at("/d"))
        node = made.at("/d")
        before = node.body

        def body(file, image):
            listed = before(file, image)
            data = next(block for block in image.blocks
                        if block.kind == "data" and block.owner == "/d")
            heap = None
            if objects:
                heap = image.add(collection("/d", {
                    index: content(None, file) if callable(content) else content
                    for index, content in objects.items()}))
            del data.fields["bytes"]
            for number, each in enumerate(elements):
                data.add(f"element {number}", each(heap, file) if callable(each) else each)
            return listed

        node.body = body
        return made
    return base


def at(length, index):
    return lambda heap, file: element(length, heap, index)


def elsewhere(length, address, index):
    return lambda heap, file: element(length, address, index)


def value(clause, slug, shows, base, **options):
    invalid(clause, slug, shows, base=base, **options)(lambda f: None)


SEQUENCE = vlen(I32)
# Storage that was filled when it was allocated: all of its values were written.
FILLED = {"fill": Fill(when=0)}
THREE = {1: u32(1, 2, 3), 2: b"text", 3: u32(4, 5)}
UNDEFINED = (1 << 64) - 1

# Values of variable length ------------------------------------------------------------------------

sound("h5-vlen-object-exists", "sequences", "Three sequences of integers.",
      holding(SEQUENCE, [at(3, 1), at(1, 2), at(2, 3)], THREE), keeps=["h5-vlen-length",
                                                                        "h5-vlen-length-exact"])
sound("h5-vlen-object-exists", "strings", "Strings of variable length.",
      holding(text(), [at(4, 2)], THREE))
for slug, shows, each in (("index-11", "An index that the collection does not have.", at(3, 11)),
                          ("address-0", "The null address with a length.", elsewhere(5, 0, 1)),
                          ("undefined", "An undefined address with a length.",
                           elsewhere(5, UNDEFINED, 1)),
                          ("index-0", "The index 0.", at(3, 0)),
                          ("index-65537", "The index 65,537.", at(3, 65537))):
    value("h5-vlen-object-exists", slug, shows, holding(SEQUENCE, [at(3, 1), each], THREE))


@invalid("h5-vlen-object-exists", "attribute", "An attribute whose index the collection does not have.",
         base=holding(SEQUENCE, [at(3, 1)], THREE))
def in_an_attribute(f):
    kind = vlen(I32)
    body = f.at("/d").body

    def with_attribute(file, image):
        listed = body(file, image)
        heap = image["GCOL /d"]
        listed.append(Message("attribute", messages.attribute(
            file.w, b"a\0", kind, (), element(3, heap, 9))))
        return listed

    f.at("/d").body = with_attribute


def chunked(element_bytes, pipeline=()):
    return lambda: extensible(type=a_string(0, 4), filters=list(pipeline), shape=(10,),
                              written={(i,): Chunk(content=encoded(element_bytes * 4, pipeline, 0, 4))
                                       for i in range(3)})


sound("h5-vlen-length", "12", "Three integers in 12 bytes.", holding(SEQUENCE, [at(3, 1)], THREE))
for length in (4, 0xFFFFFFFF):
    value("h5-vlen-length", str(length), f"{length} integers in 12 bytes.",
          holding(SEQUENCE, [at(length, 1)], THREE))
sound("h5-vlen-length-exact", "12", "Three integers in 12 bytes.",
      holding(SEQUENCE, [at(3, 1)], THREE))
value("h5-vlen-length-exact", "2", "Two integers in 12 bytes.",
      holding(SEQUENCE, [at(2, 1), at(2, 3)], THREE))
# libhdf5 1.14 looks for the object of a sequence without elements unless the address is 0, so it does not read the
# undefined address. The text says nothing about the address of what has no elements.
sound("h5-vlen-null-allowed", "all", "Lengths of 0 with a null, an undefined and a sound heap id.",
      holding(SEQUENCE, [elsewhere(0, 0, 0), elsewhere(0, UNDEFINED, 0), at(0, 1), at(3, 1)],
              {1: u32(1, 2, 3)}))


def nested(inner_length=3, inner_index=1):
    """Sequences of sequences. The objects must name their own collection, so this is a block by itself."""
    def base():
        made = holding(vlen(SEQUENCE), [at(1, 2)], {1: u32(1, 2, 3), 2: bytes(16)})()
        node, before = made.at("/d"), made.at("/d").body

        def body(file, image):
            listed = before(file, image)
            heap = image["GCOL /d"]
            heap["object 2.data"] = element(inner_length, heap, inner_index)
            return listed

        node.body = body
        return made
    return base


sound("h5-vlen-nested", "two-levels", "Sequences of sequences.", nested())
value("h5-vlen-nested", "index-3", "An inner sequence whose index is missing.", nested(3, 3))
value("h5-vlen-nested", "length-4", "Four inner integers in 12 bytes.", nested(4, 1))


def deep(levels, objects):
    """Sequences in sequences. `objects`: each has so many equal ids of another."""
    def base():
        type = I8
        for _ in range(levels):
            type = vlen(type)
        made = holding(type, [at(objects[1][0], 1)],
                       {index: bytes(16 * count) for index, (count, _) in objects.items()})()
        node, before = made.at("/d"), made.at("/d").body

        def body(file, image):
            listed = before(file, image)
            heap = image["GCOL /d"]
            for index, (count, inner) in objects.items():
                heap[f"object {index}.data"] = Struct(*(
                    (f"id {i}", element(objects[inner][0] if inner else 0, heap if inner else 0, inner))
                    for i in range(count)))
            return listed

        node.body = body
        return made
    base.reports = ("h5-global-heap-object-shared",)
    return base


# Twenty levels down the object of 16 bytes is one integer of four, which libhdf5 refuses. Sixteen are examined.
value("h5-vlen-nested", "itself", "An object whose element names the object itself, beyond the levels that are followed.",
      deep(20, {1: (1, 1)}), outcome="unchecked")


# Strings ------------------------------------------------------------------------------------------

sound("h5-string-terminated", "abc", "Three letters and a NUL.", holding(a_string(0, 4), [b"abc\0"]),
      keeps=["h5-string-ascii"])
sound("h5-string-terminated", "padded", "Four letters that are padded with NULs, and four NULs.",
      lambda: of(a=plain(a_string(1, 4))().at("/d"), b=plain(a_string(0, 4))().at("/d")))
value("h5-string-terminated", "abcd", "Four letters in 4 bytes.",
      holding(a_string(0, 4), [b"abc\0", b"abcd"]))
value("h5-string-terminated", "chunked", "Four letters in each element of chunks.", chunked(b"abcd"))
value("h5-string-terminated", "deflated", "Four letters in each element of deflated chunks.",
      chunked(b"abcd", [gzip()]))
sound("h5-string-utf8", "umlauts", "Two umlauts, and bytes after a NUL.",
      holding(a_string(0x10, 6), ["\u00fc\u00e4".encode() + b"\0\xff"]))
value("h5-string-utf8", "latin-1", "Text in Latin-1.",
      holding(a_string(0x10, 6), [b"gr\xfcn\0\0"]))
value("h5-string-utf8", "vlen", "A string of variable length in Latin-1.",
      holding(text(0x101), [at(4, 1)], {1: b"gr\xfcn"}))
sound("h5-string-ascii", "plain", "Plain text, and bytes after a NUL.",
      holding(a_string(0, 6), [b"abc\0\xff\0"]))
value("h5-string-ascii", "utf8", "Text in UTF-8.",
      holding(a_string(0, 6), ["gr\u00fcn".encode() + b"\0"]))
sound("h5-enum-value-any", "7", "The value 7 of an enumeration of 1 and 2.",
      holding(enum({"A": 1, "B": 2}), [b"\1", b"\7", b"\0"]))


def narrow():
    made = integer(4)
    made.properties = [("bit offset", 4, 2), ("precision", 17, 2)]
    return made


sound("h5-padding-bits-any", "ones", "17 bits whose other bits are set.",
      holding(narrow(), [b"\xff" * 4, bytes(4)]))

# Old references -----------------------------------------------------------------------------------


def target():
    return {"t": plain(I32, shape=(6, 4))().at("/d")}


def to(path="/t", further=0):
    return lambda heap, file: Struct(("address", At(file.at(path).block, further), 8))


sound("h5-object-reference-target", "dataset-and-root", "References to a dataset and to the root, and two null ones.",
      holding(reference(), [to(), to("/"), bytes(8), b"\xff" * 8], others=target),
      keeps=["h5-object-reference-inside"])
value("h5-object-reference-target", "middle", "The address after that of an object.",
      holding(reference(), [to(), to("/t", 8)], others=target))
sound("h5-object-reference-inside", "dataset", "A reference to a dataset.",
      holding(reference(), [to()], others=target))
value("h5-object-reference-inside", "far", "An address far beyond the file.",
      holding(reference(), [to(), u64(5188146770730811392)], others=target, **FILLED))
value("h5-object-reference-target", "never-written", "An address far beyond the file, in storage that was not filled.",
      holding(reference(), [to(), u64(5188146770730811392)], others=target))


def points(*coordinates, rank=2):
    body = u32(rank, len(coordinates)) + b"".join(u32(*each) for each in coordinates)
    return u32(1, 1, 0, len(body)) + body


def regions(*objects, elements=None, others=target):
    """Region references to objects (address or path, selection)."""
    def base():
        made = holding(reference(1), elements or [
            (lambda heap, file, i=i: heap_id(heap, i + 1)) for i in range(len(objects))],
            {i + 1: bytes(8) + selection if path is not None else selection
             for i, (path, selection) in enumerate(objects)}, others)()
        node, before = made.at("/d"), made.at("/d").body

        def body(file, image):
            listed = before(file, image)
            heap = image["GCOL /d"]
            for i, (path, selection) in enumerate(objects):
                if isinstance(path, str):
                    heap[f"object {i + 1}.data"] = Struct(
                        ("address", file.at(path).block, 8), ("selection", selection))
            return listed

        node.body = body
        return made
    return base


ROW = points((1, 0), (5, 3))

sound("h5-region-reference-object-exists", "points", "Two points of a dataset, and a null reference.",
      regions(("/t", ROW), elements=[lambda heap, file: heap_id(heap, 1), bytes(12)]),
      keeps=["h5-region-reference-fits", "h5-region-reference-target",
             "h5-region-reference-bounds"])
for index in (0, 9):
    value("h5-region-reference-object-exists", f"index-{index}", f"The index {index}.",
          regions(("/t", ROW), elements=[lambda heap, file, i=index: heap_id(heap, i)]))
sound("h5-region-reference-fits", "all", "A region that is all of a dataset.",
      regions(("/t", u32(3, 1) + bytes(8))))
value("h5-region-reference-fits", "address-only", "An object of 8 bytes.",
      regions((None, bytes(8))))
sound("h5-region-reference-target", "dataset", "A region of a dataset.", regions(("/t", ROW)))
value("h5-region-reference-target", "group", "A region of a group.", regions(("/", ROW)))
value("h5-region-reference-target", "never-written", "No collection at the address, in storage that was not filled.",
      holding(reference(1), [u64(5188146770730811392) + u32(1)], others=target))
changed("h5-global-heap-signature", "of-regions",
        "The collection of a region reference begins with GCOM, in storage that was not filled.",
        {"GCOL /d: signature": b"GCOM"}, base=regions(("/t", ROW)))
value("h5-region-reference-object-exists", "no-collection", "The address of a dataset.",
      holding(reference(1), [lambda heap, file: Struct(("address", file.at("/t").block, 8), ("index", 1, 4))],
              others=target, **FILLED), fails={"h5-global-heap-signature"})
value("h5-region-reference-target", "null", "A region of nothing.", regions((0, ROW)))
sound("h5-region-reference-bounds", "last", "The last element.", regions(("/t", points((5, 3)))))
for slug, point in (("row-6", (6, 0)), ("column-4", (0, 4))):
    value("h5-region-reference-bounds", slug, f"The point {point} of 6 by 4.",
          regions(("/t", points(point))))

# Revised references -------------------------------------------------------------------------------


def revised(kind=2, flags=0, token=8, path="/t"):
    """An element of 18 bytes with a token."""
    return lambda heap, file: Struct(("kind", kind, 1), ("flags", flags, 1), ("token size", token, 1),
                                     ("token", file.at(path).block, 8), ("rest", bytes(7)))


REVISED = reference(2, 4)


def kept(kind=3, flags=0, size=None, index=1):
    """An element of 18 bytes that leads to a block in the heap."""
    return lambda heap, file: Struct(("kind", kind, 1), ("flags", flags, 1),
                                     ("value", element(size, heap, index)))


def block_of(*parts, path="/t", token=8):
    """The block of a reference; `path` None: a token of zeros."""
    return path, token, b"".join(parts)


def blocks(kind, parts, flags=0, size=None, index=1, others=target):
    """A revised reference with this block in the heap."""
    path, token, rest = parts
    length = 1 + 8 + len(rest)

    def base():
        made = holding(REVISED, [kept(kind, flags, length if size is None else size, index)],
                       {1: bytes(length)}, others)()
        node, before = made.at("/d"), made.at("/d").body

        def body(file, image):
            listed = before(file, image)
            image["GCOL /d"]["object 1.data"] = Struct(
                ("token size", token, 1), ("token", file.at(path).block if path else 0, 8),
                *([("rest", rest)] if rest else []))
            return listed

        node.body = body
        return made
    return base


def sized(selection, rank=2, size=None):
    return u32(len(selection) if size is None else size, rank) + selection


def named(name, length=None):
    return (len(name) if length is None else length).to_bytes(2, "little") + name


ALL = u32(3, 1) + bytes(8)


def with_attribute():
    made = target()
    made["t"].attributes = [Attribute(b"Attr\0", I8, (), b"\1")]
    return made


EXTERNAL_REFERENCE = {"also": ["h5-risk-external-reference"]}

sound("h5-reference-kind", "object", "A reference to an object, and a null one.",
      holding(REVISED, [revised(), bytes(18)], others=target),
      keeps=["h5-reference-flags", "h5-reference-token"])
for kind in (5, 1):
    value("h5-reference-kind", str(kind), f"A reference of kind {kind}.",
          holding(REVISED, [revised(kind)], others=target, **FILLED))
value("h5-object-reference-target", "never-written-revised", "A reference of kind 77, in storage that was not filled.",
      holding(REVISED, [revised(77)], others=target))
sound("h5-reference-flags", "0", "Flags 0.", holding(REVISED, [revised()], others=target))
for flags in (0xF3, 0x02):
    value("h5-reference-flags", f"{flags:02x}", f"Flags {flags:#x}.",
          holding(REVISED, [revised(flags=flags)], others=target))
sound("h5-reference-token", "8", "A token of 8 bytes.",
      holding(REVISED, [revised()], others=target))
for token in (0, 4, 17):
    value("h5-reference-token", str(token), f"A token of {token} bytes.",
          holding(REVISED, [revised(token=token)], others=target))
value("h5-reference-token", "in-a-block", "A token of 4 bytes in a block.",
      blocks(3, block_of(sized(ROW), token=4)))
sound("h5-reference-object-exists", "region", "A region in the heap.", blocks(3, block_of(sized(ROW))),
      keeps=["h5-reference-block-size", "h5-reference-block-fits", "h5-reference-selection-size"])
value("h5-reference-object-exists", "index-2", "The index 2 of one object.",
      blocks(3, block_of(sized(ROW)), index=2))
value("h5-region-reference-target", "null-in-a-block", "A region of nothing, in a block.",
      blocks(3, block_of(sized(ROW), path=None)))
sound("h5-reference-block-size", "spare", "Spare bytes after the fields.",
      blocks(3, block_of(sized(ROW), bytes(20))))
for size in (16, 56):
    value("h5-reference-block-size", str(size), f"{size} bytes stated of a larger block.",
          blocks(3, block_of(sized(ROW)), size=size))
sound("h5-reference-block-fits", "attribute", "The name of an attribute at the end.",
      blocks(4, block_of(named(b"Attr")), others=with_attribute),
      keeps=["h5-reference-attribute-name", "h5-reference-attribute-exists"])
value("h5-reference-block-fits", "name", "A name that is longer than its block.",
      blocks(4, block_of(named(b"Attr", 5)), others=with_attribute))
value("h5-reference-block-fits", "token-only", "A block that ends after its token.",
      blocks(3, block_of()))
sound("h5-reference-file-name", "src", "An object of another file.",
      blocks(2, block_of(named(b"/data/src.h5")), 1), **EXTERNAL_REFERENCE)
value("h5-reference-file-name", "0", "A name of a file of no bytes.", blocks(2, block_of(named(b"")), 1))
value("h5-reference-file-name", "nul", "A name of a file with a NUL.",
      blocks(2, block_of(named(b"src\0.h5")), 1))
sound("h5-reference-selection-size", "16", "16 bytes of a selection of all.",
      blocks(3, block_of(sized(ALL))))
for size in (15, 100):
    value("h5-reference-selection-size", str(size), f"{size} bytes stated for 16.",
          blocks(3, block_of(sized(ALL, size=size), bytes(100))))
sound("h5-reference-attribute-name", "attr", "The name Attr.",
      blocks(4, block_of(named(b"Attr")), others=with_attribute))
value("h5-reference-attribute-name", "0", "A name of no bytes.",
      blocks(4, block_of(named(b"")), others=with_attribute))
value("h5-reference-attribute-name", "nul", "A name with a NUL.",
      blocks(4, block_of(named(b"At\0r")), others=with_attribute))
sound("h5-reference-attribute-exists", "attr", "An attribute that is there.",
      blocks(4, block_of(named(b"Attr")), others=with_attribute))
value("h5-reference-attribute-exists", "gone", "An attribute that is not there.",
      blocks(4, block_of(named(b"Gone")), others=with_attribute))
sound("h5-risk-external-reference", "inside", "A reference inside the file.",
      blocks(3, block_of(sized(ROW))))
value("h5-risk-external-reference", "src", "A reference into another file.",
      blocks(2, block_of(named(b"/data/src.h5")), 1))

# Fill values --------------------------------------------------------------------------------------


def filled_with(length, index):
    """The fill value of a dataset of sequences."""
    def base():
        made = holding(SEQUENCE, [at(2, 3)], THREE)()
        node, before = made.at("/d"), made.at("/d").body
        node.fill = Fill(value=bytes(16))

        def body(file, image):
            listed = before(file, image)
            fill = next(each for each in listed if each.name == "fill")
            made_of = fill.body(file.w)
            made_of["value"] = element(length, image["GCOL /d"], index)
            fill.body = made_of
            return listed

        node.body = body
        return made
    return base


sound("h5-fill-value-resolves", "three", "A fill value of three integers.", filled_with(3, 1))
value("h5-fill-value-resolves", "index-9", "An index that the collection does not have.",
      filled_with(3, 9))
value("h5-fill-value-resolves", "length-4", "Four integers in 12 bytes.", filled_with(4, 1))

# Risks --------------------------------------------------------------------------------------------


def coded(content, **options):
    return holding(opaque(len(content), b""), [content])


sound("h5-risk-serialized-code", "text", "Plain text.", coded(b"plain text"))
sound("h5-risk-serialized-code", "no-stop", "The first byte of a pickle, and no stop.",
      coded(b"\x80\x04abc"))
for slug, shows, content in (
        ("pickle-4", "A pickle of protocol 4.", b"\x80\x04N."),
        ("pickle-0", "A pickle of protocol 0.", b"cos\nsystem\n(S'ls'\ntR."),
        ("java", "Serialized Java objects.", b"\xac\xed\0\x05sr"),
        ("lambda", "A Lambda layer with compiled code.",
         b'{"class_name": "Lambda", "config": {"function": ["4wEAAAA=", null]}}')):
    value("h5-risk-serialized-code", slug, shows, coded(content))


CALL = b"cos\nsystem\n(S'ls'\ntR."
value("h5-risk-serialized-code", "second-text", "A pickle of protocol 0 in the second of two texts.",
      holding(a_string(0, 24), [b"plain".ljust(24, b"\0"), CALL.ljust(24, b"\0")]))
value("h5-risk-serialized-code", "bytes-of-variable-length", "A pickle in a sequence of bytes.",
      holding(vlen(U8), [at(len(CALL), 1)], {1: CALL}))
value("h5-risk-serialized-code", "over-two-chunks", "A pickle of eight bytes in chunks of four.",
      lambda: extensible(type=U8, shape=(8,), written={(0,): Chunk(content=b"\x80\x04ab"),
                                                       (1,): Chunk(content=b"cdN.")}))


def levels(last):
    """Objects of ten equal ids each, one inside the other."""
    return {index: (10, index + 1 if index < last else 0) for index in range(1, last + 1)}


sound("h5-risk-vlen-amplification", "four-levels", "Four levels of ten equal ids.", deep(5, levels(4)))
value("h5-risk-vlen-amplification", "nine-levels", "Nine levels of ten equal ids.",
      deep(10, levels(9)))

# Remains ------------------------------------------------------------------------------------------


def with_remains(size):
    """A file of about 800 bytes, and a block that nothing names."""
    def base():
        made = plain(I32)()
        image = made.image
        image.add(Block("remains", "", ("bytes", b"a secret" * (size // 8))))
        return made
    return base


sound("h5-risk-hidden-bytes", "none", "No byte that nothing reaches.", plain(I32))
sound("h5-risk-hidden-bytes", "1016", "1,016 bytes that nothing reaches.", with_remains(1016))
value("h5-risk-hidden-bytes", "1024", "1,024 bytes that nothing reaches.", with_remains(1024))


def with_message(content):
    """A message that is left from another."""
    def base():
        made = plain(I32)()
        made.at("/d").header.extra = [raw("nil", content)]
        return made
    return base


sound("h5-risk-hidden-bytes", "zeros", "An empty message of 2,000 zeros.", with_message(bytes(2000)))
value("h5-risk-hidden-bytes", "message", "An empty message of 2,000 bytes of old data.", with_message(b"a secret" * 250))
sound("h5-risk-hidden-bytes", "few-old-strings", "An object of 1,000 bytes in the heap that nothing names.",
      holding(text(), [at(4, 1)], {1: b"text", 2: b"old" * 333 + b"!"}))
value("h5-risk-hidden-bytes", "old-strings", "An object of 1,200 bytes in the heap that nothing names.",
      holding(text(), [at(4, 1)], {1: b"text", 2: b"old" * 400}))
