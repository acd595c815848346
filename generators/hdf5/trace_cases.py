"""For each clause about writers that a log can show, a log that satisfies it and one that violates it and no other;
and logs in which several things happen: with two datasets, several flushes, a second session, or a user block.

    python3 -m generators.hdf5.trace_cases FOLDER            (writes CLAUSE.good.log, CLAUSE.broken.log and the others)
    python3 -m generators.hdf5.trace_cases --check FOLDER    (fails if one of them differs)

The tests of `hepcheck trace check` use them, and the unit tests of the checks read the written logs.
"""

import functools
import random
import sys
from pathlib import Path

from generators.hdf5 import *
from generators.hdf5 import bases, btree2, messages
from generators.hdf5.datatypes import array, integer, reference, string, vlen
from generators.hdf5.trace import NAME, RAW, UNKNOWN, Log, Session


def extensible():
    """Three chunks become five: two in the index block, two in a data block, and one in a new
    data block."""
    return bases.extensible(shape=(10,)), bases.extensible(shape=(18,))


EA_CHUNKS = ("chunk /d 3", "chunk /d 4")
EA_INDEX = ("EADB /d 0", "EADB /d 1", "EAIB /d", "EAHD /d")


def ea(**options):
    return Session(*extensible(), **options)


def append(session=None):
    """An append in the correct order."""
    session = session or ea()
    return session.write(*EA_CHUNKS, *EA_INDEX, "OHDR /d").flush().close()


def in_order(*blocks, of=ea):
    return lambda: of().write(*blocks).flush().close()


def supers(**options):
    return Session(bases.bytewise(8), bases.bytewise(12), **options)


RANKS = ("chunk", "TREE", "BTLF", "BTIN", "EADB", "FADB", "EASB", "EAIB", "EAHD", "FAHD", "BTHD",
         "OCHK", "OHDR /d")


def wanted_of(session, kept=()):
    """The blocks of the dataset that a session must write, children first."""
    from generators.hdf5.trace import names
    found = []
    for rank in RANKS:
        for name, block in names(session.after.image).items():
            at = session.base + block.address
            there = session.old[at:at + block.size()]
            if name.startswith(rank) and there != block.bytes() and name not in kept:
                found.append(name)
    return found


def ordered(session, move=None, behind=None):
    """All changed blocks, children first, except that `move` is written directly after `behind`."""
    blocks = wanted_of(session)
    if move:
        blocks.remove(move)
        blocks.insert(blocks.index(behind) + 1, move)
    return session.write(*blocks).flush().close()


def changed_block(session, name, field, value):
    """A block with another value in one field and a matching checksum."""
    block = session.block(name)
    kept, block[field] = block[field], value
    session.raw(block.address, session.bytes_of(name))
    block[field] = kept
    return session


def statistics_early():
    session = ea().write(*EA_CHUNKS, *EA_INDEX[:-1])
    changed_block(session, "EAHD /d", "maximum index", 4)
    return session.write("EAHD /d", "OHDR /d").flush().close()


def continued(split=(3,), moved=("OCHK /d",)):
    def made(shape):
        return bases.extensible(shape=shape, header=Header(split=split))
    return Session(made((10,)), made((14,)), moved=moved)


def in_three_blocks():
    return continued((3, 5), ("OCHK /d 0", "OCHK /d 1"))


def circle():
    session = ea()
    session.block("EADB /d 1")["element 0.address"] = session.block("EAIB /d")
    return session.write(EA_CHUNKS[0], *EA_INDEX, "OHDR /d").flush().close()


def tree1_splits(*nodes):
    def made(count):
        file = bases.chunk_tree(shape=(count,), chunk=(1,), type=U8, storage=ChunkTree(2))
        file.k_chunk = 1
        return file
    before = made(2)
    session = Session(before, made(3), moved=("TREE /d 0",), swmr=False)
    # The root keeps its address: the last of the nodes replaces the old root.
    session.block("TREE /d 2").address = before.image["TREE /d"].address
    return session.write("chunk /d 2", *nodes, "OHDR /d").flush().close()


def inside(name, make, at):
    """Places other data in the unused end of a node."""
    session = Session(make(), make(), swmr=name.startswith("BTLF"))
    block = session.block(name)
    return session.raw(block.address + block.size() + at, b"\5\6\7\10", RAW).flush().close()


def behind_the_node(right):
    session = Session(bases.chunk_tree(), bases.chunk_tree(), swmr=False)
    block = session.block("TREE /d")
    number = lookup3(session.bytes_of("TREE /d")) + 1 - right
    return session.raw(block.address + block.size(),
                       number.to_bytes(4, "little")).flush().close()


def one_leaf(**options):
    return Session(bases.btree2_leaf(shape=(2, 6)), bases.btree2_leaf(shape=(4, 6)), **options)


def counted_anew():
    session = fixed().write(*wanted_of(fixed()))
    return changed_block(session, "FAHD /d", "count", 13).write("FAHD /d").flush().close()


def fixed(**options):
    return Session(bases.fixed(shape=(10,)), bases.fixed(shape=(18,)), **options)


def first_index(**options):
    """The dataset gets its index together with its first chunks."""
    return Session(bases.extensible(shape=(10,), unused="index"), bases.extensible(shape=(10,)),
                   **options)


def paged(also=(), count=16, **options):
    """The last page of a fixed array is used for the first time."""
    make = lambda written: of_(shape=(count,), maximum=(count,), chunk=(1,), type=U8,
                               storage=FixedArray(2), written=written)
    return Session(make([0, 1, 8]), make([0, 1, 8, 12, *also]), **options)


def of_(**options):
    return bases.of(d=Dataset(**options))


def paged_in(order, **which):
    session = paged(**which)
    session.write(*[name for name in wanted_of(session) if name.startswith("chunk")])
    for step in order:
        if step == "block":
            session.part("FADB /d", 0, "page 0")
        elif step == "page":
            session.part("FADB /d", "page 3")
        elif step == "page 1":
            session.part("FADB /d", step, "page 2")
        else:
            session.write(step)
    return session.flush().close()


def paged_array(*order):
    """The second page of the last data block of an extensible array is used for the first time."""
    session = Session(bases.paged(), bases.bytewise(130, [0, 64, 72, 80, 104, 112, 120]))
    session.write(*[name for name in wanted_of(session) if name.startswith("chunk")])
    for step in order:
        if step == "page":
            session.part("EADB /d 3", "page 1")
        elif step == "sync":
            synced(session)
        else:
            session.write(step)
    return session.write("EAHD /d").flush().close()


