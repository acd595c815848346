"""Valid files from which recipes start, each as small as possible. `reports`: the recommendations that a valid file
of this kind triggers, all of them reasons why a dataset cannot be appended to under SWMR."""

from . import btree2
from .arrays import ExtensibleArray, FixedArray
from .dataset import Dataset, Fill
from .datatypes import I32, U8
from .file import File
from .headers import Header
from .layouts import ChunkTree, Compact, Contiguous, Implicit, Single, Virtual
from .messages import UNLIMITED
from .objects import Attribute, Group, dense_attributes, dense_links, soft
from .old_groups import SymbolTable
from .pipeline import gzip

NOT_CHUNKED = "swmr-eligible-chunked"
OLD_TREE = "swmr-eligible-no-btree1"
OTHER_INDEX = "swmr-eligible-index-kind"
FULL = "swmr-eligible-extendable"
OLD_SUPERBLOCK = "swmr-eligible-superblock"
OLD_HEADER = "swmr-eligible-header-checksummed"
OLD_PATH = "swmr-eligible-path-checksummed"


def reports(*ids):
    def mark(base):
        base.reports = ids
        return base
    return mark


def of(**datasets):
    """A file of these datasets in its root group."""
    return File(Group(links=datasets))


# Chunks -------------------------------------------------------------------------------------------

def extensible(**options):
    """Three chunks: two in the index block of the array, one in a data block."""
    return of(d=Dataset(**{"shape": (10,), "maximum": (UNLIMITED,), "chunk": (4,),
                           "storage": ExtensibleArray(), **options}))


def extensible_filtered():
    return extensible(filters=[gzip()])


def bytewise(count=130, written=None, **options):
    """Chunks of one byte. The first two are in the index block, two and four more in its data
    blocks; super blocks have 2 x 4, 2 x 8, 4 x 8, then paged 4 x 16, 8 x 16, 8 x 32."""
    return of(d=Dataset(**{"shape": (count,), "maximum": (UNLIMITED,), "chunk": (1,), "type": U8,
                           "storage": ExtensibleArray(), "written": written, **options}))


def super_blocks():
    """A chunk in each data block of two super blocks, without pages."""
    return bytewise(30, [0, 3, 8, 12, 16, 24])


def paged():
    """Four data blocks of two pages each; five of the pages are in use."""
    return bytewise(130, [0, 64, 72, 80, 104, 112])


def fixed(**options):
    """Three of at most twelve chunks, without pages."""
    return of(d=Dataset(**{"shape": (10,), "maximum": (48,), "chunk": (4,),
                           "storage": FixedArray(4), **options}))


def fixed_filtered():
    return fixed(filters=[gzip()])


def fixed_paged():
    """Eleven elements in pages of four; the second page is not in use."""
    return of(d=Dataset(shape=(11,), maximum=(11,), chunk=(1,), type=U8, storage=FixedArray(2),
                        written=[0, 1, 8, 10]))


fixed_paged.reports = (FULL,)


def btree2_leaf(**options):
    """Four chunks, in a root that is a leaf."""
    return of(d=Dataset(**{"shape": (4, 6), "maximum": (UNLIMITED,) * 2, "chunk": (2, 3),
                           "storage": btree2.Tree(node_size=128), **options}))


def btree2_filtered():
    return btree2_leaf(filters=[gzip()])


def _grid(shape, rows, columns=4, node_size=128, **options):
    return of(d=Dataset(shape=(rows, columns), maximum=(UNLIMITED,) * 2, chunk=(1, 1), type=U8,
                        storage=btree2.Tree(node_size=node_size, shape=shape), **options))


def btree2_inner():
    """Eight chunks: leaves of four and three, and a record between them."""
    return _grid([4, 3], 2)


def btree2_deep():
    """Twenty chunks in a tree of depth 2."""
    return _grid([[2, 2, 2], [2, 2], [1, 3]], 5)


@reports(OLD_TREE)
def chunk_tree(**options):
    """Five chunks in a tree of version 1 that is a leaf with space for eight."""
    made = of(d=Dataset(**{"shape": (18,), "chunk": (4,), "maximum": (UNLIMITED,),
                           "storage": ChunkTree(), "layout_version": 3, **options}))
    made.k_chunk, made.k_message = 4, True
    return made


