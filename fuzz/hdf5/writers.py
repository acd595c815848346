#!/usr/bin/env python3
"""Writes HDF5 files with other programs: those that are installed where this runs. docs/hdf5-writers.md says how.

    python3 fuzz/hdf5/writers.py FOLDER [NAME...]    runs all writers, or these
"""

import os
import pathlib
import subprocess
import sys
import tempfile

WRITERS = {}


def writer(name):
    def register(function):
        WRITERS[name] = function
        return function
    return register


def run(*command, text=None, folder=None):
    subprocess.run([*map(str, command)], input=text, text=True, check=True, stdin=None if text else subprocess.DEVNULL,
                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder, timeout=300)


# --- netCDF -----------------------------------------------------------------------------------------

CDL = """netcdf sample {
types:
  compound point { float x; double y; short z(3); };
  byte enum sky { clear = 0, cloud = 1, fog = 2 };
  opaque(11) blob;
  int(*) series;
dimensions: time = UNLIMITED; lat = 6; lon = 8; name = 12;
variables:
  double time(time); time:units = "days since 2000-01-01"; time:calendar = "standard";
  float lat(lat); lat:units = "degrees_north"; float lon(lon); lon:units = "degrees_east";
  float t(time, lat, lon); t:_FillValue = -1.f; t:long_name = "temperature"; t:valid_range = 0.f, 9.f;
  char title(name); string words(lat); ubyte u1(lat); ushort u2(lat); uint u4(lat); uint64 u8(lat); int64 i8(lat);
  point p(lat); sky s(lat); blob b(lon); series v(lat); int scalar;
  t:_DeflateLevel = 4; t:_Shuffle = "true"; t:_ChunkSizes = 1, 3, 4; u4:_Fletcher32 = "true"; u4:_Endianness = "big";
  string :authors = "one", "two"; :history = "made"; :empty = "";
data:
  time = 1, 2, 3; lat = 1, 2, 3, 4, 5, 6; lon = 1, 2, 3, 4, 5, 6, 7, 8; t = 1, 2, 3, 4, 5; title = "hello";
  words = "a", "bb", "", "dddd", "e", "ffffffffffff"; scalar = 42;
group: inner { dimensions: k = 3; variables: int w(k, lat); data: w = 1, 2, 3, 4;
  group: deeper { variables: int w(lat); :note = "x"; } }
}
"""


@writer("ncgen")
def ncgen(folder):
    source = folder / "sample.cdl"
    source.write_text(CDL)
    for kind in ("nc4",):
        run("ncgen", "-k", kind, "-o", folder / f"ncgen-{kind}.nc", source)
    flat = folder / "flat.cdl"
    flat.write_text("netcdf f { dimensions: x = 5; t = UNLIMITED; variables: int a(t, x); float x(x); a:u = \"m\";"
                    " data: a = 1, 2, 3, 4, 5, 6, 7; x = 1, 2, 3, 4, 5; }")
    run("ncgen", "-k", "nc7", "-o", folder / "ncgen-nc7.nc", flat)
    for name, options in {"deflate": ["-d5", "-s"], "chunks": ["-c", "time/2,lat/2,lon/8"], "fixed": ["-u"],
                          "bytes": ["-d1", "-c", "lat/1"], "memory": ["-w"], "none": ["-F", "none"],
                          "fletcher": ["-F", "t,fletcher32"], "zstd": ["-F", "t,32015,3"]}.items():
        attempt(run, "nccopy", *options, folder / "ncgen-nc4.nc", folder / f"nccopy-{name}.nc")
    source.unlink(), flat.unlink()


@writer("nco")
def nco(folder):
    base = folder / "nco-base.nc"
    run("ncks", "-O", "-4", "-v", "x,a", *flat_classic(folder), base)
    for name, command in {
            "deflate": ["ncks", "-O", "-4", "-L", "5"], "nc7": ["ncks", "-O", "-7"],
            "chunk": ["ncks", "-O", "-4", "--cnk_plc=all", "--cnk_dmn", "x,2"],
            "ppc": ["ncks", "-O", "-4", "--ppc", "default=3", "-L", "1"],
            "baa": ["ncks", "-O", "-4", "--baa=4", "--ppc", "default=3", "-L", "1"],
            "codec": ["ncks", "-O", "-4", "--cmp=shf|dfl"],
            "math": ["ncap2", "-O", "-4", "-s", "b=a*2.5; c[$x]=1b"],
            "renamed": ["ncrename", "-O", "-v", "a,renamed", "-d", "x,longer_name"],
            "attributes": ["ncatted", "-O", "-a", "units,a,o,c,metres", "-a", "u,a,d,,", "-a", "history,global,a,c,more"],
            "record": ["ncks", "-O", "--mk_rec_dmn", "x"], "average": ["ncwa", "-O", "-a", "t"],
            "packed": ["ncpdq", "-O"], "permuted": ["ncpdq", "-O", "-a", "x,t"]}.items():
        attempt(run, *command, base, folder / f"nco-{name}.nc")
    attempt(run, "ncecat", "-O", base, base, folder / "nco-ecat.nc")
    attempt(run, "ncecat", "-O", "--gag", base, folder / "nco-renamed.nc", folder / "nco-groups.nc")
    attempt(run, "ncrcat", "-O", base, base, folder / "nco-rcat.nc")


