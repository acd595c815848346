"""Exports everything that a recipe needs: `from generators.hdf5 import *`."""

from .arrays import ExtensibleArray, FixedArray
from .bases import *
from .blocks import At, Block, Struct
from .btree2 import Tree
from .checksums import fletcher32, lookup3
from .dataset import Chunk, Dataset, Fill
from .datatypes import *
from .file import File
from .format import changed, invalid, corrupted, valid
from .fractal_heap import Heap
from .headers import Header
from .layouts import ChunkTree, Compact, Contiguous, Implicit, Single, Virtual
from .messages import EXTERNAL, HARD, NUMBERS, SOFT, UNLIMITED, Filter, Message, Widths, raw
from .objects import (Attribute, Dense, Group, Link, NamedDatatype, dense_attributes, dense_links,
                      soft)
from .old_groups import SymbolTable
from .pipeline import encoded, gzip, lzf, shuffle, with_fletcher32
