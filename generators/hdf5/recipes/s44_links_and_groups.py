"""IV.A.2.c, IV.A.2.g, IV.A.2.k and IV.A.2.r of the File Format Specification: links and groups."""

from generators.hdf5 import *
from generators.hdf5 import messages

from .s40_datatype_classes import plain, sound


def group(links=None, **options):
    """A group of a dataset "a" and these links."""
    def base():
        made = File(Group(links={"a": plain(I32)().at("/d")}, **options))
        made.root.links.update(links or {})
        return made
    return base


def link(clause, slug, shows, links, fields, **options):
    """The link "b" with other values in some fields."""
    changed(clause, slug, shows, {f"OHDR /: link 1.{name}": value for name, value in fields.items()},
            base=group(links), **options)


def soft_b(value=b"a", **options):
    return {"b": soft(value, **options)}


def external_b(value=b"\0other.h5\0/x\0", kind=EXTERNAL):
    return {"b": Link(value, kind)}


OUT = {"also": ["h5-risk-external-link"]}

# Link messages ------------------------------------------------------------------------------------

sound("h5-link-type-stored-hard", "no-type", "A hard link without a type.", group())
invalid("h5-link-type-stored-hard", "0", "A hard link that says so.",
        base=lambda: File(Group(links={"a": Link(plain(I32)().at("/d"), HARD, {"typed": True})})))(
            lambda f: None)
sound("h5-link-charset", "utf8", "A name in UTF-8.", group({"gr\u00fcn": soft(b"a", charset=1)}),
      keeps=["h5-link-charset-stored-ascii", "h5-link-name-utf8"])
for charset in (2, 255):
    invalid("h5-link-charset", str(charset), f"Character set {charset}.",
            base=group(soft_b(charset=charset)))(lambda f: None)
sound("h5-link-charset-stored-ascii", "none", "A name in ASCII.", group(soft_b()))
invalid("h5-link-charset-stored-ascii", "0", "The character set 0.", base=group(soft_b(charset=0)))(
    lambda f: None)


def bytes_named(name, **options):
    def base():
        made = group()()
        made.root.links = [(b"a", made.root.links["a"]), (name, soft(b"a", **options))]
        return made
    return base


sound("h5-link-name-utf8", "four-bytes", "Letters of two, three and four bytes.",
      bytes_named("\u00fc\u20ac\U0001d11e".encode(), charset=1))
for slug, name in (("ff", b"a\xff"), ("cut", b"a\xc3"), ("overlong", b"\xc0\xaf"),
                   ("surrogate", b"\xed\xa0\x80")):
    invalid("h5-link-name-utf8", slug, f"The name {name!r} in UTF-8.",
            base=bytes_named(name, charset=1))(lambda f: None)
sound("h5-link-name-ascii", "plain", "A plain name.", group(soft_b()),
      keeps=["h5-link-name-nul", "h5-link-name-reachable"])
invalid("h5-link-name-ascii", "utf8", "A name in UTF-8 that does not say so.",
        base=bytes_named("gr\u00fcn".encode()))(lambda f: None)
invalid("h5-link-name-ascii", "latin-1", "A name in Latin-1.", base=bytes_named(b"gr\xfcn"))(
    lambda f: None)
sound("h5-link-name-nul", "5-letters", "A name of five letters.", bytes_named(b"abcde"))
for slug, name in (("end", b"abcde\0"), ("middle", b"ab\0de")):
    invalid("h5-link-name-nul", slug, f"The name {name!r}.", base=bytes_named(name),
            also=["h5-risk-link-name"])(lambda f: None)
sound("h5-link-name-reachable", "dot", "The name a.b.", bytes_named(b"a.b"))
invalid("h5-link-name-reachable", "slash", "The name a/b.", base=bytes_named(b"a/b"))(lambda f: None)
invalid("h5-link-name-reachable", "dot", "The name \".\".", base=bytes_named(b"."),
        also=["h5-risk-link-name"])(lambda f: None)

sound("h5-link-soft-value-not-empty", "one-letter", "A path of one letter.", group(soft_b()),
      keeps=["h5-link-soft-value-nul"])
invalid("h5-link-soft-value-not-empty", "0", "A path of no letters.", base=group(soft_b(b"")))(
    lambda f: None)
