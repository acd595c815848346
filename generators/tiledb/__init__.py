"""Exports everything that a recipe needs: `from generators.tiledb import *`."""

from .bases import *
from .format import invalid, valid
from .schema import *
from .tile import *
from .tile import Chunk