def tree(shape, rows, **options):
    return bases._grid(shape, rows, **options)


def grows(**options):
    """A tree with one leaf becomes a root with two leaves."""
    return Session(tree(3, 1, written=[(0, i) for i in range(3)]), tree([4, 3], 2), **options)


def leaves_at_once():
    """A tree with one leaf becomes a tree of depth 2 in one flush."""
    session = Session(tree(3, 1, written=[(0, i) for i in range(3)]), tree([[2, 2, 2], [2, 2], [1, 3]], 5),
                      moved=("BTLF /d 0",))
    blocks = wanted_of(session)
    blocks.remove("BTIN /d 0")  # the root
    blocks.insert(blocks.index("BTHD /d"), "BTIN /d 0")
    return session.write(*blocks).flush().close()


def rebalanced(**options):
    """A record moves from the first leaf to the second; both nodes stay."""
    return Session(tree([4, 3], 2), tree([3, 4], 2), **options)


def checksum_wrong():
    session = ea().write(*EA_CHUNKS, *EA_INDEX)
    block, bytes_ = session.block("OHDR /d"), bytearray(session.bytes_of("OHDR /d"))
    bytes_[-1] ^= 1
    session.raw(block.address, bytes(bytes_))
    return session.write("OHDR /d").flush().close()


def in_pieces():
    session = ea().write(*EA_CHUNKS, *EA_INDEX)
    return session.part("OHDR /d", 0, 40).part("OHDR /d", 40).flush().close()


def chunk_in_halves():
    session = ea().write("chunk /d 3").part("chunk /d 4", 0, 8).write(*EA_INDEX[:2])
    return session.part("chunk /d 4", 8).write(*EA_INDEX[2:], "OHDR /d").flush().close()


def levels(*pairs):
    """(announced blocks, written (block, begin, end)) of the logs."""
    session = ea()
    for announced, written in pairs:
        for name in announced:
            session.log.announce(session.block(name).address, session.block(name).size())
        for name, begin, end in written:
            session.part(name, begin, end)
    return session.flush().close()


def whole(*blocks):
    return [((name,), [(name, 0, None)]) for name in blocks]


ALL = (*EA_CHUNKS, *EA_INDEX, "OHDR /d")


def io_reordered():
    first, second, *rest = ALL
    return levels(((first, second), [(second, 0, None), (first, 0, None)]), *whole(*rest))


def io_split():
    return levels(*whole(ALL[0]), ((ALL[1],), [(ALL[1], 0, 8), (ALL[1], 8, None)]), *whole(*ALL[2:]))


def marks_late():
    session = ea(marked=False)
    session.write("chunk /d 3").mark(1).call("swmr").mark(5).call("swmr-started")
    return session.write("chunk /d 4", *EA_INDEX, "OHDR /d").flush().close()


def called(call):
    session = ea().write(*EA_CHUNKS, *EA_INDEX, "OHDR /d")
    return session.call(call).flush().close()


def two_links(target):
    """A second dataset, whose link can point to the first."""
    made = bases.of(d=bases.extensible(shape=(10,)).at("/d"), e=bases.extensible().at("/d"))
    if target != "/e":
        field = [path for path in made["OHDR /"].paths() if path.endswith(".address")][-1]
        made["OHDR /"][field] = made["OHDR /d"]
    return made


def deleted():
    session = Session(two_links("/e"), two_links("/d"))
    return session.write("OHDR /").flush().close()


def shrunk():
    made = bases.extensible(shape=(10,))
    after = bases.extensible(shape=(10,))
    after["OHDR /d"]["dataspace.size 0"] = 6
    return Session(made, after).write("OHDR /d").flush().close()


def narrower():
    """The second of two dimensions shrinks."""
    after = wide_grid(4)
    after["OHDR /d"]["dataspace.size 1"] = 2
    return Session(wide_grid(4), after).write("OHDR /d").flush().close()


def from_nothing():
    """The file is empty at first."""
    made = bases.extensible(shape=(10,))
    log = Log().opens("/data/file.h5", b"").write(0, made.bytes())
    return log.call("close").record("C").bytes


def beyond_maximum():
    after = bases.fixed(shape=(10,))
    after["OHDR /d"]["dataspace.size 0"] = 60
    return Session(bases.fixed(shape=(10,)), after).write("OHDR /d").close()


def of_type(type, shape=(10,), **options):
    return bases.extensible(shape=shape, type=type, **options)


def values_of(type, content=None):
    """Three chunks of this type become four."""
    before, after = of_type(type), of_type(type, (14,))
    session = Session(before, after)
    blocks = wanted_of(session)
    for name in blocks:
        if content is not None and name.startswith("chunk"):
            size = len(session.bytes_of(name))
            session.raw(session.block(name).address, content.ljust(size, b"\0")[:size], RAW)
        else:
            session.write(name)
    return session.flush().close()


def heap_written():
    session = ea().write(*ALL)
    return session.raw(4096, b"GCOL\1\0\0\0" + bytes(56)).flush().close()


def group_rewritten():
    def made(value):
        return File(Group(links={"d": bases.extensible(shape=(10,)).at("/d")},
                          attributes=[Attribute(b"units\0", I32, (), bytes([value] * 4))]))
    return Session(made(1), made(2)).write("OHDR /").flush().close()


def not_indexed():
    return ea().write(*EA_CHUNKS).flush().close()


def old_tree_under_swmr(swmr=True):
    return ordered(Session(bases.chunk_tree(shape=(10,)), bases.chunk_tree(), swmr=swmr))


def tree1(*order):
    session = Session(bases.chunk_tree(shape=(10,)), bases.chunk_tree(), swmr=False)
    return session.write(*order).flush().close()


def filtered_moves(again):
    """A filtered chunk that grows is moved to a new address."""
    def made(shape, number):
        return bases.extensible(shape=shape, filters=[gzip()])
    before, after = made((10,), 1), made((11,), 2)
    session = Session(before, after, moved=("chunk /d 2",))
    old = before.image["chunk /d 2"].address
    session.write(*wanted_of(session))
    if again:
        session.raw(old, b"\1\2\3\4", RAW)
    return session.flush().close()


