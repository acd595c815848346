"""Exports everything that a recipe needs: `from generators.rntuple import *`."""

from .bases import *
from .bases import base_of, in_directory
from .codecs import *
from .format import bad, good, invalid, put, valid
from .ntuple import *
from .ntuple import i32, u16, u32, u64
from .root import Directory, Key, RootFile
from .xxh import xxh3, xxh64
