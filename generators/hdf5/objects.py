"""Common parts of all objects: a header, attributes, a position in the tree."""

from dataclasses import dataclass, field

from . import btree2, messages
from .btree2 import Tree
from .blocks import Block, Computed, Struct
from .checksums import lookup3
from .fractal_heap import Heap, write_heap
from .headers import Header
from .messages import Message
from .old_groups import GROUP, NOTHING, SOFT, Entry, SymbolTable, write_symbol_table


def _copy(struct):
    """A heap id that stands in a second record, where it can be changed by itself."""
    return Struct(*((name, value) if width is None else (name, value, width)
                    for name, (value, width) in struct.fields.items()))


@dataclass
class Dense:
    """Storage of links or attributes in a fractal heap and a B-tree."""

    heap: Heap
    tree: btree2.Tree


def dense_links(**heap):
    return Dense(Heap(**heap), btree2.Tree(node_size=128))


def dense_attributes(**heap):
    return Dense(Heap(id_length=8, bits=40, **heap), btree2.Tree(node_size=128))


@dataclass
class Attribute:
    name: bytes               # with its NUL
    type: object              # a Datatype, or a NamedDatatype
    shape: tuple = ()
    value: bytes = b""
    version: int = 3

    def encode(self, file):
        reference = None
        if not hasattr(self.type, "encode"):
            reference = messages.shared(file.w, self.type.block, self.type.shared_by)
        return messages.attribute(file.w, self.name, self.type, self.shape, self.value,
                                  self.version, reference, flags=int(reference is not None))


@dataclass
class Node:
    header: Header = field(default_factory=Header)
    attributes: list = field(default_factory=list)
    dense: Dense = None       # of the attributes
    attribute_order: Tree = None   # the index of their creation order, in the order of the list
    path: str = None          # the first path of the object

    is_old_group = False

    def begin(self, path):
        self.path, self.block = path, Block("OHDR", path)

    def attribute_messages(self, file, image):
        if not self.dense:
            return [Message("attribute", each.encode(file)) for each in self.attributes]
        parts = [each.encode(file) for each in self.attributes]
        heap, ids = write_heap(self.dense.heap, parts, f"{self.path}@", file.w, image)
        names = [each.name.rstrip(b"\0") for each in self.attributes]
        records = []
        for _, number in sorted((lookup3(name), i) for i, name in enumerate(names)):
            records.append(Struct(("id", ids[number]), ("flags", 0, 1), ("order", number, 4),
                                  ("hash", lookup3(names[number]), 4)))
        tree = btree2.write_tree(self.dense.tree, btree2.ATTRIBUTES, records, 17,
                                 f"{self.path}@", file.w, image)
        order = tracked = None
        if self.attribute_order:
            tracked = len(ids)
            order = btree2.write_tree(self.attribute_order, 9, [
                Struct(("id", _copy(id)), ("flags", 0, 1), ("order", number, 4))
                for number, id in enumerate(ids)], 13, f"{self.path}@order", file.w, image)
        return [Message("attribute info",
                        lambda w: messages.attribute_info(w, heap, tree, tracked, order))]


@dataclass
class NamedDatatype(Node):
    """`shared_by`: the version of the messages that name it."""

    type: object = None
    shared_by: int = 3

    def body(self, file, image):
        return [Message("datatype", self.type.encode())]


@dataclass
class Link:
    """A link that is not simply hard. `target`: a Node, an address, or bytes (soft, external)."""

    target: object
    kind: int = messages.HARD
    options: dict = field(default_factory=dict)   # of messages.link

    def encode(self, name, file):
        target = self.target.block if isinstance(self.target, Node) else self.target
        return messages.link(file.w, name, target, self.kind, **self.options)


def soft(value, **options):
    return Link(value, messages.SOFT, options)


@dataclass
class Group(Node):
    """`links`: {name: Node or Link}, or a list of such pairs. `storage`: None (in the header),
    Dense, or a SymbolTable."""

    links: dict = field(default_factory=dict)
    storage: object = None
    info: dict = field(default_factory=dict)    # of messages.group_info; None: without
    tracked: int = None                         # the maximum creation index
    order: Tree = None                          # the index of dense links by it

    def pairs(self):
        pairs = self.links.items() if isinstance(self.links, dict) else self.links
        return [(name.encode() if isinstance(name, str) else name,
                 each if isinstance(each, Link) else Link(each)) for name, each in pairs]

    def body(self, file, image):
        if self.is_old_group:
            return [Message("symbol table", self._symbol_table(file, image))]
        made = []
        if isinstance(self.storage, Dense):
            heap, tree = self._dense(file, image)
            made.append(Message("link info",
                                lambda w: messages.link_info(w, heap, tree, self.tracked,
                                                             self.order_index)))
        else:
            made.append(Message("link info",
                                lambda w: messages.link_info(w, tracked=self.tracked)))
        if self.info is not None:
            made.append(Message("group info", lambda w: messages.group_info(w, **self.info),
                                flags=1))
        if not isinstance(self.storage, Dense):
            made += [Message("link", link.encode(name, file)) for name, link in self.pairs()]
        return made

    def _dense(self, file, image):
        pairs = self.pairs()
        parts = [link.encode(name, file) for name, link in pairs]
        heap, ids = write_heap(self.storage.heap, parts, self.path, file.w, image)
        records = [Struct(("hash", lookup3(pairs[i][0]), 4), ("id", ids[i]))
                   for _, _, i in sorted((lookup3(name), name, i)
                                         for i, (name, _) in enumerate(pairs))]
        self.order_index = None
        if self.order:
            self.order_index = btree2.write_tree(self.order, 6, [
                Struct(("order", link.options["order"], 8), ("id", _copy(ids[i])))
                for i, (_, link) in sorted(enumerate(pairs), key=lambda each: each[1][1].options["order"])],
                15, f"{self.path} order", file.w, image)
        return heap, btree2.write_tree(self.storage.tree, btree2.LINKS, records, 11, self.path,
                                       file.w, image)

    @property
    def is_old_group(self):
        return isinstance(self.storage, SymbolTable)

    def remembered(self):
        """The addresses of tree and heap, which are known after everything is written."""
        return [Computed(lambda i=i: self.tree_and_heap[i].address) for i in (0, 1)]

    def _symbol_table(self, file, image):
        entries = []
        for name, link in self.pairs():
            if link.kind == messages.SOFT:
                entries.append(Entry(name, 0, SOFT, soft=link.target))
            elif link.target.is_old_group:
                entries.append(Entry(name, link.target.block, GROUP, *link.target.remembered()))
            else:
                entries.append(Entry(name, link.target.block, NOTHING))
        self.tree_and_heap = write_symbol_table(
            self.storage, entries, self.path, (file.k_leaf, file.k_internal), file.w, image)
        return messages.symbol_table(file.w, *self.tree_and_heap)