def flat_classic(folder):
    source, made = folder / "c.cdl", folder / "classic.nc3"
    source.write_text("netcdf f { dimensions: x = 5; t = UNLIMITED; variables: int a(t, x); float x(x); a:u = \"m\";"
                      " data: a = 1, 2, 3, 4, 5, 6, 7; x = 1, 2, 3, 4, 5; }")
    run("ncgen", "-k", "nc3", "-o", made, source)
    source.unlink()
    return [made]


@writer("cdo")
def cdo(folder):
    for name, options in {"nc4": ["-f", "nc4"], "nc4c": ["-f", "nc4c"], "zip": ["-f", "nc4", "-z", "zip_3"],
                          "chunks": ["-f", "nc4", "-k", "lines"], "double": ["-f", "nc4", "-b", "F64"]}.items():
        attempt(run, "cdo", "-s", *options, "-random,r36x18", folder / f"cdo-{name}.nc")
    attempt(run, "cdo", "-s", "-f", "nc4", "-for,1,20", folder / "cdo-for.nc")


@writer("netcdf4-python")
def netcdf4_python(folder):
    import netCDF4
    import numpy as np
    for kind in ("NETCDF4", "NETCDF4_CLASSIC"):
        with netCDF4.Dataset(folder / f"netcdf4-python-{kind}.nc", "w", format=kind) as file:
            file.createDimension("t", None), file.createDimension("x", 20)
            for i, options in enumerate(({}, {"zlib": True}, {"zlib": True, "shuffle": False, "fletcher32": True},
                                         {"contiguous": False, "chunksizes": (3, 7)}, {"endian": "big"},
                                         {"least_significant_digit": 2, "zlib": True}, {"fill_value": False})):
                made = file.createVariable(f"v{i}", "f4", ("t", "x"), **options)
                made[0:5] = np.random.default_rng(i).random((5, 20))
                made.units = "m"
            if kind == "NETCDF4":
                for compression in ("szip", "zstd", "bzip2", "blosc_lz4"):
                    attempt(lambda: file.createVariable(compression, "i4", ("t", "x"), compression=compression))
                text = file.createVariable("text", str, ("x",))
                text[3] = "some text"
                rows = file.createVLType(np.int32, "rows")
                ragged = file.createVariable("ragged", rows, ("x",))
                ragged[1] = np.arange(5, dtype="i4")
                pair = file.createCompoundType(np.dtype([("a", "i4"), ("b", "f8")]), "pair")
                file.createVariable("pairs", pair, ("x",))[:] = np.zeros(20, "i4,f8").astype([("a", "i4"), ("b", "f8")])
                colour = file.createEnumType(np.uint8, "colour", {"red": 0, "green": 1})
                file.createVariable("colours", colour, ("x",), fill_value=0)[:] = 1
                group = file.createGroup("g/h/i")
                group.createDimension("y", 3)
                group.createVariable("w", "i8", ("y",))[:] = 7
                file.setncattr_string("strings", ["a", "b"])
        with netCDF4.Dataset(folder / f"netcdf4-python-{kind}.nc", "a") as file:
            file["v0"][5:9] = 1
            file.renameVariable("v1", "other")
            file["v2"].delncattr("units")
            for i in range(30):
                file.setncattr(f"attribute {i}", i)


@writer("xarray")
def with_xarray(folder):
    import numpy as np
    import xarray as xr
    data = xr.Dataset({"t": (("time", "x"), np.arange(12.).reshape(3, 4)), "name": (("x",), ["a", "bb", "c", "dd"]),
                       "flag": (("x",), [True, False, True, False])},
                      coords={"time": np.array(["2001-01-01", "2001-01-02", "2001-01-03"], "M8[ns]"), "x": range(4)})
    for engine in ("netcdf4", "h5netcdf"):
        data.to_netcdf(folder / f"xarray-{engine}.nc", engine=engine)
        data.to_netcdf(folder / f"xarray-{engine}-packed.nc", engine=engine, unlimited_dims=["time"],
                       encoding={"t": {"zlib": True, "dtype": "i2", "scale_factor": 0.1, "_FillValue": -1}})
        data.to_netcdf(folder / f"xarray-{engine}-packed.nc", engine=engine, group="more", mode="a")


@writer("h5netcdf")
def with_h5netcdf(folder):
    import h5netcdf
    import numpy as np
    for track in (True, False):
        with h5netcdf.File(folder / f"h5netcdf-{track}.nc", "w", track_order=track) as file:
            file.dimensions = {"x": 5, "t": None}
            v = file.create_variable("v", ("t", "x"), float, compression="gzip")
            file.resize_dimension("t", 4)
            v[:] = np.ones((4, 5))
            file.create_group("g").create_variable("w", ("x",), "i4", data=range(5))
            v.attrs["units"] = "m"


# --- Python -----------------------------------------------------------------------------------------

