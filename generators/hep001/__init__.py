"""Exports everything that a recipe needs: `from generators.hep001 import *`."""

from .datatypes import *
from .families import boolean_with_fill, optional_text
from .indexes import bloom_bits, chunk_bloom
from .lists import TEXTS, Level, list_level
from .murmur3 import murmur3_x64_128
from .objects import *
from .format import (NEWER, OLDER, invalid, invalid_since_newer, newer, valid,
                     valid_since_newer)
from .table import *
from .values import X87_ONE, canonical_bytes, x87