sound("h5-link-soft-value-nul", "path", "The path /a.", group(soft_b(b"/a")))
for slug, value in (("middle", b"/a\0b"), ("end", b"/a\0")):
    invalid("h5-link-soft-value-nul", slug, f"The path {value!r}.", base=group(soft_b(value)),
            also=["h5-risk-soft-link-dangling"])(lambda f: None)

sound("h5-link-external-form", "two-strings", "A file and an object.", group(external_b()),
      keeps=["h5-link-external-version", "h5-link-external-names"], **OUT)
for slug, value in (("0", b""), ("no-nul", b"\0other.h5\0/x"), ("behind", b"\0other.h5\0/x\0y\0"),
                    ("one-string", b"\0other.h5\0"), ("after", b"\0other.h5\0/x\0y")):
    invalid("h5-link-external-form", slug, f"The value {value!r}.", base=group(external_b(value)),
            **OUT)(lambda f: None)
sound("h5-link-external-version", "0", "Version and flags 0.", group(external_b()), **OUT)
for first in (0x10, 0x01):
    invalid("h5-link-external-version", f"{first:02x}", f"The first byte is {first:#x}.",
            base=group(external_b(bytes([first]) + b"other.h5\0/x\0")), **OUT)(lambda f: None)
sound("h5-link-external-names", "slash", "The root of another file.",
      group(external_b(b"\0other.h5\0/\0")), **OUT)
invalid("h5-link-external-names", "file", "No name of a file.",
        base=group(external_b(b"\0\0/x\0")),
        also=["h5-risk-external-link", "h5-risk-external-link-path"])(lambda f: None)
invalid("h5-link-external-names", "object", "No path of an object.",
        base=group(external_b(b"\0other.h5\0\0")), **OUT)(lambda f: None)
sound("h5-link-user-any", "187", "Links of types 65, 187 and 255.",
      group({name: Link(value, kind) for name, value, kind in
             (("b", b"", 65), ("c", b"abc\0\xff\0", 187), ("e", bytes(300), 255))}),
      also=["h5-risk-user-defined-link"])

# Groups -------------------------------------------------------------------------------------------


def old_group(**options):
    return File(Group(links={"a": soft(b"b")}, storage=SymbolTable(), header=Header(version=1)),
                superblock=0, **options)


old_group.reports = ("h5-risk-soft-link-dangling", "h5-symbol-soft-link-address")


def with_extra(base, *extra):
    def made():
        file = base()
        file.root.header.extra = list(extra)
        return file
    made.reports = getattr(base, "reports", ())
    return made


DANGLING = Message("link", lambda w: messages.link(w, b"z", b"x", SOFT))

sound("h5-link-needs-link-info", "old", "An old group without link messages.", old_group,
      keeps=["h5-group-one-style"])
invalid("h5-link-needs-link-info", "old", "A link message in an old group.",
        base=with_extra(old_group, DANGLING))(lambda f: None)
sound("h5-group-one-style", "new", "A new group.", group())
invalid("h5-group-one-style", "both", "Link info in an old group.",
        base=with_extra(old_group, Message("link info", messages.link_info)))(lambda f: None)

sound("h5-links-one-storage", "dense", "A dense group of nine links.",
      group({f"l{i}": soft(b"a") for i in range(8)}, storage=dense_links()),
      keeps=["h5-links-storage-as-phase"])
invalid("h5-links-one-storage", "both", "A dense group with one link message.",
        base=with_extra(group({f"l{i}": soft(b"a") for i in range(8)}, storage=dense_links()),
                        Message("link", lambda w: messages.link(w, b"z", b"a", SOFT))))(
            lambda f: None)


def two(maximum=2, orders=(0, 1), **options):
    """A dataset "a" without a problem and soft links with these creation orders."""
    def base():
        made = File(Group(links={
            "a": Link(plain(I32)().at("/d"), HARD, {} if orders[0] is None else {"order": orders[0]}),
            "b": soft(b"a", **({} if orders[1] is None else {"order": orders[1]}))},
            tracked=maximum, **options))
        return made
    return base


sound("h5-link-info-maximum", "2", "A maximum of 2.", two())
changed("h5-link-info-maximum", "all-ones", "A maximum of all ones.",
        {"OHDR /: link info.maximum creation index": (1 << 64) - 1}, base=two())
