"""All that a recipe needs, in one import: `from generators.hep001 import *`."""

from .datatypes import *
from .families import optional_text
from .indexes import bloom_bits, chunk_bloom
from .murmur3 import murmur3_x64_128
from .objects import *
from .format import invalid, valid
from .table import *
from .values import X87_ONE, canonical_bytes, x87
