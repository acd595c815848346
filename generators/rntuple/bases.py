"""Valid files from which recipes start, each as small as possible."""

from .ntuple import Ntuple
from .root import Directory, RootFile


def base_of(*columns, large=False, **options):
    """A file with one RNTuple. Each column is (name, type, values of each cluster) and options of
    Ntuple.field."""
    def base():
        ntuple = Ntuple(**options)
        for name, type, values, *more in columns:
            ntuple.field(name, type, values, **(more[0] if more else {}))
        return RootFile(ntuple, large=large)
    base.suffix = RootFile.suffix
    return base


def in_directory(base):
    def moved():
        file = base()
        data = Directory("data")
        data.members, file.top.members = file.top.members, [data]
        return file
    moved.suffix = RootFile.suffix
    return moved


X = [[1, 2, 3]]
ints = base_of(("x", "std::int32_t", X))
two = base_of(("x", "std::int32_t", X), ("y", "double", [[0.5, 1.5, 2.5]]))
clusters = base_of(("x", "std::int32_t", [[1, 2, 3], [4, 5], [6]]),
                   ("v", "std::vector<float>", [[[1.0], [], [2.0, 3.0]], [[4.0], [5.0, 6.0]], [[7.0]]]))
LISTS = [[[1.0], [], [1.0, 2.0]]]
lists = base_of(("v", "std::vector<float>", LISTS))
split_lists = base_of(("v", "std::vector<float>", LISTS, {"encoding": "SplitIndex64"}))
texts = base_of(("s", "std::string", [["a", "", "bcd"]]))
variants = base_of(("u", "std::variant<float,std::string>",
                    [[(0, 1.5), (1, "a"), None, (1, "bc"), (0, 2.5)]]))
optionals = base_of(("o", "std::optional<float>", [[1.0, None, 2.0]]))
masks = base_of(("o", "std::optional<float>", [[1.0, None, 2.0]], {"encoding": "Bit"}))
arrays = base_of(("a", "std::array<float,3>", [[[1, 2, 3], [4, 5, 6]]]))
bitsets = base_of(("b", "std::bitset<42>", [[[i % 3 == 0 for i in range(42)]] * 3]))
pairs = base_of(("p", "std::pair<float,std::int32_t>", [[(1.0, 2), (3.0, 4)]]))
tuples = base_of(("t", "std::tuple<float,std::int32_t,bool>", [[(1.0, 2, True), (3.0, 4, False)]]))
sets = base_of(("s", "std::set<std::int32_t>", [[[1, 2], [], [3]]]))
maps = base_of(("m", "std::map<std::string,float>", [[[("a", 1.0)], [], [("b", 2.0), ("c", 3.0)]]]))
atomics = base_of(("a", "std::atomic<std::int32_t>", X))
enums = base_of(("e", "Color", X))
records = base_of(("r", "LV", [[{"pt": ("float", 1.0), "id": ("std::int32_t", 2)},
                                {"pt": ("float", 3.0), "id": ("std::int32_t", 4)}]]))
floats = base_of(("f", "float", [[0.5, 1.5, 2.5]]))
later = base_of(("x", "std::int32_t", X), version=6)
later.reports = {"rntuple-dialect-max-key-size"}
zlib_ints = base_of(("x", "std::int32_t", [[7] * 100]), settings=101)
zlib_texts = base_of(("s", "std::string", [["compress me please"] * 8]), settings=101)
lz4_ints = base_of(("x", "std::int32_t", [list(range(50))]), settings=404)
xz_ints = base_of(("x", "std::int32_t", [[7] * 100]), settings=201)
zstd_ints = base_of(("x", "std::int32_t", [list(range(50))]), settings=505)
checked = base_of(("x", "std::int32_t", X), checksums=True)
checked_zlib = base_of(("x", "std::int32_t", [[7] * 100]), settings=101, checksums="plain")
aliased_columns = [("v", "std::vector<float>", LISTS)]


def projected():
    """A projected field n, the cardinality of v."""
    from .ntuple import Alias
    file = lists()
    ntuple = file.ntuple
    field = ntuple.field("n", "ROOT::Experimental::RNTupleCardinality<std::uint32_t>")
    ntuple.aliases.append(Alias(ntuple.column("v"), field))
    return file


projected.suffix = RootFile.suffix


def extended():
    """A deferred column y in the schema extension, whose first element has the index 4."""
    ntuple = Ntuple()
    ntuple.field("x", "std::int32_t", [list(range(10)), list(range(5))])
    ntuple.field("y", "float", [[0.0] * 4 + [1.0] * 6, [2.0] * 5], extension=True, first=4)
    return RootFile(ntuple)


extended.suffix = RootFile.suffix


def sharded():
    """Two sharded clusters over the same entries."""
    from .ntuple import Cluster
    file = two()
    ntuple = file.ntuple
    first = ntuple.clusters[0]
    second = Cluster(3)
    x, y = ntuple.columns
    second.chunks = {y: first.chunks.pop(y)}
    first.group, second.group, second.first = 0, 1, 0
    ntuple.clusters.append(second)
    ntuple.column_groups = [[0], [1]]
    return file


sharded.suffix = RootFile.suffix


def grouped():
    """Three clusters in two cluster groups."""
    from .ntuple import Group
    file = clusters()
    ntuple = file.ntuple
    ntuple.groups = [Group(ntuple.clusters[:2]), Group(ntuple.clusters[2:])]
    return file


grouped.suffix = RootFile.suffix