changed("h5-link-info-maximum", "2-63", "A maximum of 2^63.",
        {"OHDR /: link info.maximum creation index": 1 << 63}, base=two())


def info(**options):
    """An empty group with this link info."""
    def base():
        made = File(Group(links={"d": Group(info=None)}))
        inner = made.at("/d")
        inner.body = lambda file, image: [Message(
            "link info", lambda w: messages.link_info(w, **options))]
        return made
    return base


sound("h5-link-order-indexed-tracked", "both", "A creation order that is tracked and indexed.",
      info(tracked=0, order=True), keeps=["h5-link-info-order-index"])
invalid("h5-link-order-indexed-tracked", "link-info", "Link info with flags 2.",
        base=info(order=True))(lambda f: None)


@invalid("h5-link-order-indexed-tracked", "header", "A header with flags 0x08.",
         base=lambda: of(d=plain(I32)().at("/d")))
def header_flags(f):
    f["OHDR /d"]["flags"] = 0x08


changed("h5-link-info-order-index", "without-a-heap", "An index of the order, and no heap.",
        {"OHDR /d: link info.order index": 4096}, base=info(tracked=0, order=True))


@invalid("h5-link-info-order-index", "no-index", "A heap, and no index of the order.",
         base=group({f"l{i}": soft(b"a", order=i) for i in range(8)}, storage=dense_links(),
                    tracked=9), less=[], also=["h5-link-order-as-info"])
def no_index(f):
    header = f["OHDR /"]
    header["link info.flags"] = 3
    header["link info.name index"] = Struct(("one", header["link info.name index"], 8),
                                            ("order", None, 8))


sound("h5-link-order-as-info", "tracked", "Two links with their orders.", two(),
      keeps=["h5-link-order-unique"])
sound("h5-link-order-as-info", "not-tracked", "Links without orders.", group(soft_b()))
invalid("h5-link-order-as-info", "without", "A link without an order in a group that tracks it.",
        base=two(2, (0, None)))(lambda f: None)
invalid("h5-link-order-as-info", "with", "A link with an order in a group that does not.",
        base=two(None, (None, 0)))(lambda f: None)
sound("h5-link-order-unique", "0-1", "The orders 0 and 1.", two())
invalid("h5-link-order-unique", "1-twice", "The order 1 twice.", base=two(2, (1, 1)))(lambda f: None)


def many(count, **options):
    return group({f"l{i}": soft(b"a") for i in range(count - 1)}, **options)


sound("h5-links-storage-as-phase", "8", "Eight links in the header.", many(8))
sound("h5-links-storage-as-phase", "6-dense", "Six links in a heap.", many(6, storage=dense_links()))
sound("h5-links-storage-as-phase", "12-of-12", "Twelve links in the header, as the group says.",
      many(12, info={"phase": (12, 6)}))
invalid("h5-links-storage-as-phase", "9", "Nine links in the header.", base=many(9))(lambda f: None)
invalid("h5-links-storage-as-phase", "5-dense", "Five links in a heap.",
        base=many(5, storage=dense_links()))(lambda f: None)
sound("h5-group-info-phase-change", "equal", "Both numbers are 6.",
      group(info={"phase": (6, 6)}))
invalid("h5-group-info-phase-change", "2-and-9", "At most 2 compact, at least 9 dense links.",
        base=group(info={"phase": (2, 9)}))(lambda f: None)
invalid("h5-group-info-phase-change", "5-and-6", "At most 5 compact, at least 6 dense links.",
        base=group(info={"phase": (5, 6)}))(lambda f: None)

invalid("h5-group-info-phase-change", "dense", "Five links in a heap; at most 5 compact, at least 9 dense links.",
        base=many(5, storage=dense_links(), info={"phase": (5, 9)}))(lambda f: None)

# Risks --------------------------------------------------------------------------------------------

sound("h5-risk-external-link", "none", "No link into another file.", group(soft_b()), keeps=[
    "h5-risk-external-link-path", "h5-risk-user-defined-link", "h5-risk-soft-link-loop",
    "h5-risk-soft-link-dangling", "h5-risk-group-cycle", "h5-risk-group-depth",
    "h5-risk-objects-many"])
invalid("h5-risk-external-link", "one", "A link into another file.", base=group(external_b()))(
    lambda f: None)