def table(rows, **options):
    return Group(links={"d": bases.extensible(shape=(rows,)).at("/d")},
                 attributes=[Attribute(b"CLASS\0", string(12), (), b"COLUMN_TABLE"),
                             Attribute(b"NROWS\0", integer(8, signed=False), (), rows.to_bytes(8, "little"))],
                 **options)


def dense_table_commits(first):
    """The attributes of a table are in a heap, of which a block has the number of rows."""
    session = Session(*(File(Group(links={"t": table(rows, dense=dense_attributes())})) for rows in (10, 18)),
                      swmr=False)
    heap, column = "FHDB /t@", wanted_of_table()
    if first:
        return session.write(heap, *column).flush().close()
    return session.write(*column).flush().write(heap).flush().close()


def fixed_array_begins():
    """The header of a fixed array is written before the array has a block, and then with it."""
    session = Session(bases.fixed(unused="index"), bases.fixed())
    session.write(*[name for name in wanted_of(session) if name.startswith("chunk")])
    changed_block(session, "FAHD /d", "block", None)
    return session.write("FADB /d", "FAHD /d", "OHDR /d").flush().close()


def table_commits(first):
    session = Session(*(File(Group(links={"t": table(rows)})) for rows in (10, 18)), swmr=False)
    column = wanted_of_table()
    if first:
        return session.write("OHDR /t", *column).flush().close()
    return session.write(*column).flush().write("OHDR /t").flush().close()


def wanted_of_table():
    return ["chunk /t/d 3", "chunk /t/d 4", "EADB /t/d 0", "EADB /t/d 1", "EAIB /t/d", "EAHD /t/d",
            "OHDR /t/d"]


def index_of_wrong_kind():
    made = of_(shape=(4,), maximum=(UNLIMITED,), chunk=(2,), storage=btree2.Tree(node_size=128))
    return new_file(made)


def new_file(made):
    log = Log().opens("/data/file.h5", File().bytes())
    made.flags = 1
    log.write(0, made.bytes())
    return log.call("close").record("C").bytes


# clause: (a log that satisfies it, a log that violates it and no other)
CASES = {
    "swmr-open-flags-set-first": (append, marks_late),
    "swmr-append-only": (append, lambda: called("create /e")),
    "swmr-no-deletion": (append, deleted),
    "swmr-no-shrinking": (append, shrunk),
    "swmr-object-reference-target-exists": (
        lambda: values_of(reference(0), b""),
        lambda: values_of(reference(0), (4000).to_bytes(8, "little"))),
    "swmr-no-vlen-written": (append, lambda: values_of(vlen(U8), b"")),
    "swmr-no-region-reference-written": (append, lambda: values_of(reference(1), b"")),
    "swmr-checksum-written": (append, checksum_wrong),
    "swmr-io-order-kept": (lambda: levels(*whole(*ALL)), io_reordered),
    "swmr-io-atomic": (lambda: levels(*whole(*ALL)), io_split),
    "swmr-one-write-per-object": (append, in_pieces),
    "swmr-unchecksummed-refused": (append, old_tree_under_swmr),
    "swmr-flush-whole-set": (append, not_indexed),
    "swmr-append-touches-only": (append, group_rewritten),
    "swmr-index-root-before-header": (
        lambda: ordered(first_index()), lambda: ordered(first_index(), "EAHD /d", "OHDR /d")),
    "swmr-index-before-extent": (
        append, in_order(*EA_CHUNKS, *EA_INDEX[:3], "OHDR /d", "EAHD /d")),
    "swmr-index-kind-by-unlimited": (
        lambda: new_file(bases.extensible()), index_of_wrong_kind),
    "swmr-chunk-before-index": (append, chunk_in_halves),
    "swmr-chunk-old-place-kept": (
        lambda: filtered_moves(False), lambda: filtered_moves(True)),
    "swmr-btree1-children-first": (
        lambda: tree1("chunk /d 3", "chunk /d 4", "TREE /d", "OHDR /d"),
        lambda: tree1("chunk /d 3", "TREE /d", "chunk /d 4", "OHDR /d")),
    "swmr-btree2-children-first": (
        lambda: ordered(grows(moved=("BTLF /d 0",))),
        lambda: ordered(grows(moved=("BTLF /d 0",)), "BTLF /d 1", "BTHD /d")),
    "swmr-earray-index-block-before-header": (
        append, lambda: ordered(first_index(), "EAIB /d", "EAHD /d")),
    "swmr-earray-data-block-before-index-block": (
        append, in_order(*EA_CHUNKS, "EADB /d 0", "EAIB /d", "EADB /d 1", "EAHD /d", "OHDR /d")),
    "swmr-earray-super-block-before-index-block": (
        lambda: ordered(supers()), lambda: ordered(supers(), "EASB /d", "EAIB /d")),
    "swmr-earray-page-before-super-block": (
        lambda: ordered(supers()), lambda: ordered(supers(), "EADB /d 2", "EASB /d")),
    "swmr-earray-header-statistics": (append, statistics_early),
    "swmr-flush-children-first": (
        lambda: ordered(continued()), lambda: ordered(continued(), "OCHK /d", "OHDR /d")),
    "swmr-flush-acyclic": (append, circle),
    "swmr-btree1-split-new-nodes-first": (
        lambda: tree1_splits("TREE /d 0", "TREE /d 1", "TREE /d 2"),
        lambda: tree1_splits("TREE /d 0", "TREE /d 2", "TREE /d 1")),
    "swmr-btree1-root-stays": (
        lambda: tree1("chunk /d 3", "chunk /d 4", "TREE /d", "OHDR /d"),
        lambda: ordered(Session(bases.chunk_tree(shape=(10,)), bases.chunk_tree(),
                                moved=("TREE /d",), swmr=False))),
    "swmr-btree1-full-size-allocated": (
        lambda: tree1("chunk /d 3", "chunk /d 4", "TREE /d", "OHDR /d"),
        lambda: inside("TREE /d", bases.chunk_tree, -8)),
    "swmr-btree1-no-appended-checksum": (
        lambda: behind_the_node(0), lambda: behind_the_node(1)),
    "swmr-btree2-header-stays": (
        lambda: ordered(one_leaf(moved=("BTLF /d",))),
        lambda: ordered(one_leaf(moved=("BTLF /d", "BTHD /d")))),
    "swmr-btree2-full-size-allocated": (
        lambda: ordered(one_leaf(moved=("BTLF /d",))),
        lambda: inside("BTLF /d", bases.btree2_leaf, -8)),
    "swmr-btree2-shadowed": (
        lambda: ordered(grows(moved=("BTLF /d 0",))), lambda: ordered(grows())),
    "swmr-btree2-counts-with-nodes": (
        lambda: ordered(one_leaf(moved=("BTLF /d",))), lambda: ordered(one_leaf())),
    "swmr-farray-size-stays": (lambda: ordered(fixed()), counted_anew),
    "swmr-farray-block-before-header": (
        lambda: ordered(Session(bases.fixed(unused="index"), bases.fixed())),
        lambda: ordered(Session(bases.fixed(unused="index"), bases.fixed()), "FADB /d",
                        "FAHD /d")),
    "swmr-farray-page-before-block": (
        lambda: paged_in(["page", "block"]), lambda: paged_in(["block", "page"])),
    "swmr-farray-only-within-maximum": (lambda: ordered(fixed()), beyond_maximum),
    "swmr-commit-attribute-not-covered": (
        lambda: table_commits(False), lambda: table_commits(True)),
}