@writer("pytables")
def pytables(folder):
    import numpy as np
    import tables

    class Row(tables.IsDescription):
        name = tables.StringCol(16)
        id = tables.Int64Col()
        value = tables.Float32Col(shape=(2, 3))
        flag = tables.BoolCol()
        kind = tables.EnumCol(tables.Enum(["red", "green"]), "red", base="uint8")
        when = tables.Time64Col()
        short = tables.Time32Col()
        z = tables.ComplexCol(16)

        class nested(tables.IsDescription):
            a = tables.UInt8Col()
            b = tables.StringCol(3)

    for name, filters in {"plain": None, "zlib": tables.Filters(5, "zlib"), "shuffled": tables.Filters(
            3, "zlib", shuffle=True, fletcher32=True), "blosc": tables.Filters(5, "blosc:lz4"), "blosc2": tables.Filters(
                5, "blosc2"), "bzip2": tables.Filters(5, "bzip2"), "lzo": tables.Filters(5, "lzo"),
            "bits": tables.Filters(5, "blosc", bitshuffle=True)}.items():
        def made():
            with tables.open_file(folder / f"pytables-{name}.h5", "w", title="A title", filters=filters) as file:
                table = file.create_table("/a/b", "table", Row, "rows", createparents=True, expectedrows=1000)
                for i in range(200):
                    row = table.row
                    row["name"], row["id"], row["nested/a"] = f"row {i}", i * 7 % 50, i
                    row.append()
                table.flush()
                table.cols.id.create_csindex()
                table.cols.name.create_index(optlevel=6, kind="medium")
                table.remove_rows(5, 17)
                file.create_array("/", "array", np.arange(10))
                file.create_carray("/", "carray", tables.Float64Atom(), (20, 30))[3:5] = 1
                growing = file.create_earray("/", "earray", tables.Int16Atom(), (0, 4))
                growing.append(np.ones((9, 4), "i2"))
                ragged = file.create_vlarray("/", "vlarray", tables.Int32Atom())
                ragged.append([1, 2, 3]), ragged.append([]), ragged.append(range(50))
                objects = file.create_vlarray("/", "objects", tables.ObjectAtom())
                objects.append({"a": 1})
                texts = file.create_vlarray("/", "texts", tables.VLUnicodeAtom())
                texts.append("grüße")
                file.create_soft_link("/", "soft", "/a/b/table"), file.create_hard_link("/", "hard", "/array")
                file.create_external_link("/", "external", "other.h5:/x")
                file.root.array.attrs.thing = {"pickled": [1, 2]}
                file.root.array.attrs.text = "t"
                file.enable_undo(), file.mark("m"), file.create_group("/", "undone"), file.undo()
                file.create_array("/", "unicode", np.array(["ab", "c"]).astype("S")), file.copy_node("/array", "/a")
                file.remove_node("/a/array"), file.rename_node("/earray", "renamed")
        attempt(made)
        attempt(run, "ptrepack", "--chunkshape=auto", "--propindexes", "--complevel=1", "--complib=zlib",
                f"{folder}/pytables-{name}.h5:/", f"{folder}/ptrepack-{name}.h5:/")


@writer("pandas")
def with_pandas(folder):
    import numpy as np
    import pandas as pd
    frame = pd.DataFrame({"i": range(50), "f": np.linspace(0, 1, 50), "s": [f"text {i}" for i in range(50)],
                          "b": [True, False] * 25, "t": pd.date_range("2001-01-01", periods=50),
                          "c": pd.Categorical(["a", "b"] * 25)})
    for name, options in {"fixed": {}, "table": {"format": "table"}, "packed": {"format": "table", "complevel": 9,
                          "complib": "zlib"}, "blosc": {"format": "table", "complevel": 5, "complib": "blosc:zstd"},
                          "indexed": {"format": "table", "data_columns": True, "min_itemsize": {"s": 30}}}.items():
        data = frame.drop(columns="c") if name == "fixed" else frame
        attempt(data.to_hdf, folder / f"pandas-{name}.h5", key="df", mode="w", **options)
    with pd.HDFStore(folder / "pandas-store.h5", "w") as store:
        store.put("series", frame.f), store.append("grown", frame[["i", "f"]]), store.append("grown", frame[["i", "f"]])
        store.remove("grown", "index > 30"), store.put("multi", frame.set_index(["i", "s"])[["f"]], format="table")
        del store["series"]


@writer("h5py")
def with_h5py(folder):
    import h5py
    import numpy as np
    low = ("earliest", "v108", "v110", "v112", "v114", "v200", "latest")
    for first in low:
        for second in low[low.index(first):]:
            def made():
                with h5py.File(folder / f"h5py-{first}-{second}.h5", "w", libver=(first, second)) as file:
                    everything(file, h5py, np)
            attempt(made)


