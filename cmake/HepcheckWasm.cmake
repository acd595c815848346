# The libraries for WebAssembly (preset `wasm`), compiled from the sources that Debian has: Debian has no libraries for
# it. The archives are in HEPCHECK_SOURCES, where ./dev put them.
set(HEPCHECK_SOURCES "/usr/src/hepcheck" CACHE PATH "Source archives of the libraries: NAME_VERSION.orig.tar.*")

# source(PACKAGE VARIABLE): unpacks the archive of a source package and sets VARIABLE to its directory.
function(source package variable)
  file(GLOB archive "${HEPCHECK_SOURCES}/${package}_*.orig.tar.*")
  list(FILTER archive EXCLUDE REGEX "\\.asc$")
  list(LENGTH archive count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "${HEPCHECK_SOURCES} should have one archive of ${package}: ./dev package fetches it")
  endif()
  set(to "${PROJECT_BINARY_DIR}/sources/${package}")
  if(NOT EXISTS "${to}")
    file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${to}.new")
    file(RENAME "${to}.new" "${to}")
  endif()
  file(GLOB folder "${to}/*")
  set(${variable} "${folder}" PARENT_SCOPE)
endfunction()

# library(TARGET NAME FILES file... [INCLUDES folder...] [DEFINES name...])
function(library target name)
  cmake_parse_arguments(ARG "" "" "FILES;INCLUDES;DEFINES" ${ARGN})
  add_library(${name} STATIC ${ARG_FILES})
  target_include_directories(${name} SYSTEM PUBLIC ${ARG_INCLUDES})
  target_compile_definitions(${name} PRIVATE ${ARG_DEFINES})
  target_compile_options(${name} PRIVATE -w)
  set_target_properties(${name} PROPERTIES C_EXTENSIONS ON)
  add_library(${target} ALIAS ${name})
endfunction()

set(headers "${PROJECT_BINARY_DIR}/headers")
file(MAKE_DIRECTORY "${headers}")

source(zlib folder)
file(GLOB files "${folder}/*.c")
list(FILTER files EXCLUDE REGEX "/gz[a-z]+\\.c$")
library(ZLIB::ZLIB wasm_zlib FILES ${files} INCLUDES "${folder}" DEFINES HAVE_UNISTD_H)

source(libdeflate folder)
file(GLOB files "${folder}/lib/*.c")
library(hepcheck_libdeflate wasm_libdeflate FILES ${files} INCLUDES "${folder}")

source(lz4 folder)
# Without its own older copy of xxhash.h.
file(COPY "${folder}/lib/" DESTINATION "${headers}/lz4" FILES_MATCHING PATTERN "lz4*.h")
library(PkgConfig::lz4 wasm_lz4 INCLUDES "${headers}/lz4" DEFINES XXH_NAMESPACE=LZ4_
  FILES "${folder}/lib/lz4.c" "${folder}/lib/lz4hc.c" "${folder}/lib/lz4frame.c" "${folder}/lib/xxhash.c")

source(libzstd folder)
file(GLOB files "${folder}/lib/common/*.c" "${folder}/lib/compress/*.c" "${folder}/lib/decompress/*.c")
library(PkgConfig::zstd wasm_zstd FILES ${files} INCLUDES "${folder}/lib" DEFINES ZSTD_DISABLE_ASM XXH_NAMESPACE=ZSTD_)

source(bzip2 folder)
set(files blocksort.c huffman.c crctable.c randtable.c compress.c decompress.c bzlib.c)
list(TRANSFORM files PREPEND "${folder}/")
library(BZip2::BZip2 wasm_bzip2 FILES ${files} INCLUDES "${folder}")

source(xxhash folder)
library(PkgConfig::xxhash wasm_xxhash FILES "${folder}/xxhash.c" INCLUDES "${folder}")

source(libmd folder)
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/sources/config/config.h" CONTENT "#include <unistd.h>\n")
library(PkgConfig::libmd wasm_libmd FILES "${folder}/src/md5.c" "${folder}/src/md5hl.c" INCLUDES "${folder}/include")
target_include_directories(wasm_libmd PRIVATE "${PROJECT_BINARY_DIR}/sources/config")

# Only its decoder.
source(xz-utils folder)
set(folder "${folder}/src/liblzma")
file(GLOB files "${folder}/common/*_decoder.c" "${folder}/*/*_decoder.c" "${folder}/check/crc*_fast.c" "${folder}/simple/*.c")
list(FILTER files EXCLUDE REGEX "/(microlzma|lzip)_decoder\\.c$")
foreach(file check/check check/sha256 common/block_util common/common common/filter_common common/index_hash
        common/stream_flags_common common/vli_size delta/delta_common)
  list(APPEND files "${folder}/${file}.c")
endforeach()
list(REMOVE_DUPLICATES files)
set(defines HAVE_DECODERS HAVE_STDBOOL_H HAVE__BOOL HAVE_STDINT_H HAVE_INTTYPES_H HAVE_LIMITS_H HAVE_STRING_H
    HAVE_CHECK_CRC32 HAVE_CHECK_CRC64 HAVE_CHECK_SHA256 SIZEOF_SIZE_T=8 TUKLIB_SYMBOL_PREFIX=lzma_)
foreach(filter LZMA1 LZMA2 DELTA X86 ARM ARMTHUMB ARM64 POWERPC IA64 SPARC RISCV)
  list(APPEND defines HAVE_DECODER_${filter})
endforeach()
set(includes api common check lz lzma rangecoder delta simple)
list(TRANSFORM includes PREPEND "${folder}/")
library(PkgConfig::lzma wasm_lzma FILES ${files} INCLUDES ${includes} "${folder}/../common" DEFINES ${defines})

# Libraries that consist of headers: those of the system, without the other headers there.
foreach(name nlohmann CLI toml++)
  file(CREATE_LINK "/usr/include/${name}" "${headers}/${name}" SYMBOLIC)
endforeach()
foreach(target nlohmann_json::nlohmann_json CLI11::CLI11 tomlplusplus::tomlplusplus)
  add_library(${target} INTERFACE IMPORTED)
  target_include_directories(${target} SYSTEM INTERFACE "${headers}")
endforeach()

# There are no threads: they would need headers of the web server. std::thread says so, and callers go on without.
add_library(Threads::Threads INTERFACE IMPORTED)
