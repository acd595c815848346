// The log format of the recorders (validator/trace/log.h reads it).
//
// The log begins with kTraceMagic. Each record is one append to it, so several threads and
// processes may write to the same log:
//   kind (1 byte), memory kind (1), zero (2), length (4), file (8), position (8), then `length`
//   bytes of data or text; numbers are little-endian
// A file is identified by its inode; a name is a path, relative to the recorded directory if one is
// set.
//   O the file is opened for writing by this name; N the same, and is new; C a descriptor is closed
//   B the original size of the file is `position`; I original bytes at position:
//     bytes that are not listed were zero
//   W data at position; T truncation or growth to position
//   M a writable mapping; X another operation that no record can express, in words
//   R renamed, L linked: the text is the old name, a zero byte, the new name; U this name is
// removed
//   S the file is synced; D the directory of this name is synced, "" for the outermost
//   A an HDF5 call, in words
//   K the HDF5 library passes a write to its driver: memory kind, address, and 8 bytes of size
//   F the final contents of the file: its size, and 8 bytes of FNV-1a over its bytes
// The memory kind is the library's H5FD_mem_t if a driver knows it, otherwise kNoMemoryKind.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static const char kTraceMagic[16] = "\x89HEPTRC\n\x01\0\0\0\0\0\0";
enum { kNoMemoryKind = 255, kMostData = 1 << 30 };

typedef ssize_t (*WriteParts)(int, const struct iovec*, int);

// Opens the log for appending; -1 if none is requested.
static int open_trace_log(int (*real_open)(const char*, int, ...)) {
  const char* path = getenv("HEPCHECK_RECORD_LOG");
  return path ? real_open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
}

static void append_record(int log, WriteParts real_writev, char kind, unsigned char memory,
                          uint64_t file, uint64_t position, const void* data, uint64_t length) {
  const int kept = errno;
  const char* from = (const char*)data;
  do {
    const uint32_t part = length < kMostData ? (uint32_t)length : (uint32_t)kMostData;
    char head[24] = {kind, (char)memory};
    memcpy(head + 4, &part, 4);
    memcpy(head + 8, &file, 8);
    memcpy(head + 16, &position, 8);
    struct iovec parts[2] = {{head, sizeof head}, {(void*)from, part}};
    if (log >= 0) (void)!real_writev(log, parts, 2);
    from += part;
    position += part;
    length -= part;
  } while (length > 0);
  errno = kept;
}
