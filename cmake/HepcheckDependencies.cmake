# All dependencies come from the system; nothing is downloaded.
set(HDF5_PREFER_PARALLEL OFF)
find_package(HDF5 COMPONENTS C REQUIRED)
if(HDF5_VERSION VERSION_LESS 1.12.3)
  message(FATAL_ERROR
    "hepcheck needs HDF5 >= 1.12.3, found ${HDF5_VERSION}. HEP001 stores references as "
    "H5T_STD_REF, which HDF5 1.10 cannot represent. ./dev builds in a root with a supported version.")
endif()
include(HepcheckHdf5)

find_package(Threads REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 2.4 REQUIRED)
find_package(tomlplusplus 3.4 REQUIRED)
find_package(libdeflate REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(seccomp REQUIRED IMPORTED_TARGET libseccomp)
pkg_check_modules(lz4 REQUIRED IMPORTED_TARGET liblz4)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
find_package(BZip2 REQUIRED)
find_package(ZLIB REQUIRED)
pkg_check_modules(libmd REQUIRED IMPORTED_TARGET libmd)
pkg_check_modules(lzma REQUIRED IMPORTED_TARGET liblzma)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