def everything(file, h5py, np):
    group = file.create_group("many", track_order=True)
    for i in range(40):
        group[f"link {i}"] = h5py.SoftLink("/x")
        file.attrs[f"attribute {i}"] = np.arange(i)
    for i in range(0, 40, 3):
        del group[f"link {i}"], file.attrs[f"attribute {i}"]
    file["scalar"], file["text"], file["list"] = 1, "grüße", ["a", "b"]
    file["empty"], file["complex"], file["half"] = h5py.Empty("f4"), np.ones(3, "c16"), np.ones(3, "f2")
    file["bool"], file["long"] = np.ones(3, bool), np.ones(3, np.longdouble)
    file.create_dataset("strings", (20,), h5py.string_dtype(), maxshape=(None,))[3:7] = "some text"
    file.create_dataset("ragged", (5,), h5py.vlen_dtype("i4"))[2] = np.arange(9)
    file.create_dataset("enum", (5,), h5py.enum_dtype({"A": 1, "B": 2}))[:] = 1
    file.create_dataset("opaque", data=np.zeros(4, "V7"))
    file.create_dataset("dates", data=np.array(["2001-01-01"], "M8[s]").astype(h5py.opaque_dtype("M8[s]")))
    kind = np.dtype([("a", "i4"), ("s", h5py.string_dtype()), ("v", h5py.vlen_dtype("f8")), ("n", [("x", "u1", (2, 2))])])
    file.create_dataset("records", (6,), kind, chunks=(2,))
    file["type"] = kind
    file.create_dataset("typed", (2,), dtype=file["type"])
    for name, options in {"gzip": {"compression": 9}, "lzf": {"compression": "lzf"}, "szip": {"compression": "szip"},
                          "shuffled": {"shuffle": True, "compression": "gzip"}, "sum": {"fletcher32": True},
                          "scaled": {"scaleoffset": 3}, "filled": {"fillvalue": 7}}.items():
        grid = file.create_dataset(name, (30, 20), "i4", chunks=(7, 6), maxshape=(None, None), **options)
        grid[...] = np.arange(600).reshape(30, 20)
        grid.resize((50, 3)), grid.resize((20, 20))
    file.create_dataset("growing", (10, 4), "f8", maxshape=(None, 4), chunks=(3, 4), fletcher32=True)[2:9] = 1
    file.create_dataset("external", (10,), "i4", external=[("raw.bin", 0, 20), ("raw2.bin", 5, h5py.h5f.UNLIMITED)])
    file.create_dataset("references", (3,), h5py.ref_dtype)[0] = file["many"].ref
    file.create_dataset("regions", (3,), h5py.regionref_dtype)[1] = file["gzip"].regionref[2:5, ::2]
    file["regions"][2] = file["gzip"].regionref[np.arange(400).reshape(20, 20) % 7 == 0]
    for number, kind in enumerate((h5py.string_dtype(), h5py.ref_dtype, "i4")):
        layout = h5py.VirtualLayout((4, 20), kind, maxshape=(None, 20))
        layout[0] = h5py.VirtualSource(".", "strings" if kind != "i4" else "gzip", (20,))
        layout[1] = h5py.VirtualSource("elsewhere.h5", "x", (20,))
        file.create_virtual_dataset(f"virtual {number}", layout)
    file["hard"], file["outside"] = file["many"], h5py.ExternalLink("other.h5", "/x")
    for i in range(10):
        file["gzip"].attrs[f"references {i}"] = file["many"].ref
    file["list"].make_scale("scale"), file["typed"].dims[0].attach_scale(file["list"])
    file.copy("many", "copied"), file.move("copied", "moved")
    del file["ragged"]


@writer("h5py-spaces")
def h5py_spaces(folder):
    import h5py
    import numpy as np
    for strategy in ("fsm", "page", "aggregate", "none"):
        for persist in (True, False):
            for options in ({}, {"fs_page_size": 512} if strategy == "page" else {}, {"userblock_size": 4096}):
                name = folder / f"h5py-spaces-{strategy}-{persist}-{'-'.join(options) or 'plain'}.h5"
                with h5py.File(name, "w", fs_strategy=strategy, fs_persist=persist, fs_threshold=1, libver="v110",
                               **options) as file:
                    for i in range(20):
                        file.create_dataset(f"d{i}", data=np.zeros(100 * i))
                with h5py.File(name, "r+") as file:
                    for i in range(0, 20, 2):
                        del file[f"d{i}"]
                with h5py.File(name, "r+") as file:
                    file.create_dataset("last", (50, 50), chunks=(7, 7), maxshape=(None, None))[...] = 1


@writer("hdf5plugin")
def with_hdf5plugin(folder):
    import h5py
    import hdf5plugin
    import numpy as np
    with h5py.File(folder / "hdf5plugin.h5", "w") as file:
        for name in ("Bitshuffle", "Blosc", "Blosc2", "BZip2", "FciDecomp", "LZ4", "SZ", "SZ3", "Zfp", "Zstd"):
            if maker := getattr(hdf5plugin, name, None):
                attempt(lambda: file.create_dataset(name, data=np.arange(1000, dtype="f4").reshape(10, 100),
                                                    chunks=(5, 50), **maker()))


@writer("keras-like")
def keras_like(folder):
    """The layout of Keras' weights: names of layers and weights in attributes, arrays in groups."""
    import h5py
    import numpy as np
    with h5py.File(folder / "keras-like.h5", "w") as file:
        file.attrs["keras_version"], file.attrs["backend"] = "2.15.0", "tensorflow"
        file.attrs["model_config"] = '{"class_name": "Sequential", "config": {"name": "m"}}'
        weights = file.create_group("model_weights")
        weights.attrs["layer_names"] = np.array([b"dense", b"dense_1"])
        for layer in ("dense", "dense_1"):
            group = weights.create_group(layer)
            group.attrs["weight_names"] = np.array([f"{layer}/kernel:0".encode(), f"{layer}/bias:0".encode()])
            group.create_dataset(f"{layer}/kernel:0", data=np.ones((3, 4), "f4"))
            group.create_dataset(f"{layer}/bias:0", data=np.ones(4, "f4"))


@writer("loompy")
def with_loompy(folder):
    import loompy
    import numpy as np
    loompy.create(str(folder / "loompy.loom"), np.ones((20, 10)), {"Gene": np.array([f"g{i}" for i in range(20)])},
                  {"Cell": np.array([f"c{i}" for i in range(10)])})