# Several things in one log -------------------------------------------------------------------

def two_of(rows):
    """Two datasets, whose blocks are alternately in the file."""
    return bases.of(d=bases.extensible(shape=(rows,)).at("/d"), e=bases.extensible(shape=(rows,)).at("/d"))


def two(**options):
    return Session(two_of(10), two_of(18), **options)


def of_dataset(path, blocks=ALL):
    return [name.replace("/d", path) for name in blocks]


EXTENT_EARLY = (*EA_CHUNKS, *EA_INDEX[:3], "OHDR /d", "EAHD /d")
INDEX_EARLY = (*EA_CHUNKS, "EADB /d 0", "EAIB /d", "EADB /d 1", "EAHD /d", "OHDR /d")
HALF_INDEXED = ("EADB /d 1", "EAIB /d", "EAHD /d", "OHDR /d")   # what changes with a sixth chunk


def twice(first=None, second=None, between=lambda session: session.flush(), of=extensible):
    """An append from three to five chunks, and another to six, each in an order."""
    before, middle = of()
    session = Session(before, middle)
    between(session.write(*(first or wanted_of(session))))
    session.then(bases.extensible(shape=(22,)))
    return session.write(*(second or wanted_of(session))).flush().close()


def both_appended(d=ALL, e=ALL):
    return two().write(*of_dataset("/d", d), *of_dataset("/e", e)).flush().close()


def flushed_apart(missing=None):
    """Each dataset is flushed separately, while the other is incomplete."""
    session = two().call("extent 18 /d").call("extent 18 /e")
    for path in ("/d", "/e"):
        session.write(*[name for name in of_dataset(path) if name != missing]).flush(path)
    if missing:
        session.write(missing)
    return session.flush().close()


def old_place(again, moved=("chunk /d 2",)):
    """Chunks move; the old place of the last is written in the next session, or twice in this one."""
    before, after = (bases.extensible(shape=(rows,), filters=[gzip()]) for rows in (10, 11))
    session = Session(before, after, moved=moved)
    old = before.image[moved[-1]].address
    session.write(*wanted_of(session)).flush()
    if again:
        session.again()
        return session.raw(old, b"\1\2\3\4", RAW).close()
    return session.raw(old, b"\1\2\3\4", RAW).raw(old, b"\4\3\2\1", RAW).flush().close()


def commits(*order):
    """Two tables, of which the columns and the attributes are written in an order; "flush" is a flush."""
    session = Session(*(File(Group(links={name: table(rows) for name in "tu"})) for rows in (10, 18)), swmr=False)
    for step in order:
        if step == "flush":
            session.flush()
        else:
            session.write(*(of_dataset(step) if step.endswith("/d") else [f"OHDR {step}"]))
    return session.flush().close()


def commits_beside_a_group():
    """A table with a group, and in it a dataset, which is no column: it is written after the attributes."""
    def made(rows):
        group = Group(links={"d": bases.extensible(shape=(rows,)).at("/d")})
        marks = table(rows).attributes
        return File(Group(links={"t": Group(links={"g": group}, attributes=marks)}))
    session = Session(made(10), made(18), swmr=False)
    return session.write("OHDR /t", *of_dataset("/t/g/d")).flush().close()


def root_commits(*order):
    """The same for a table that is the root group."""
    session = Session(File(table(10)), File(table(18)), swmr=False)
    for step in order:
        session.write(*(ALL if step == "/d" else ["OHDR /"]))
    return session.flush().close()


def calls(*texts):
    session = ea().write(*ALL)
    for text in texts:
        session.call(text)
    return session.flush().close()


def checksums_wrong(*names, last=False):
    """Blocks with a wrong checksum, each written again correctly afterwards unless they are the last."""
    session = ea().write(*EA_CHUNKS)
    for name in ALL[len(EA_CHUNKS):]:
        if name in names:
            wrong = bytearray(session.bytes_of(name))
            wrong[-1] ^= 1
            session.raw(session.block(name).address, bytes(wrong))
            if last:
                continue
        session.write(name)
    return session.flush().close()


def halves_of(*names):
    session = ea().write(*[name for name in ALL if name not in names])
    for name in names:
        session.part(name, 0, 40).part(name, 40)
    return session.flush().close()


def with_user_block(order):
    before, after = extensible()
    before.user_block = after.user_block = b"user" * 100
    made = Session(before, after)
    return made.write(*(order or wanted_of(made))).flush().close()


def narrow(order):
    """Addresses and lengths of four bytes."""
    before, after = (File(bases.extensible(shape=(rows,)).root, w=messages.Widths(4, 4)) for rows in (10, 18))
    return Session(before, after).write(*order).flush().close()


def with_heap(kind):
    session = ea().write(*ALL)
    session.raw(4096, b"GCOL\1\0\0\0" + bytes(56), kind)
    return session.flush().close()


def grid(rows):
    """Chunks in two dimensions, of which the first has no limit."""
    return bases.extensible(shape=(rows, 6), maximum=(UNLIMITED, 6), chunk=(2, 3))


def wide_grid(columns):
    """The same, but the second has no limit."""
    return bases.extensible(shape=(4, columns), maximum=(4, UNLIMITED), chunk=(2, 2))