invalid("h5-risk-external-link", "twelve", "Twelve links into other files.",
        base=group({f"l{i:02}": Link(b"\0f%d.h5\0/x\0" % i, EXTERNAL) for i in range(12)},
                   storage=dense_links()))(lambda f: None)
sound("h5-risk-external-link-path", "below", "A file in a folder below.",
      group(external_b(b"\0sub/other.h5\0/x\0")), **OUT)
for slug, name in (("absolute", "/etc/passwd"), ("dots", "../secret.h5"), ("drive", "C:/x.h5"),
                   ("unc", "//host/share/x.h5"), ("backslash", "\\x.h5"), ("url", "http://h/x.h5"),
                   ("inner-dots", "sub/../../x.h5"), ("control", "a\nb.h5")):
    invalid("h5-risk-external-link-path", slug, f"A link into {name!r}.",
            base=group(external_b(b"\0" + name.encode() + b"\0/x\0")), **OUT)(lambda f: None)
invalid("h5-risk-user-defined-link", "187", "A link of type 187.",
        base=group(external_b(b"abcdef", 187)))(lambda f: None)
sound("h5-risk-soft-link-loop", "three", "A chain of three soft links.",
      group({"b": soft(b"a"), "c": soft(b"b"), "e": soft(b"/c")}))


def chain(length):
    links = {"l0": soft(b"a")}
    for i in range(1, length):
        links[f"l{i}"] = soft(b"l%d" % (i - 1))
    return group(links, storage=dense_links())


sound("h5-risk-soft-link-loop", "16", "A chain of sixteen soft links.", chain(16))
invalid("h5-risk-soft-link-loop", "17", "A chain of seventeen soft links.", base=chain(17))(
    lambda f: None)
invalid("h5-risk-soft-link-loop", "two", "Two soft links that name each other.",
        base=group({"b": soft(b"c"), "c": soft(b"b")}))(lambda f: None)
invalid("h5-risk-soft-link-loop", "inside", "A soft link to something below itself.",
        base=group({"b": soft(b"b/x")}))(lambda f: None)
sound("h5-risk-soft-link-dangling", "group", "A soft link to the root, one through a group.",
      lambda: File(Group(links={"g": Group(links={"a": plain(I32)().at("/d")}), "r": soft(b"/"),
                                "s": soft(b"g/a"), "t": soft(b"/g/./a")})))
invalid("h5-risk-soft-link-dangling", "nothing", "A soft link to nothing.",
        base=group(soft_b(b"/nothing")))(lambda f: None)
invalid("h5-risk-soft-link-dangling", "below-a-dataset", "A soft link to something in a dataset.",
        base=group(soft_b(b"/a/x")))(lambda f: None)


def cycle(to_root):
    def base():
        made = File(Group(links={"g": Group(links={})}))
        target = made.root if to_root else made.at("/g")
        made.at("/g").links["up"] = target
        target.header.count = 2 if not to_root else 1
        return made
    return base


invalid("h5-risk-group-cycle", "itself", "A group that contains itself.", base=cycle(False))(
    lambda f: None)


def deep(levels):
    def base():
        node = Group(links={})
        for _ in range(levels):
            node = Group(links={"g": node})
        return File(node)
    return base


sound("h5-risk-group-depth", "64", "64 groups inside the root.", deep(64))
invalid("h5-risk-group-depth", "65", "65 groups inside the root.", base=deep(65))(lambda f: None)
sound("h5-risk-link-name", "plain", "Plain names.",
      group({"temperature": soft(b"a"), "a-b": soft(b"a"), "console": soft(b"a"),
             "COM10": soft(b"a"), "x" * 255: soft(b"a", width=2)}))
for slug, name in (("dots", ".."), ("backslash", "a\\b"), ("colon", "C:x"), ("device", "CON"),
                   ("device-with-ending", "com1.txt"), ("tilde", "~x"), ("minus", "-rf"),
                   ("line-feed", "a\nb"), ("delete", "a\x7f"), ("long", "x" * 256)):
    invalid("h5-risk-link-name", slug, f"The name {name[:20]!r}.",
            base=bytes_named(name.encode(), width=2))(lambda f: None)
for slug, name in (("override", "a\u202eb"), ("isolate", "a\u2066b")):
    invalid("h5-risk-link-name", slug, "A name with a direction mark.",
            base=bytes_named(name.encode(), charset=1))(lambda f: None)