@writer("hdf5storage")
def with_hdf5storage(folder):
    """MATLAB's version 7.3, with its user block."""
    import hdf5storage
    import numpy as np
    data = {"a": np.arange(12.).reshape(3, 4), "text": "hello", "cell": np.array([1, "x"], object), "s": {"n": 1.5},
            "z": np.ones(3, complex), "flag": True, "empty": np.zeros((0, 3))}
    hdf5storage.savemat(str(folder / "hdf5storage.mat"), data, format="7.3")
    hdf5storage.write(data, ".", str(folder / "hdf5storage.h5"), matlab_compatible=False)


@writer("silx")
def with_silx(folder):
    import numpy as np
    from silx.io.dictdump import dicttoh5
    dicttoh5({"a": np.arange(5), "b": {"c": "text", ("d", "units"): "m"}, "l": [1, 2]}, str(folder / "silx.h5"))
    from silx.io.nxdata import save_NXdata
    save_NXdata(str(folder / "silx-nexus.h5"), np.ones((3, 4)), axes=[np.arange(3), np.arange(4)])


@writer("nexusformat")
def with_nexusformat(folder):
    import numpy as np
    from nexusformat.nexus import NXdata, NXentry, NXfield, NXroot
    root = NXroot(NXentry(NXdata(NXfield(np.ones((4, 5)), name="z"), [NXfield(np.arange(4), name="x"),
                                                                      NXfield(np.arange(5), name="y")])))
    root.save(str(folder / "nexusformat.nxs"), "w")


@writer("meshio")
def with_meshio(folder):
    import meshio
    import numpy as np
    mesh = meshio.Mesh(np.random.default_rng(1).random((4, 3)), [("tetra", np.array([[0, 1, 2, 3]]))],
                       point_data={"u": np.ones(4)})
    for suffix in ("med", "h5m", "xdmf", "cgns", "e"):
        attempt(meshio.write, folder / f"meshio.{suffix}", mesh)


@writer("pynwb")
def with_pynwb(folder):
    import datetime
    import numpy as np
    import pynwb
    file = pynwb.NWBFile("a session", "id", datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc))
    file.add_acquisition(pynwb.TimeSeries(name="series", data=np.arange(100), unit="m", rate=10.))
    file.add_trial_column("stimulus", "which")
    for i in range(5):
        file.add_trial(start_time=float(i), stop_time=i + .5, stimulus=f"s{i}")
    with pynwb.NWBHDF5IO(str(folder / "pynwb.nwb"), "w") as io:
        io.write(file)


@writer("anndata")
def with_anndata(folder):
    import anndata
    import numpy as np
    import pandas as pd
    import scipy.sparse
    dense = np.random.default_rng(1).random((30, 20)).astype("f4")
    observed = pd.DataFrame({"cell": pd.Categorical(["a", "b", "c"] * 10), "n": np.arange(30), "word": ["x", "yy", ""] * 10,
                             "flag": [True, False, True] * 10}, index=[f"c{i}" for i in range(30)])
    for name, values in {"dense": dense, "csr": scipy.sparse.csr_matrix(dense > 0.5, dtype="f4"),
                         "csc": scipy.sparse.csc_matrix(dense > 0.9, dtype="f4")}.items():
        made = anndata.AnnData(values, obs=observed, var=pd.DataFrame(index=[f"g{i}" for i in range(20)]),
                               uns={"text": "hello", "list": np.array(["a", "bb"]), "nested": {"x": 1.5, "none": "no"}},
                               obsm={"X_pca": np.ones((30, 2))}, layers={"counts": values.copy()})
        for option, compression in (("", None), ("-gzip", "gzip"), ("-lzf", "lzf")):
            attempt(made.write_h5ad, folder / f"anndata-{name}{option}.h5ad", compression=compression)
    made.raw = made
    attempt(made.write_h5ad, folder / "anndata-raw.h5ad")


@writer("cooler")
def with_cooler(folder):
    import cooler
    import numpy as np
    import pandas as pd
    bins = pd.DataFrame({"chrom": ["chr1"] * 10 + ["chr2"] * 5, "start": [*range(0, 1000, 100), *range(0, 500, 100)],
                         "end": [*range(100, 1100, 100), *range(100, 600, 100)]})
    pixels = pd.DataFrame([(i, j, 1 + i * j) for i in range(15) for j in range(i, 15)],
                          columns=["bin1_id", "bin2_id", "count"])
    cooler.create_cooler(str(folder / "cooler.cool"), bins, pixels)
    attempt(cooler.zoomify_cooler, str(folder / "cooler.cool"), str(folder / "cooler.mcool"), [100, 200, 500], 1000)


@writer("mathgl")
def with_mathgl(folder):
    import mathgl
    data = mathgl.mglData(10, 5)
    data.SaveHDF(str(folder / "mathgl.h5"), "first", True)
    data.SaveHDF(str(folder / "mathgl.h5"), "second", False)


# --- Other languages ---------------------------------------------------------------------------------