def extents_asked(*sizes):
    """One append, or two, to the size that is asked for; the header has the size of the last append."""
    session = ea()
    for size in sizes:
        session.call(f"extent {size} /d").write(*wanted_of(session)).flush()
        session.then(bases.extensible(shape=(22,)))
    return session.close()


def chunks_beyond_the_extent(asked):
    """Two chunks are in the index at two flushes, before the header states an extent with them. If `asked`, the
    program has asked for the extent that the header has."""
    session = ea()
    if asked:
        session.call("extent 10 /d")
    session.write(*EA_CHUNKS, *EA_INDEX).flush().flush()
    return session.call("extent 18 /d").write("OHDR /d").flush().close()


def linked(*calls):
    """An object appears, after these calls."""
    session = Session(two_links("/d"), two_links("/e"))
    for call in calls:
        session.call(call)
    return session.write("OHDR /").flush().close()


def flushed_beside_a_chunk():
    """The other dataset is flushed after a chunk that no index names."""
    session = two().write(*of_dataset("/e"), "chunk /d 3").flush("/e")
    return session.flush().close()


def synced(session):
    session.log.record("S")
    return session


def rewritten_after_a_sync():
    """A call that explains changes of other objects, which a sync ends."""
    def made(value):
        return File(Group(links={"d": bases.extensible(shape=(10,)).at("/d")},
                          attributes=[Attribute(b"units\0", I32, (), bytes([value] * 4))]))
    session = synced(Session(made(1), made(2)).call("delete /x"))
    return session.write("OHDR /").flush().close()


def called_without_a_file():
    session = ea().write(*ALL)
    session.log.record("A", b"create /e", file=0)
    return session.flush().close()


def beside_another_file(order):
    """Writes to another file at the same positions, each directly before that to this one."""
    session = ea()
    session.log.record("B", file=78).record("O", b"/data/text.txt", file=78)
    for name in order:
        session.log.record("W", b"text", session.block(name).address, file=78)
        session.write(name)
    return session.flush().close()


def created_between_sessions():
    """An object that is created without SWMR, and is known in the next session with SWMR."""
    session = Session(two_links("/d"), two_links("/e"))
    session.mark(0).call("close").log.record("C").record("O", NAME.encode())
    session.mark(1).call("create /e").write("OHDR /").flush()
    session.call("swmr").mark(5).call("swmr-started").write("OHDR /d")
    return session.flush().close()


def from_before():
    """Chunks whose bytes are in the file already when the log begins."""
    session = ea(marked=False)
    end = max(session.block(name).address + session.block(name).size() for name in EA_CHUNKS)
    held = bytearray(session.old.ljust(end, b"\0"))
    for name in EA_CHUNKS:
        at = session.block(name).address
        held[at:at + session.block(name).size()] = session.bytes_of(name)
    session.log = Log().opens(NAME, bytes(held))
    return session.begin().write("OHDR /d", *EA_INDEX).flush().close()


def fixed_of(*widths):
    """A fixed array in a file with lengths of another size than its addresses; its header is written again."""
    before, after = (File(bases.fixed(shape=(rows,)).root, w=messages.Widths(*widths)) for rows in (10, 18))
    session = Session(before, after)
    return session.write(*wanted_of(session)[:-1], "FAHD /d", "OHDR /d").flush().close()


def elements_of(type, element, user_block=b"", widths=(8, 8)):
    """Three chunks of this type become four, which consist of one element; OBJECT stands for the address of the
    dataset in it, and OTHER for one at which there is nothing."""
    before, after = (File(of_type(type, (rows,)).root, w=messages.Widths(*widths)) for rows in (10, 14))
    before.user_block = after.user_block = user_block
    session = Session(before, after)
    header = session.block("OHDR /d").address
    for word, address in ((b"OBJECT", header), (b"OTHER", header + 1)):
        element = element.replace(word, address.to_bytes(widths[0], "little"))
    for name in wanted_of(session):
        if name.startswith("chunk"):
            size = len(session.bytes_of(name))
            session.raw(session.block(name).address, (element * size)[:size], RAW)
        else:
            session.write(name)
    return session.flush().close()


OBJECT_2 = b"\2\0\10OBJECT" + b"\xff" * 7      # a reference of 18 bytes that states its kind
OTHER_2, REGION_2 = (b"\2\0\10OTHER" + b"\xff" * 7, b"\3" + bytes(17))
ATTRIBUTE_2 = b"\4" + bytes(17)


def filtered_references():
    """Three chunks of references become four, all of them compressed: their targets are not looked at."""
    return ordered(Session(*(of_type(reference(0), (rows,), filters=[gzip()]) for rows in (10, 14))))


def over_a_border():
    """Bytes on both sides of the border between an object header and a block of a dataset before it, as they were."""
    def made(rows):
        return File(Group(links={"d": bases.extensible(shape=(rows,)).at("/d"), "g": Group()}))
    session = Session(made(10), made(18))
    at = session.block("OHDR /g").address
    return session.raw(at - 4, session.old[at - 4:at + 4]).write(*ALL).flush().close()


def heap_in_two_flushes():
    """First with the values of a dataset, then alone."""
    before, after = of_type(vlen(U8)), of_type(vlen(U8), (14,))
    session = Session(before, after)
    for name in wanted_of(session):
        session.write(name)
    heap = b"GCOL\1\0\0\0" + bytes(56)
    return session.raw(8192, heap).flush().raw(9216, heap).flush().close()


def parts_in_two_flushes():
    session = ea().write(*ALL).flush()
    return session.part("OHDR /d", 40, 60).flush().part("OHDR /d", 60, 80).flush().close()


def array_grows(before, after, order, user_block=b""):
    """An append that changes only blocks which exist, in an order."""
    before, after = before(), after()
    before.user_block = after.user_block = user_block
    session = Session(before, after)
    for name in order:
        if name == "sync":
            synced(session)
        else:
            session.write(name)
    return session.flush().close()


def sixth_chunk(order, **options):
    return array_grows(lambda: bases.extensible(shape=(18,)), lambda: bases.extensible(shape=(22,)), order, **options)


INDEX_FIRST = ("chunk /d 5", "EAIB /d", "EADB /d 1", "EAHD /d", "OHDR /d")


