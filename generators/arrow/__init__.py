"""Exports everything that a recipe needs: `from generators.arrow import *`."""

from .arrays import Array, Buffer, View, Views, array, bits, values_of
from .bases import *
from .codecs import (lz4_frame, lz4_repeated, xxh32, zstd_frame, zstd_repeated, zstd_runs)
from .flatbuffers import Shared, Style, flatbuffer, integer
from .format import (LATER, corrupted, invalid, invalid_since_later, later, other, valid,
                     valid_since_later)
from .ipc import (CONTINUATION, END, MAGIC, OLD_END, Batch, Block, File, Message, Stream,
                  dictionary_batch, record_batch)
from .tables import *
from .tables import TYPES, pair, pairs