@writer("octave")
def octave(folder):
    run("octave-cli", "--no-gui", "--eval", """
        a = 1:10; b = [1 2; 3 4]; c = "text"; d = {1, "x", [1 2 3]}; e.f = 1; e.g = "y"; h = 1+2i; k = true; l = int8(5);
        m = single(2.5); n = sparse([1 0; 0 2]); o = []; p = ["ab"; "cd"]; q = 1:0; r = uint64(7); s = @(x) x + 1;
        t = cell(2, 2); u = zeros(2, 3, 4); v = struct("w", {1, 2, 3});
        save -hdf5 octave.h5; save -float-hdf5 octave-float.h5 a b;""", folder=folder)


@writer("r")
def r(folder):
    run("Rscript", "-e", """
        library(hdf5r); f <- H5File$new("hdf5r.h5", "w"); f[["a"]] <- matrix(1:20, 4); f[["text"]] <- c("a", "bb");
        g <- f$create_group("g"); g[["frame"]] <- data.frame(x = 1:3, y = c("a", "b", "c"), z = factor(c("u", "v", "u")));
        h5attr(g, "note") <- "hello"; g[["flags"]] <- c(TRUE, FALSE, NA); f$close_all()""", folder=folder)
    attempt(run, "Rscript", "-e", """
        library(rhdf5); h5createFile("rhdf5.h5"); h5createGroup("rhdf5.h5", "g"); h5write(matrix(1:10, 2), "rhdf5.h5", "g/m");
        h5write(c("a", "bb"), "rhdf5.h5", "text"); h5write(data.frame(x = 1:3, y = c("a", "b", "c")), "rhdf5.h5", "frame");
        h5createDataset("rhdf5.h5", "big", c(100, 50), maxdims = c(1000, 50), chunk = c(10, 10), level = 7, shuffle = TRUE);
        h5write(list(a = 1, b = "x"), "rhdf5.h5", "list"); h5delete("rhdf5.h5", "text")""", folder=folder)


@writer("gdl")
def gdl(folder):
    run("gdl", "-e", "f = h5f_create('gdl.h5') & d = indgen(4, 5) & t = h5t_idl_create(d) & s = h5s_create_simple([4, 5]) "
        "& x = h5d_create(f, 'd', t, s) & h5d_write, x, d & h5d_close, x & h5f_close, f", folder=folder)


@writer("ncl")
def ncl(folder):
    (folder / "x.ncl").write_text('f = addfile("ncl.h5", "c")\na = ispan(1, 10, 1)\na!0 = "x"\nf->a = a\n'
                                  'g = addfile("ncl4.nc", "c")\nsetfileoption("nc", "Format", "NetCDF4")\ng->a = a\n')
    run("ncl", "x.ncl", folder=folder)


@writer("pdl")
def pdl(folder):
    run("perl", "-e", """
        use PDL; use PDL::IO::HDF5; my $f = new PDL::IO::HDF5('pdl.h5'); $f->attrSet(a => 'text');
        my $d = $f->dataset('d'); $d->set(sequence(4, 5)); $d->attrSet(u => 'm');
        my $g = $f->group('g'); $g->attrSet(b => 'in a group');""", folder=folder)


@writer("scilab")
def scilab(folder):
    run("scilab-cli", "-nb", "-e", """
        a = 1:10; b = "text"; c = list(1, "x"); d = struct("n", 1); e = int8([1 2; 3 4]); f = sparse([1 0; 0 2]);
        g = {1, "y"}; h = 1 + 2 * %i; k = %t; save("scilab.sod"); x = h5open("scilab.h5", "w"); h5write(x, "m", rand(4, 3));
        h5group(x, "g"); h5write(x, "g/t", "hello"); h5attr(x, "g", "note", "n"); h5close(x); exit""", folder=folder)


H5WASM = """
import h5wasm from "h5wasm/node";
await h5wasm.ready;
const file = new h5wasm.File("h5wasm.h5", "w");
file.create_attribute("title", "written by h5wasm");
file.create_dataset({ name: "numbers", data: new Float64Array(60), shape: [6, 10] });
file.create_dataset({ name: "integers", data: new Int16Array([1, -2, 3]) });
file.create_dataset({ name: "text", data: ["a", "bb", ""] });
file.create_dataset({ name: "fixed", data: ["a", "bb"], dtype: "S4" });
file.create_dataset({ name: "grows", data: new Int32Array(20), shape: [4, 5], maxshape: [null, 5], chunks: [2, 5] });
file.create_dataset({ name: "deflated", data: new Float32Array(100), shape: [10, 10], chunks: [5, 5], compression: "gzip",
                      compression_opts: [6] });
file.create_dataset({ name: "late", data: new Float32Array(4), shape: [2, 2], track_order: true });
const group = file.create_group("group", true);
group.create_attribute("list", new Int32Array([1, 2, 3]));
group.create_dataset({ name: "inner", data: new BigInt64Array(3) });
file.create_soft_link("/group/inner", "soft");
file.create_hard_link("/group/inner", "hard");
file.create_external_link("other.h5", "/x", "outside");
file.get("numbers").create_attribute("units", "m");
file.get("numbers").make_scale("scale");
file.close();
"""


@writer("h5wasm")
def h5wasm(folder):
    """Needs node, and the package h5wasm in NODE_MODULES."""
    (folder / "write.mjs").write_text(H5WASM)
    (folder / "node_modules").symlink_to(os.environ["NODE_MODULES"])
    run("node", "write.mjs", folder=folder)


# --- Tools --------------------------------------------------------------------------------------------