def two_trees():
    """Two trees, of which a leaf each grows in place; the header of one is written while the other is wrong."""
    def made(rows):
        return bases.of(**{name: bases.btree2_leaf(shape=(rows, 6)).at("/d") for name in "de"})
    session = Session(made(2), made(4))
    chunks = [name for name in wanted_of(session) if name.startswith("chunk")]
    return session.write(*chunks, "BTLF /d", "BTLF /e", "BTHD /e", "BTHD /d", "OHDR /d",
                         "OHDR /e").flush().close()


def two_trees_with_inner_nodes():
    """Two trees with one leaf each become roots with two leaves."""
    def made(*arguments, **options):
        return bases.of(**{name: tree(*arguments, **options).at("/d") for name in "de"})
    session = Session(made(3, 1, written=[(0, i) for i in range(3)]), made([4, 3], 2),
                      moved=("BTLF /d 0", "BTLF /e 0"))
    return session.write(*wanted_of(session), "OHDR /e").flush().close()


def far_away():
    """The file grows by nearly a mebibyte; then a chunk beyond its end is named that is not written."""
    session = ea()
    first, second = (session.block(name) for name in EA_CHUNKS)
    first.address, second.address = 1_000_000, 1_300_000
    return session.write(EA_CHUNKS[0], *EA_INDEX, EA_CHUNKS[1], "OHDR /d").flush().close()


def moved_in_the_same_flush(order):
    """A data block is written at its place, and then moves, while others change in the same flush."""
    before, after = bases.extensible(shape=(18,)), bases.extensible(shape=(22,))
    session = Session(before, after, moved=("EADB /d 0",))
    old = before.image["EADB /d 0"]
    session.raw(old.address, session.old[old.address:old.address + old.size()])
    return session.write("chunk /d 5", "EADB /d 0", *order).flush().close()


def grown_in_place(order):
    """A filtered chunk becomes larger, and the bytes behind it are free."""
    before, after = (bases.extensible(shape=(rows,), filters=[gzip()]) for rows in (10, 11))
    before.image.arrange()
    before.image["chunk /d 2"].address = before.image.end + 100
    for block in before.image.blocks:
        block.fixed = True
    return Session(before, after).write(*order).flush().close()


def overwritten(name, begin, end):
    """Bytes inside a block get other values, and later their own again."""
    session = ea().write(*ALL, "EAHD /d")
    held = session.bytes_of(name)[begin:end]
    session.raw(session.block(name).address + begin, bytes(255 - each for each in held))
    return session.write("EAHD /d").part(name, begin, end).flush().close()


def used_part_of_a_leaf(whole):
    """A leaf at the end of the file, of which only the used part is written; the file may end behind the whole."""
    session = one_leaf(moved=("BTLF /d",))
    leaf = session.block("BTLF /d")
    if whole:
        session.ends_at(leaf.address + leaf.size())
    session.write("chunk /d 2", "chunk /d 3").part("BTLF /d", 0, "behind")
    return session.write("BTHD /d", "OHDR /d").flush().close()


def pages_of_two(*order):
    """Two datasets get fixed arrays with pages; parts of these are written in an order, of which the first is of
    an array that nothing refers to for long."""
    def made(**options):
        return bases.of(**{name: of_(shape=(16,), maximum=(16,), chunk=(1,), type=U8, storage=FixedArray(2),
                                     **options).at("/d") for name in "de"})
    session = Session(made(unused="index"), made(written=[0, 1, 8]))
    session.write(*[name for name in wanted_of(session) if name.startswith("chunk")])
    for block, *part in order:
        if part:
            session.part(block, *part)
        else:
            session.write(block)
    return session.flush().close()


def pages_before_their_blocks(name):
    block = f"FADB {name}"
    return (block, "page 0", "page 1"), (block, "page 2", "page 3"), (block, 0, "page 0")


def reached(name):
    return (f"FAHD {name}",), (f"OHDR {name}",)


def two_headers_at_once():
    """The headers of two indexes in one write: one has a wrong number, and the other names a block that follows."""
    session = Session(two_of(10), two_of(18), moved=("EAIB /e",))
    before = [name for name in wanted_of(session) if name[:4] in ("chun", "EADB") or name == "EAIB /d"]
    session.write(*before)
    first, last = session.block("EAHD /d"), session.block("EAHD /e")
    held = bytearray(session.old[first.address:last.address + last.size()])
    right, first["maximum index"] = first["maximum index"], 4
    for name in (*before, "EAHD /d", "EAHD /e"):
        at = session.block(name).address - first.address
        if 0 <= at < len(held):
            held[at:at + session.block(name).size()] = session.bytes_of(name)
    first["maximum index"] = right
    session.raw(first.address, bytes(held))
    return session.write("EAIB /e", "EAHD /d", "OHDR /d", "OHDR /e").flush().close()


