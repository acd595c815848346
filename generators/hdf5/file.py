"""A file: superblock, objects, and everything around them."""

from dataclasses import dataclass, field

from . import messages
from .blocks import Block, Checksum, Computed, Image
from .datatypes import Datatype
from .headers import Header, write_header
from .messages import Message, Widths
from .objects import Group
from .old_groups import GROUP, NOTHING, Entry, symbol_entry

SIGNATURE = b"\x89HDF\r\n\x1a\n"


@dataclass
class File:
    """`file["EAHD /d"]` is a block (blocks.py); after this access the objects are fixed.
    `file.at("/d")` is an object, which must be changed before that."""

    root: Group = field(default_factory=Group)
    superblock: int = 3
    w: Widths = field(default_factory=Widths)
    flags: int = 0
    k_leaf: int = 4
    k_internal: int = 16
    k_chunk: int = 32
    k_message: bool = False             # whether the superblock extension has these
    extension: list = field(default_factory=list)   # further messages of it
    user_block: bytes = b""
    stored_base: int = None             # if it is not the address of the superblock
    driver_block: bytes = None
    path: str = "/"                     # of the subject in the manifest

    def __post_init__(self):
        self._image = None

    def at(self, path):
        node = self.root
        for name in filter(None, path.split("/")):
            node = dict(node.pairs())[name.encode()].target
        return node

    @property
    def image(self):
        if self._image is None:
            self._image = self._build()
        return self._image

    def __getitem__(self, name):
        return self.image[name]

    def bytes(self):
        return self.image.bytes()

    def bytes_of(self, block):
        self.image.arrange()
        return block.bytes()

    def objects(self):
        """{path: object}, each once, depth first over hard links."""
        found, known, waiting = {}, set(), [("/", self.root)]
        while waiting:
            path, node = waiting.pop(0)
            if id(node) in known:
                continue
            known.add(id(node))
            found[path] = node
            inner = [(f"{path.rstrip('/')}/{name.decode(errors='replace')}", link.target)
                     for name, link in (node.pairs() if isinstance(node, Group) else ())
                     if hasattr(link.target, "begin")]
            waiting[:0] = inner
        return found

    def type_message(self, type):
        if isinstance(type, Datatype):
            return Message("datatype", type.encode(), flags=1)
        return Message("datatype", lambda w: messages.shared(
            w, type.block, type.shared_by), flags=2)

    # Blocks -------------------------------------------------------------------------------------

    def _build(self):
        image = Image()
        # The superblock is at the first of 0, 512, 1024, 2048, ... after the user block.
        image.before = self.user_block
        while image.base < len(self.user_block):
            image.base = max(512, 2 * image.base)
        objects = self.objects()
        for path, node in objects.items():
            node.begin(path)
        self._superblock(image)
        for path, node in objects.items():
            self._object(node, image)
        return image

    def _object(self, node, image):
        image.add(node.block)
        body = node.body(self, image) + node.attribute_messages(self, image)
        if node.header.version == 2 and node.header.count > 1:
            body.append(Message("reference count",
                                messages.reference_count(self.w, node.header.count)))
        write_header(node.header, node.block, body, self.w, image)

    def _superblock(self, image):
        w, version = self.w, self.superblock
        block = image.add(Block("superblock", "", address=0))
        base = image.base if self.stored_base is None else self.stored_base
        end = Computed(lambda: base + image.end)
        block.add("signature", SIGNATURE).add("version", version, 1)
        if version < 2:
            block.add("free space version", 0, 1).add("root entry version", 0, 1)
            block.add("reserved", 0, 1).add("shared message version", 0, 1)
            block.add("offset size", w.offset, 1).add("length size", w.length, 1)
            block.add("reserved too", 0, 1).add("leaf k", self.k_leaf, 2)
            block.add("internal k", self.k_internal, 2).add("flags", self.flags, 4)
            if version == 1:
                block.add("chunk k", self.k_chunk, 2).add("reserved more", 0, 2)
            driver = None
            if self.driver_block is not None:
                driver = image.add(Block("driver", "", ("bytes", self.driver_block)))
            block.add("base", base, w.offset).add("free space", None, w.offset)
            block.add("end of file", end, w.offset).add("driver", driver, w.offset)
            old = self.root.is_old_group
            entry = Entry(b"", self.root.block, GROUP if old else NOTHING,
                          *(self.root.remembered() if old else ()))
            block.add("root", symbol_entry(entry, 0, None, w))
            return
        extension = None
        listed = list(self.extension)
        if self.k_message:
            listed.insert(0, Message("k values", messages.k_values(
                w, self.k_chunk, self.k_internal, self.k_leaf)))
        block.add("offset size", w.offset, 1).add("length size", w.length, 1)
        block.add("flags", self.flags, 1).add("base", base, w.offset)
        if listed:
            extension = image.add(Block("OHDR", "extension"))
            write_header(Header(), extension, listed, w, image)
        block.add("extension", extension, w.offset).add("end of file", end, w.offset)
        block.add("root", self.root.block, w.offset).add("checksum", Checksum())
