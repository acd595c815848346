"""HEP001 7.5, the permitted locations of a table."""

from generators.hep001 import *


@valid("placement-root", base=lambda: good_table("/"))
def root_group(t):
    "The root group is the table group, with everything that a table may have."


@valid("placement-nested-and-multiple", tables={"/a/b/second": {}},
       base=lambda: small_table("/a/b/first"))
def two_beside_an_image(t):
    "Two tables in one group, next to a three-dimensional dataset and a group of other data."
    good_table("/a/b/second", t.file)
    t.file.put("/images", Dataset(U8, [0] * 8, (2, 2, 2)))
    t.file.put("/a/b/notes/comment", Dataset(U8, 7, ()))


@valid("placement-nested-and-multiple",
       base=lambda: small_table("/run 1/\u00fcbersicht/a.b/-/\u8868"))
def odd_path(t):
    "The path of the table has spaces, dots and letters beyond ASCII."


@valid("placement-nested-and-multiple", base=lambda: small_table("/" + "/".join("d" * 40)))
def deep_path(t):
    "The table lies forty groups deep."


@valid("placement-nested-and-multiple")
def reachable_by_two_paths(t):
    "A second hard link outside leads to the table group; it is still one table."
    t.file.put("/zz/again", HardLink(t))


@valid("placement-nested-and-multiple", base=lambda: small_table("/loop/events"))
def hard_link_cycle(t):
    "A group above the table holds a hard link to its own parent."
    t.file.root.children["loop"].add("up", HardLink(t.file.root))


@valid("placement-nested-and-multiple", tables={"/c/t": {}, "/b": {}},
       base=lambda: small_table("/a"))
def links_of_every_kind_outside(t):
    "Soft, dangling, external and user-defined links lie around three tables."
    small_table("/c/t", t.file)
    small_table("/b", t.file)
    t.file.put("/soft", SoftLink("/a"))
    t.file.put("/dangling", SoftLink("/nowhere"))
    t.file.put("/external", ExternalLink("other.h5", "/t"))
    t.file.put("/user", UserLink())