# CLAUSE--what the log shows: a log that violates the clause and no other; or two clauses, CLAUSE+CLAUSE.
BROKEN = {
    "swmr-earray-index-block-before-header+swmr-earray-header-statistics--in-one-write": two_headers_at_once,
    "swmr-index-before-extent--second-dataset": lambda: both_appended(e=EXTENT_EARLY),
    "swmr-index-before-extent--both-datasets": lambda: both_appended(EXTENT_EARLY, EXTENT_EARLY),
    "swmr-index-before-extent--second-append": lambda: twice(
        second=("chunk /d 5", *HALF_INDEXED[:2], "OHDR /d", "EAHD /d")),
    "swmr-earray-data-block-before-index-block--second-dataset": lambda: both_appended(e=INDEX_EARLY),
    "swmr-earray-data-block-before-index-block--first-append": lambda: twice(first=INDEX_EARLY),
    "swmr-flush-whole-set--flush-of-one-dataset": lambda: flushed_apart("OHDR /e"),
    "swmr-flush-whole-set--size-of-the-other-dataset": lambda: flushed_apart("OHDR /d"),
    "swmr-chunk-old-place-kept--twice": lambda: old_place(False),
    "swmr-commit-attribute-not-covered--second-table": lambda: commits("/t/d", "flush", "/t", "/u", "/u/d"),
    "swmr-commit-attribute-not-covered--both-tables": lambda: commits("/t", "/u", "/u/d", "/t/d"),
    "swmr-commit-attribute-not-covered--root-group": lambda: root_commits("/", "/d"),
    "swmr-append-only--other-calls": lambda: calls(
        "link /a", "move /b", "attribute-create units - /d", "attribute-delete units - /e"),
    "swmr-checksum-written--two-blocks": lambda: checksums_wrong("EADB /d 0", "OHDR /d"),
    "swmr-one-write-per-object--two-blocks": lambda: halves_of("EAHD /d", "OHDR /d"),
    "swmr-index-before-extent--user-block": lambda: with_user_block(EXTENT_EARLY),
    "swmr-chunk-before-index--user-block": lambda: with_user_block(
        (EA_CHUNKS[0], *EA_INDEX[:2], EA_CHUNKS[1], *EA_INDEX[2:], "OHDR /d")),
    "swmr-earray-data-block-before-index-block--user-block": lambda: with_user_block(INDEX_EARLY),
    "swmr-earray-data-block-before-index-block--narrow": lambda: narrow(INDEX_EARLY),
    "swmr-index-before-extent--narrow": lambda: narrow(EXTENT_EARLY),
    "swmr-no-vlen-written--heap": lambda: with_heap(UNKNOWN),
    "swmr-no-vlen-written--heap-in-two-flushes": heap_in_two_flushes,
    "swmr-chunk-old-place-kept--second-of-two": lambda: old_place(False, ("chunk /d 1", "chunk /d 2")),
    "swmr-index-before-extent--two-dimensions": lambda: ordered(
        Session(grid(4), grid(10)), "EAHD /d", "OHDR /d"),
    "swmr-index-before-extent--second-dimension": lambda: ordered(
        Session(wide_grid(4), wide_grid(10)), "EAHD /d", "OHDR /d"),
    "swmr-index-before-extent--chunks-not-yet-named": in_order(*EA_CHUNKS, "OHDR /d", *EA_INDEX),
    "swmr-index-before-extent--second-append-before-one-flush": lambda: twice(
        second=("chunk /d 5", "OHDR /d", *HALF_INDEXED[:3]), between=lambda session: session.call("flushing")),
    "swmr-flush-whole-set--second-extent": lambda: extents_asked(18, 26),
    "swmr-flush-whole-set--chunk-before-the-flush-of-another": flushed_beside_a_chunk,
    "swmr-flush-whole-set--chunks-beyond-the-extent": lambda: chunks_beyond_the_extent(False),
    "swmr-append-only--object-without-a-call": linked,
    "swmr-append-only--object-of-a-call": lambda: linked("create /e"),
    "swmr-append-only--object-after-the-flush-of-a-call": lambda: linked("create /e", "flush"),
    "swmr-append-touches-only--after-a-sync": rewritten_after_a_sync,
    "swmr-append-touches-only--over-a-border": over_a_border,
    "swmr-append-only--call-without-a-file": called_without_a_file,
    "swmr-chunk-before-index--beside-another-file": lambda: beside_another_file(
        (EA_CHUNKS[0], *EA_INDEX, EA_CHUNKS[1], "OHDR /d")),
    "swmr-chunk-before-index--far-away": far_away,
    "swmr-object-reference-target-exists--user-block": lambda: elements_of(
        reference(0), b"OTHER", user_block=b"user" * 128),
    "swmr-object-reference-target-exists--second-of-an-element": lambda: elements_of(
        array([2], reference(2)), OBJECT_2 + OTHER_2),
    "swmr-no-region-reference-written--second-of-an-element": lambda: elements_of(
        array([2], reference(2)), OBJECT_2 + REGION_2),
    "swmr-earray-data-block-before-index-block--same-flush": lambda: sixth_chunk(INDEX_FIRST),
    "swmr-earray-data-block-before-index-block--same-flush-user-block": lambda: sixth_chunk(
        INDEX_FIRST, user_block=b"user" * 128),
    "swmr-earray-page-before-super-block--same-flush": lambda: array_grows(
        lambda: bases.bytewise(9), lambda: bases.bytewise(10),
        ("chunk /d 9", "EASB /d", "EADB /d 2", "EAIB /d", "EAHD /d", "OHDR /d")),
    "swmr-no-shrinking--second-dimension": narrower,
    "swmr-no-vlen-written--heap-as-raw-data": lambda: with_heap(RAW),
    "swmr-no-region-reference-written--of-an-attribute": lambda: elements_of(
        array([2], reference(2)), OBJECT_2 + ATTRIBUTE_2),
    "swmr-flush-children-first--third-block-of-a-header": lambda: ordered(in_three_blocks()),
    "swmr-commit-attribute-not-covered--in-a-heap": lambda: dense_table_commits(True),
    "swmr-earray-page-before-super-block--page": lambda: paged_array("EASB /d", "page"),
    "swmr-earray-page-before-super-block--page-after-a-sync": lambda: paged_array("EASB /d", "sync", "page"),
    "swmr-btree2-counts-with-nodes--two-trees": two_trees,
    "swmr-btree2-shadowed--rebalanced": lambda: ordered(rebalanced()),
    "swmr-earray-data-block-before-index-block--beside-a-block-that-moves": lambda: moved_in_the_same_flush(
        ("EAIB /d", "EADB /d 1", "EAHD /d", "OHDR /d")),
    "swmr-chunk-before-index--grown-in-place": lambda: grown_in_place(
        ("EADB /d", "chunk /d 2", "EAHD /d", "OHDR /d")),
    "swmr-flush-children-first--header-overwritten": lambda: overwritten("OHDR /d", 40, 60),
    "swmr-btree2-full-size-allocated--end-of-the-file": lambda: used_part_of_a_leaf(False),
    "swmr-farray-page-before-block--of-the-second-array": lambda: pages_of_two(
        pages_before_their_blocks("/d")[0], *reversed(pages_before_their_blocks("/e")), *reached("/e"),
        *pages_before_their_blocks("/d")[1:], *reached("/d")),
    "swmr-farray-page-before-block--page-of-one-element": lambda: paged_in(["block", "page"], count=13),
}


# Programs ---------------------------------------------------------------------------------------

# The states of datasets that grow, as arguments of Dataset.
def rows_of(storage, *rows, **options):
    return [{"shape": (count,), "storage": storage, **options} for count in rows]


