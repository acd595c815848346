"""Exports everything that a recipe needs: `from generators.tiledb import *`."""

from .bases import *
from .changes import all_of, before, chunk, cut, drop, nothing, other, patch, put, tail, tile
from .format import invalid, valid
from .schema import *
from .tile import *
from .tile import Chunk
