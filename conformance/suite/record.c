// Preloaded into a writer under test: records what it does to the files of one folder, in order.
//
// Two layers. File operations (writes, truncations, syncs) are what a crash cuts off. Calls of
// the HDF5 library say what the program meant by them; they are seen where the program calls a
// shared libhdf5. Each record is one append to the log:
//   kind (1 byte), position (8), length (8), then `length` bytes of data or text
//   W write at position; T truncation to position; S sync; M a writable mapping; A an HDF5 call
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum { kMostFiles = 4096 };
static char tracked[kMostFiles];

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int log_file(void) {
  static int fd = -2;
  if (fd == -2) {
    const char* path = getenv("HEPCHECK_RECORD_LOG");
    fd = path ? REAL(open)(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
  }
  return fd;
}

static void record(char kind, uint64_t position, const void* data, uint64_t length) {
  char head[17] = {kind};
  memcpy(head + 1, &position, 8);
  memcpy(head + 9, &length, 8);
  struct iovec parts[2] = {{head, sizeof head}, {(void*)data, length}};
  const int kept = errno;
  if (log_file() >= 0) (void)!REAL(writev)(log_file(), parts, 2);
  errno = kept;
}

static int is_tracked(int fd) { return fd >= 0 && fd < kMostFiles && tracked[fd]; }

static int opened(int fd, int flags) {
  const char* folder = getenv("HEPCHECK_RECORD_FOLDER");
  if (fd < 0 || fd >= kMostFiles || !folder) return fd;
  const int kept = errno;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t n = readlink(link, path, sizeof path - 1);
  const size_t prefix = strlen(folder);
  tracked[fd] = n > (ssize_t)prefix && memcmp(path, folder, prefix) == 0 &&
                (flags & O_ACCMODE) != O_RDONLY;
  if (tracked[fd] && (flags & O_TRUNC)) record('T', 0, "", 0);
  errno = kept;
  return fd;
}

#define OPEN(name)                                                  \
  int name(const char* path, int flags, ...) {                      \
    va_list rest;                                                   \
    va_start(rest, flags);                                          \
    const int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0; \
    va_end(rest);                                                   \
    return opened(REAL(name)(path, flags, mode), flags);            \
  }
OPEN(open)
OPEN(open64)
#define OPENAT(name)                                                \
  int name(int folder, const char* path, int flags, ...) {          \
    va_list rest;                                                   \
    va_start(rest, flags);                                          \
    const int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0; \
    va_end(rest);                                                   \
    return opened(REAL(name)(folder, path, flags, mode), flags);    \
  }
OPENAT(openat)
OPENAT(openat64)
int creat(const char* path, mode_t mode) {
  return opened(REAL(creat)(path, mode), O_WRONLY | O_TRUNC);
}
int creat64(const char* path, mode_t mode) {
  return opened(REAL(creat64)(path, mode), O_WRONLY | O_TRUNC);
}
int close(int fd) {
  if (fd >= 0 && fd < kMostFiles) tracked[fd] = 0;
  return REAL(close)(fd);
}

static ssize_t wrote(int fd, const void* data, ssize_t n, uint64_t position) {
  if (n > 0 && is_tracked(fd)) record('W', position, data, (uint64_t)n);
  return n;
}
ssize_t pwrite(int fd, const void* data, size_t n, off_t at) {
  return wrote(fd, data, REAL(pwrite)(fd, data, n, at), (uint64_t)at);
}
ssize_t pwrite64(int fd, const void* data, size_t n, off64_t at) {
  return wrote(fd, data, REAL(pwrite64)(fd, data, n, at), (uint64_t)at);
}
ssize_t write(int fd, const void* data, size_t n) {
  const ssize_t done = REAL(write)(fd, data, n);
  if (done <= 0 || !is_tracked(fd)) return done;
  return wrote(fd, data, done, (uint64_t)(lseek(fd, 0, SEEK_CUR) - done));
}
static void wrote_parts(int fd, const struct iovec* parts, int count, ssize_t n, uint64_t at) {
  for (int i = 0; i < count && n > 0; ++i) {
    const ssize_t part = (ssize_t)parts[i].iov_len < n ? (ssize_t)parts[i].iov_len : n;
    wrote(fd, parts[i].iov_base, part, at);
    at += (uint64_t)part;
    n -= part;
  }
}
ssize_t writev(int fd, const struct iovec* parts, int count) {
  const ssize_t n = REAL(writev)(fd, parts, count);
  if (n > 0 && is_tracked(fd))
    wrote_parts(fd, parts, count, n, (uint64_t)(lseek(fd, 0, SEEK_CUR) - n));
  return n;
}
ssize_t pwritev(int fd, const struct iovec* parts, int count, off_t at) {
  const ssize_t n = REAL(pwritev)(fd, parts, count, at);
  if (is_tracked(fd)) wrote_parts(fd, parts, count, n, (uint64_t)at);
  return n;
}

static int truncated(int fd, int result, uint64_t size) {
  if (result == 0 && is_tracked(fd)) record('T', size, "", 0);
  return result;
}
int ftruncate(int fd, off_t size) {
  return truncated(fd, REAL(ftruncate)(fd, size), (uint64_t)size);
}
int ftruncate64(int fd, off64_t size) {
  return truncated(fd, REAL(ftruncate64)(fd, size), (uint64_t)size);
}
static int synced(int fd, int result) {
  if (result == 0 && is_tracked(fd)) record('S', 0, "", 0);
  return result;
}
int fsync(int fd) { return synced(fd, REAL(fsync)(fd)); }
int fdatasync(int fd) { return synced(fd, REAL(fdatasync)(fd)); }

static void* mapped(void* at, int protection, int flags, int fd) {
  if (at != MAP_FAILED && (protection & PROT_WRITE) && (flags & MAP_SHARED) && is_tracked(fd))
    record('M', 0, "", 0);
  return at;
}
void* mmap(void* at, size_t n, int protection, int flags, int fd, off_t offset) {
  return mapped(REAL(mmap)(at, n, protection, flags, fd, offset), protection, flags, fd);
}
void* mmap64(void* at, size_t n, int protection, int flags, int fd, off64_t offset) {
  return mapped(REAL(mmap64)(at, n, protection, flags, fd, offset), protection, flags, fd);
}

// The HDF5 library. No header of it is needed, so that the recorder fits any version.

typedef int64_t hid_t;
typedef int herr_t;
typedef unsigned long long hsize_t;

static int note_hdf5(struct dl_phdr_info* object, size_t size, void* found) {
  (void)size;
  const char* name = strrchr(object->dlpi_name, '/');
  if (!name || !strstr(name, "hdf5") || strstr(name, "_hl") || !strstr(name, "lib")) return 0;
  *(const char**)found = object->dlpi_name;
  return 1;
}

// The library's own function, also where it was loaded out of sight of RTLD_NEXT.
static void* hdf5(const char* name) {
  void* function = dlsym(RTLD_NEXT, name);
  if (function) return function;
  static void* library;
  if (!library) {
    const char* path = NULL;
    dl_iterate_phdr(note_hdf5, &path);
    if (path) library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  }
  return library ? dlsym(library, name) : NULL;
}
#define H5(result, name, ...) ((result(*)(__VA_ARGS__))hdf5(#name))

static void note(const char* format, ...) {
  char text[2048];
  va_list rest;
  va_start(rest, format);
  const int n = vsnprintf(text, sizeof text, format, rest);
  va_end(rest);
  if (n > 0) record('A', 0, text, (uint64_t)(n < (int)sizeof text ? n : (int)sizeof text - 1));
}

static const char* path_of(hid_t object, char* into, size_t size) {
  into[0] = 0;
  H5(ssize_t, H5Iget_name, hid_t, char*, size_t)(object, into, size);
  return into;
}

herr_t H5Awrite(hid_t attribute, hid_t type, const void* data) {
  char name[256] = "";
  H5(ssize_t, H5Aget_name, hid_t, size_t, char*)(attribute, sizeof name, name);
  note("attribute-write %s", name);
  return H5(herr_t, H5Awrite, hid_t, hid_t, const void*)(attribute, type, data);
}
hid_t H5Acreate2(hid_t at, const char* name, hid_t type, hid_t space, hid_t a, hid_t b) {
  note("attribute-create %s", name);
  return H5(hid_t, H5Acreate2, hid_t, const char*, hid_t, hid_t, hid_t, hid_t)(at, name, type,
                                                                               space, a, b);
}
hid_t H5Acreate_by_name(hid_t at, const char* object, const char* name, hid_t type, hid_t space,
                        hid_t a, hid_t b, hid_t c) {
  note("attribute-create %s", name);
  return H5(hid_t, H5Acreate_by_name, hid_t, const char*, const char*, hid_t, hid_t, hid_t, hid_t,
            hid_t)(at, object, name, type, space, a, b, c);
}
herr_t H5Adelete(hid_t at, const char* name) {
  note("attribute-delete %s", name);
  return H5(herr_t, H5Adelete, hid_t, const char*)(at, name);
}
herr_t H5Adelete_by_name(hid_t at, const char* object, const char* name, hid_t a) {
  note("attribute-delete %s", name);
  return H5(herr_t, H5Adelete_by_name, hid_t, const char*, const char*, hid_t)(at, object, name, a);
}
herr_t H5Arename(hid_t at, const char* from, const char* to) {
  note("attribute-create %s", to);
  return H5(herr_t, H5Arename, hid_t, const char*, const char*)(at, from, to);
}
herr_t H5Dwrite(hid_t dataset, hid_t type, hid_t memory, hid_t space, hid_t list,
                const void* data) {
  char path[1024];
  hsize_t start[32] = {0}, end[32] = {0};
  long long first = 0, last = -1;
  if (space != 0 && H5(int, H5Sget_simple_extent_ndims, hid_t)(space) <= 32 &&
      H5(herr_t, H5Sget_select_bounds, hid_t, hsize_t*, hsize_t*)(space, start, end) >= 0) {
    first = (long long)start[0];
    last = (long long)end[0];
  }
  note("data-write %lld %lld %s", first, last, path_of(dataset, path, sizeof path));
  return H5(herr_t, H5Dwrite, hid_t, hid_t, hid_t, hid_t, hid_t, const void*)(
      dataset, type, memory, space, list, data);
}
herr_t H5Dwrite_chunk(hid_t dataset, hid_t list, uint32_t filters, const hsize_t* offset,
                      size_t size, const void* data) {
  char path[1024];
  note("data-write %lld -1 %s", (long long)offset[0], path_of(dataset, path, sizeof path));
  return H5(herr_t, H5Dwrite_chunk, hid_t, hid_t, uint32_t, const hsize_t*, size_t, const void*)(
      dataset, list, filters, offset, size, data);
}
herr_t H5Dset_extent(hid_t dataset, const hsize_t size[]) {
  char path[1024];
  note("extent %lld %s", (long long)size[0], path_of(dataset, path, sizeof path));
  return H5(herr_t, H5Dset_extent, hid_t, const hsize_t*)(dataset, size);
}
hid_t H5Dcreate2(hid_t at, const char* name, hid_t type, hid_t space, hid_t a, hid_t b, hid_t c) {
  char path[1024];
  note("create %s/%s", path_of(at, path, sizeof path), name);
  return H5(hid_t, H5Dcreate2, hid_t, const char*, hid_t, hid_t, hid_t, hid_t, hid_t)(
      at, name, type, space, a, b, c);
}
herr_t H5Ldelete(hid_t at, const char* name, hid_t list) {
  char path[1024];
  note("delete %s/%s", path_of(at, path, sizeof path), name);
  return H5(herr_t, H5Ldelete, hid_t, const char*, hid_t)(at, name, list);
}
herr_t H5Fflush(hid_t object, int scope) {
  const herr_t done = H5(herr_t, H5Fflush, hid_t, int)(object, scope);
  note("flush");
  return done;
}
herr_t H5Fclose(hid_t file) {
  const herr_t done = H5(herr_t, H5Fclose, hid_t)(file);
  note("close");
  return done;
}
herr_t H5Fstart_swmr_write(hid_t file) {
  note("swmr");
  return H5(herr_t, H5Fstart_swmr_write, hid_t)(file);
}
hid_t H5Fopen(const char* name, unsigned flags, hid_t list) {
  if (flags & 0x20u) note("swmr");
  return H5(hid_t, H5Fopen, const char*, unsigned, hid_t)(name, flags, list);
}