GROWING = {
    "extensible": rows_of(ExtensibleArray(), 10, 14, 26, 42, maximum=(UNLIMITED,), chunk=(4,)),
    "many blocks": rows_of(ExtensibleArray(), 3, 9, 20, 40, maximum=(UNLIMITED,), chunk=(1,), type=U8),
    "fixed": rows_of(FixedArray(4), 6, 10, 18, 30, maximum=(48,), chunk=(4,)),
    "pages": [{"shape": (16,), "maximum": (16,), "chunk": (1,), "type": U8, "storage": FixedArray(2),
               "written": list(range(count))} for count in (2, 5, 9, 14)],
    "columns": [{"shape": (2, columns), "maximum": (2, UNLIMITED), "chunk": (2, 2),
                 "storage": ExtensibleArray()} for columns in (2, 4, 7, 10)],
}


def program(seed):
    """Appends to up to three datasets, whose writes are mixed, with flushes of one or all and new sessions."""
    decide = random.Random(seed)
    chosen = dict(zip("def", decide.sample(sorted(GROWING), 1 + seed % 3)))
    narrow = {"w": messages.Widths(4, 4)} if seed % 4 == 3 else {}

    def state(number):
        file = File(Group(links={name: Dataset(**GROWING[kind][number]) for name, kind in chosen.items()}), **narrow)
        file.user_block = b"user" * 128 if seed % 5 == 4 else b""
        return file

    session = Session(state(0), state(1))
    for number in range(1, 4):
        if number > 1:
            session.then(state(number))
        blocks = [block for block in wanted_of(session) if not block.startswith("OHDR")]
        left = {path: [block for block in blocks if block.split()[1] == path] + [f"OHDR {path}"]
                for path in (f"/{name}" for name in chosen)}
        for path in left:
            size = "x".join(map(str, GROWING[chosen[path[1:]]][number]["shape"]))
            session.call(f"extent {size} {path}")
        while left:
            path = decide.choice(sorted(left))
            for block in left[path][:decide.randint(1, 4)]:
                session.write(left[path].pop(0))
            if not left[path]:
                del left[path]
                if decide.random() < 0.5:
                    session.flush(path)
        session.flush()
        if decide.random() < 0.3:
            session.again()
    return session.close()


# What the log shows: a log that violates nothing
SOUND = {
    "two-datasets": both_appended,
    "two-appends": twice,
    "two-appends-before-one-flush": lambda: twice(between=lambda session: session.call("flushing")),
    "datasets-flushed-apart": flushed_apart,
    "old-place-in-the-next-session": lambda: old_place(True),
    "attributes-before-a-dataset-that-is-no-column": commits_beside_a_group,
    "two-tables": lambda: commits("/t/d", "/u/d", "flush", "/t", "/u"),
    "attributes-and-columns-of-different-tables": lambda: commits("/t/d", "flush", "/t", "/u/d", "flush", "/u"),
    "user-block": lambda: with_user_block(None),
    "narrow": lambda: narrow(ALL),
    "extents-of-two-appends": lambda: extents_asked(18, 22),
    "chunks-beyond-an-extent-that-was-asked-for": lambda: chunks_beyond_the_extent(True),
    "another-file": lambda: beside_another_file(ALL),
    "object-created-between-sessions": created_between_sessions,
    "chunks-from-before-the-log": from_before,
    "lengths-of-eight-bytes": lambda: fixed_of(4, 8),
    "lengths-of-four-bytes": lambda: fixed_of(8, 4),
    "references-to-an-object": lambda: elements_of(array([2], reference(2)), OBJECT_2 * 2),
    "references-to-an-object-with-a-user-block": lambda: elements_of(
        reference(0), b"OBJECT", user_block=b"user" * 128),
    "references-in-compressed-chunks": filtered_references,
    "references-of-four-bytes": lambda: elements_of(
        reference(2), b"\2\0\4OBJECT" + b"\xff" * 11, widths=(4, 4)),
    "parts-of-a-block-in-two-flushes": parts_in_two_flushes,
    "block-that-moves-in-one-flush": lambda: moved_in_the_same_flush(
        ("EADB /d 1", "EAIB /d", "EAHD /d", "OHDR /d")),
    "chunk-grown-in-place": lambda: grown_in_place(("chunk /d 2", "EADB /d", "EAHD /d", "OHDR /d")),
    "leaf-that-ends-with-the-file": lambda: used_part_of_a_leaf(True),
    "pages-before-their-blocks": lambda: pages_of_two(
        *pages_before_their_blocks("/d"), *pages_before_their_blocks("/e"), *reached("/e"), *reached("/d")),
    "file-that-is-empty-at-first": from_nothing,
    "inner-nodes-of-two-trees": two_trees_with_inner_nodes,
    "indexes-of-every-kind": lambda: new_file(bases.every_index()),
    "undefined-references": lambda: elements_of(reference(0), b"\xff" * 8),
    "attribute-in-a-heap-after-the-columns": lambda: dense_table_commits(False),
    "fixed-array-without-a-block": fixed_array_begins,
    "header-of-three-blocks": lambda: ordered(in_three_blocks(), "OCHK /d 0", "OCHK /d 1"),
    "page-of-an-extensible-array": lambda: paged_array("page", "EASB /d"),
    "growth-of-the-second-dimension": lambda: ordered(Session(wide_grid(4), wide_grid(10))),
    "index-before-a-sync": lambda: sixth_chunk(("chunk /d 5", "EAIB /d", "sync", *HALF_INDEXED)),
    "data-blocks-in-one-flush": lambda: ordered(Session(bases.bytewise(8), bases.bytewise(30))),
    "leaves-in-one-flush": leaves_at_once,
    "pages-in-one-flush": lambda: paged_in(("page", "page 1", "block"), also=[4]),
    **{f"program-{seed}": functools.partial(program, seed) for seed in range(8)},
}


def main() -> int:
    arguments = sys.argv[1:]
    check = "--check" in arguments
    folder = Path([each for each in arguments if each != "--check"][0])
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {f"{clause}.{name}.log": made() for clause, both in CASES.items()
              for name, made in zip(("good", "broken"), both)}
    wanted |= {f"{name}.{kind}.log": made() for kind, cases in (("broken", BROKEN), ("good", SOUND))
               for name, made in cases.items()}
    there = {path.name: path.read_bytes() for path in folder.glob("*.log")}
    if check:
        wrong = sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))
        print("\n".join(wrong), file=sys.stderr)
        return 1 if wrong else 0
    for name in there.keys() - wanted.keys():
        (folder / name).unlink()
    for name, log in wanted.items():
        (folder / name).write_bytes(log)
    return 0


if __name__ == "__main__":
    sys.exit(main())