@writer("minc")
def minc(folder):
    (folder / "raw").write_bytes(bytes(range(240)))
    for name, options in {"plain": [], "short": ["-short", "-oshort"], "float": ["-ofloat"]}.items():
        size = [3, 8, 5] if name == "short" else [4, 10, 6]
        attempt(run, "rawtominc", "-2", "-byte", *options, "-input", folder / "raw", folder / f"minc-{name}.mnc", *size)
        attempt(run, "mincconvert", "-2", "-compress", "4", "-chunk", "4", folder / f"minc-{name}.mnc",
                folder / f"minc-{name}-compressed.mnc")


@writer("gmsh")
def gmsh(folder):
    (folder / "m.geo").write_text("SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 1, 1};\n"
                                  "Mesh.MeshSizeMax = 0.7;\nPhysical Volume(\"v\") = {1};\n")
    run("gmsh", "-3", "-format", "cgns", "-o", folder / "gmsh.cgns", folder / "m.geo")


KEA = r"""
#include <libkea/KEAImageIO.h>
using namespace kealib;
int main(int, char** argv) {
  KEAImageSpatialInfo place;
  place.wktString = "";
  place.tlX = 0; place.tlY = 0; place.xRes = 1; place.yRes = -1; place.xRot = 0; place.yRot = 0;
  auto* file = KEAImageIO::createKEAImage(argv[1], kea_32float, 120, 90, 2, nullptr, &place, 64, 10);
  KEAImageIO image;
  image.openKEAImageHeader(file);
  std::vector<float> values(120 * 90, 1.5f);
  for (std::uint32_t band = 1; band < 3; ++band)
    image.writeImageBlock2Band(band, values.data(), 0, 0, 120, 90, 120, 90, kea_32float);
  image.setImageMetaData("AREA", "Point");
  image.setImageBandMetaData(1, "NAME", "first");
  image.setImageBandDescription(2, "the second band");
  double none = -1;
  image.setNoDataValue(1, &none, kea_64float);
  image.createMask(1);
  image.createOverview(1, 1, 60, 45);
  auto* table = image.getAttributeTable(kea_att_file, 1);
  table->addRows(20);
  table->addAttIntField("count", 7, "PixelCount");
  table->addAttFloatField("mean", 0.5, "");
  table->addAttStringField("name", "", "");
  table->addAttBoolField("flag", true, "");
  for (size_t i = 0; i < 20; ++i) table->setStringField(i, table->getFieldIndex("name"), "row");
  KEAAttributeTable::destroyAttributeTable(table);
  image.close();
}
"""


@writer("kea")
def kea(folder):
    """Needs kealib, which Debian does not have, and a compiler."""
    (folder / "kea.cpp").write_text("#include <vector>\n" + KEA)
    run("g++", "-std=c++17", "-I/usr/include/hdf5/serial", "kea.cpp", "-L/usr/lib/x86_64-linux-gnu/hdf5/serial", "-lkea",
        "-lhdf5", "-o", "write", folder=folder)
    run("./write", "kea.kea", folder=folder)


MATIO = r"""
#include <matio.h>
int main(void) {
  mat_t* file = Mat_CreateVer("matio.mat", "a header", MAT_FT_MAT73);
  double numbers[6] = {1, 2, 3, 4, 5, 6};
  short integers[4] = {1, -2, 3, -4};
  size_t two[2] = {2, 3}, row[2] = {1, 4}, text[2] = {1, 5}, one[2] = {1, 1};
  const char* fields[2] = {"x", "y"};
  matvar_t* made = Mat_VarCreate("m", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, two, numbers, 0);
  Mat_VarWrite(file, made, MAT_COMPRESSION_ZLIB);
  Mat_VarWrite(file, Mat_VarCreate("i", MAT_C_INT16, MAT_T_INT16, 2, row, integers, 0), MAT_COMPRESSION_NONE);
  Mat_VarWrite(file, Mat_VarCreate("t", MAT_C_CHAR, MAT_T_UTF8, 2, text, "hello", 0), MAT_COMPRESSION_NONE);
  matvar_t* structure = Mat_VarCreateStruct("s", 2, one, fields, 2);
  Mat_VarSetStructFieldByName(structure, "x", 0, Mat_VarCreate(NULL, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, two, numbers, 0));
  Mat_VarWrite(file, structure, MAT_COMPRESSION_NONE);
  matvar_t* cell = Mat_VarCreate("c", MAT_C_CELL, MAT_T_CELL, 2, one, NULL, 0);
  Mat_VarSetCell(cell, 0, Mat_VarCreate(NULL, MAT_C_CHAR, MAT_T_UTF8, 2, text, "inner", 0));
  Mat_VarWrite(file, cell, MAT_COMPRESSION_NONE);
  Mat_VarWriteAppend(file, Mat_VarCreate("grows", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, two, numbers, 0), MAT_COMPRESSION_ZLIB, 2);
  Mat_VarWriteAppend(file, Mat_VarCreate("grows", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, two, numbers, 0), MAT_COMPRESSION_ZLIB, 2);
  Mat_Close(file);
  return 0;
}
"""


@writer("matio")
def matio(folder):
    (folder / "write.c").write_text(MATIO)
    run("gcc", "write.c", "-o", "write", "-lmatio", folder=folder)
    run("./write", folder=folder)