@reports(OLD_TREE)
def chunk_tree_two_dimensions():
    return chunk_tree(shape=(4, 6), chunk=(2, 3), maximum=(UNLIMITED,) * 2)


@reports(OLD_TREE)
def chunk_tree_deep():
    """Seven chunks in a tree of three levels, two children a node."""
    made = chunk_tree(shape=(7,), chunk=(1,), type=U8, storage=ChunkTree(2))
    made.k_chunk = 1
    return made


@reports(OTHER_INDEX)
def single(**options):
    return of(d=Dataset(**{"shape": (10,), "maximum": (10,), "chunk": (10,), "storage": Single(),
                           **options}))


@reports(OTHER_INDEX)
def implicit(**options):
    return of(d=Dataset(**{"shape": (4, 6), "maximum": (8, 6), "chunk": (2, 3),
                           "storage": Implicit(), "fill": Fill(allocation=1), **options}))


@reports(OTHER_INDEX, OLD_TREE)
def every_index():
    """A dataset for each kind of index."""
    made = of(**{name: base().at("/d") for name, base in (
        ("extensible", extensible), ("fixed", fixed), ("btree2", btree2_leaf), ("single", single),
        ("implicit", implicit), ("tree", chunk_tree))})
    made.k_chunk, made.k_message = 4, True
    return made


# Other storage ------------------------------------------------------------------------------------

@reports(NOT_CHUNKED)
def contiguous(**options):
    return of(d=Dataset(storage=Contiguous(), **options))


@reports(NOT_CHUNKED)
def compact(**options):
    return of(d=Dataset(storage=Compact(), **options))


@reports(NOT_CHUNKED)
def virtual(**options):
    return of(d=Dataset(storage=Virtual(), **options))


# Groups and attributes ----------------------------------------------------------------------------

def empty():
    return File()


def links():
    """A hard and a soft link in a header."""
    return File(Group(links={"a": Group(), "b": soft(b"a")}))


def _names(count):
    return {f"n{number}": soft(b"x") for number in range(count)}


def dense():
    """Ten soft links in one block of a fractal heap."""
    return File(Group(links=_names(10), storage=dense_links()))


def dense_with_rows():
    """Forty links in a heap of two rows of direct blocks, by a tree of depth 1."""
    return File(Group(links=_names(40), storage=dense_links()))


def dense_deep():
    """Links that need an indirect block below the root of the heap."""
    return File(Group(links=_names(20), storage=dense_links(holes={5: 300, 10: 1500, 15: 2000})))


def attributes():
    return File(Group(attributes=[Attribute(b"CLASS\0", U8, (), b"\1"),
                                  Attribute(b"units\0", I32, (2,), bytes(8))]))


def attributes_dense():
    return File(Group(attributes=[Attribute(f"a{number}\0".encode(), U8, (), bytes([number]))
                                  for number in range(10)], dense=dense_attributes()))


def _old_group(links=None, **table):
    return Group(header=Header(version=1), links=links or {}, storage=SymbolTable(**table))


def old(version=0, **table):
    """Groups with symbol tables, three of them and a soft link in the root; no dataset."""
    children = {name: _old_group() for name in "abc"}
    return File(_old_group({**children, "s": soft(b"a")}, **table), superblock=version, k_leaf=2,
                k_internal=2)


def old_free():
    """The same with a free block in the heap of the root."""
    return old(free=24)


def old_deep():
    """Seven names, one in each symbol node, in a tree of three levels."""
    made = File(_old_group({f"n{number}": soft(b"x") for number in range(7)}, per_node=1),
                superblock=0, k_leaf=1, k_internal=1)
    return made


@reports(OLD_SUPERBLOCK, OLD_HEADER, OLD_PATH, OLD_TREE)
def old_dataset(**options):
    """A file of the first version of the library: everything of version 0 or 1."""
    dataset = Dataset(**{"header": Header(version=1), "shape": (18,), "chunk": (4,),
                         "maximum": (UNLIMITED,), "storage": ChunkTree(), "layout_version": 3,
                         "space_version": 1, "fill": Fill(version=1), **options})
    return File(_old_group({"d": dataset}), superblock=1, k_leaf=1, k_internal=1, k_chunk=4)