@writer("gdal")
def gdal(folder):
    source = folder / "source.tif"
    run("gdal_create", "-outsize", "60", "40", "-bands", "2", "-ot", "Float32", "-burn", "3", "-a_srs", "EPSG:4326",
        "-a_ullr", "0", "10", "20", "0", source)
    for kind, suffix, options in (
            ("KEA", "kea", []), ("netCDF", "nc", ["-co", "FORMAT=NC4"]), ("netCDF", "c.nc", ["-co", "FORMAT=NC4C"]),
            ("netCDF", "z.nc", ["-co", "FORMAT=NC4", "-co", "COMPRESS=DEFLATE"]), ("BAG", "bag", [])):
        attempt(run, "gdal_translate", "-q", "-of", kind, *options, source, folder / f"gdal.{suffix}")
    attempt(run, "ogr2ogr", "-f", "netCDF", "-lco", "FORMAT=NC4", folder / "ogr.nc",
            '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"a":1,"s":"x"},'
            '"geometry":{"type":"Point","coordinates":[1,2]}}]}')
    source.unlink()


@writer("h5utils")
def h5utils(folder):
    run("h5fromtxt", "h5utils.h5", text="1 2 3\n4 5 6\n", folder=folder)


@writer("h5import")
def h5import(folder):
    (folder / "in.txt").write_text("1 2 3\n4 5 6\n")
    (folder / "in.conf").write_text("INPUT-CLASS TEXTIN\nINPUT-SIZE 32\nRANK 2\nDIMENSION-SIZES 2 3\nOUTPUT-CLASS IN\n"
                                    "OUTPUT-SIZE 32\nPATH /a/b\nMAXIMUM-DIMENSIONS -1 3\nCHUNKED-DIMENSION-SIZES 1 3\n"
                                    "COMPRESSION-TYPE GZIP\nCOMPRESSION-PARAM 5\n")
    run("h5import", "in.txt", "-c", "in.conf", "-o", "h5import.h5", folder=folder)


REPACK = {
    **{f"filter-{name.replace('=', '')}": ["-f", name] for name in (
        "GZIP=6", "SHUF", "FLET", "SZIP=8,NN", "NBIT", "SOFF=3,IN", "NONE")},
    "filters": ["-f", "SHUF", "-f", "GZIP=1", "-f", "FLET"],
    "chunks": ["-l", "CHUNK=7"], "compact": ["-l", "COMPA"], "contiguous": ["-l", "CONTI"], "latest": ["-L"],
    **{f"bounds-{low}-{high}": [f"--low={low}", f"--high={high}"] for low in range(6) for high in range(max(low, 1), 6)},
    **{f"space-{kind}-{persist}": ["-S", kind, "-P", persist, "-T", "1"]
       for kind in ("FSM_AGGR", "PAGE", "AGGR", "NONE") for persist in "01"},
    "page": ["-S", "PAGE", "-G", "512", "-P", "1"], "block": ["-b", "1024", "-u", "BLOCK"], "metadata": ["-M", "100"],
    "align": ["-t", "1", "-a", "512"], "metadata-block": ["--metadata_block_size=4096"],
    "phases": ["-c", "1", "-d", "0"], "shared": ["-s", "20:dtype", "-s", "20:dspace", "-s", "10:fill", "-s", "10:attr"],
    "order": ["-q", "creation_order"], "threshold": ["-m", "1000", "-f", "GZIP=1"], "native": ["-n"],
    "all-shared": ["-L", "-s", "8"], "merged": ["--merge"],
}


@writer("h5repack")
def h5repack(folder):
    """Every option, over a file of h5py."""
    import h5py
    import numpy as np
    source = folder / "h5repack-source.h5"
    with h5py.File(source, "w", track_order=True) as file:
        attempt(everything, file, h5py, np)
        for name in ("virtual 0", "virtual 1", "virtual 2", "external"):
            file.pop(name, None)
    (folder / "BLOCK").write_bytes(bytes(1024))
    for name, options in REPACK.items():
        attempt(run, "h5repack", *options, source, folder / f"h5repack-{name}.h5", folder=folder)
    for name in ("latest", "page", "block"):
        attempt(run, "h5copy", "-i", folder / f"h5repack-{name}.h5", "-o", folder / f"h5copy-{name}.h5", "-s", "/many",
                "-d", "/a/b", "-p")
    attempt(run, "h5format_convert", folder / "h5copy-latest.h5")
    attempt(run, "h5jam", "-i", folder / "h5repack-latest.h5", "-u", folder / "BLOCK", "-o", folder / "h5jam.h5")


# --- All ----------------------------------------------------------------------------------------------

REFUSED = []


def attempt(function, *arguments, **options):
    """A part of a writer that not every version can do."""
    try:
        function(*arguments, **options)
    except Exception as refusal:
        output = getattr(refusal, "output", None)
        REFUSED.append(f"{arguments[:1]}: {output or refusal}".replace("\n", " ")[:200])


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:] or WRITERS:
        place = folder / name
        place.mkdir(exist_ok=True)
        REFUSED.clear()
        attempt(WRITERS[name], place)
        print(f"{name}: {sum(1 for path in place.iterdir() if path.is_file())} files"
              + "".join(f"\n  not done: {each}" for each in REFUSED), flush=True)


if __name__ == "__main__":
    main()
