// A loadable file driver for the HDF5 library, 1.14 and later: HDF5_DRIVER=hepcheck_trace and
// HDF5_PLUGIN_PATH make unmodified programs use it. It behaves like the library's own driver for
// plain files (sec2), and records the kind of memory of each write. If the preloaded recorder is
// present, it records everything else; otherwise the driver writes the log itself.
//
// The driver calls no function of the library, which may be loaded privately or twice.
#define _GNU_SOURCE
#include <H5FDdevelop.h>
#include <H5PLextern.h>
#include <dlfcn.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "log.h"

typedef struct File {
  H5FD_t base;  // first: the library's part of every driver's file
  int fd;
  haddr_t allocated;  // end of allocation
  haddr_t size;       // of the file itself
  dev_t device;
  ino_t inode;
  char name[1024];
} File;

enum { kDriverNumber = 601 };
static const haddr_t kLargest = (haddr_t)INT64_MAX;

// --- the log

typedef void (*Announce)(unsigned char, int, uint64_t, uint64_t);
static Announce announcer(void) { return (Announce)dlsym(RTLD_DEFAULT, "hepcheck_trace_announce"); }

static void tell(const File* file, char kind, unsigned char memory, uint64_t position,
                 const void* data, uint64_t length) {
  static int log = -2;
  if (log == -2) log = open_trace_log(open);
  append_record(log, writev, kind, memory, file->inode, position, data, length);
}

static void tell_before(const File* file) {
  static char piece[1 << 16];
  static const char zeros[1 << 16];
  tell(file, 'B', kNoMemoryKind, file->size, "", 0);
  for (haddr_t at = 0; at < file->size;) {
    const ssize_t got = pread(file->fd, piece, sizeof piece, (off_t)at);
    if (got <= 0) return;
    if (memcmp(piece, zeros, (size_t)got) != 0)
      tell(file, 'I', kNoMemoryKind, at, piece, (uint64_t)got);
    at += (haddr_t)got;
  }
}

// --- the driver

static H5FD_t* open_file(const char* name, unsigned flags, hid_t list, haddr_t largest) {
  (void)list, (void)largest;
  const int writable = (flags & H5F_ACC_RDWR) != 0, logged = writable && !announcer();
  struct stat status;
  File* file = calloc(1, sizeof *file);
  if (!file) return NULL;
  // Saves the contents before they are truncated.
  if (logged && (flags & H5F_ACC_TRUNC) && stat(name, &status) == 0 && S_ISREG(status.st_mode)) {
    file->fd = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    file->inode = status.st_ino;
    file->size = (haddr_t)status.st_size;
    if (file->fd >= 0) tell_before(file), close(file->fd);
  }
  const int existed = stat(name, &status) == 0;
  file->fd = open(name,
                  (writable ? O_RDWR : O_RDONLY) | (flags & H5F_ACC_TRUNC ? O_TRUNC : 0) |
                      (flags & H5F_ACC_CREAT ? O_CREAT : 0) | (flags & H5F_ACC_EXCL ? O_EXCL : 0) |
                      O_CLOEXEC,
                  0666);
  if (file->fd < 0 || fstat(file->fd, &status) != 0) {
    if (file->fd >= 0) close(file->fd);
    free(file);
    return NULL;
  }
  file->size = (haddr_t)status.st_size;
  file->device = status.st_dev;
  file->inode = status.st_ino;
  snprintf(file->name, sizeof file->name, "%s", name);
  if (logged) {
    if (existed && !(flags & H5F_ACC_TRUNC)) tell_before(file);
    tell(file, existed ? 'O' : 'N', kNoMemoryKind, 0, file->name, strlen(file->name));
    if (existed && (flags & H5F_ACC_TRUNC)) tell(file, 'T', kNoMemoryKind, 0, "", 0);
  }
  return &file->base;
}

static herr_t close_file(H5FD_t* base) {
  File* file = (File*)base;
  const int result = close(file->fd);
  if (!announcer()) tell(file, 'C', kNoMemoryKind, 0, "", 0);
  free(file);
  return result == 0 ? 0 : -1;
}

static int compare(const H5FD_t* a, const H5FD_t* b) {
  const File *one = (const File*)a, *other = (const File*)b;
  if (one->device != other->device) return one->device < other->device ? -1 : 1;
  return one->inode == other->inode ? 0 : one->inode < other->inode ? -1 : 1;
}

// The features of sec2: without the last two, the library refuses SWMR, and access of other
// processes.
static herr_t query(const H5FD_t* base, unsigned long* flags) {
  (void)base;
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_POSIX_COMPAT_HANDLE |
           H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

static haddr_t get_eoa(const H5FD_t* base, H5FD_mem_t kind) {
  (void)kind;
  return ((const File*)base)->allocated;
}
static herr_t set_eoa(H5FD_t* base, H5FD_mem_t kind, haddr_t end) {
  (void)kind;
  ((File*)base)->allocated = end;
  return 0;
}
static haddr_t get_eof(const H5FD_t* base, H5FD_mem_t kind) {
  (void)kind;
  return ((const File*)base)->size;
}
static herr_t get_handle(H5FD_t* base, hid_t list, void** handle) {
  (void)list;
  *handle = &((File*)base)->fd;
  return 0;
}

static herr_t read_bytes(H5FD_t* base, H5FD_mem_t kind, hid_t list, haddr_t at, size_t size,
                         void* into) {
  (void)kind, (void)list;
  char* to = into;
  if (at > kLargest || size > kLargest - at) return -1;
  while (size > 0) {
    const ssize_t got = pread(((File*)base)->fd, to, size, (off_t)at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) {  // reads beyond the end of the file return zeros
      memset(to, 0, size);
      return 0;
    }
    to += got;
    at += (haddr_t)got;
    size -= (size_t)got;
  }
  return 0;
}

static herr_t write_bytes(H5FD_t* base, H5FD_mem_t kind, hid_t list, haddr_t at, size_t size,
                          const void* data) {
  (void)list;
  File* file = (File*)base;
  const Announce announce = announcer();
  const char* from = data;
  if (at > kLargest || size > kLargest - at) return -1;
  if (announce) announce((unsigned char)kind, file->fd, at, size);
  while (size > 0) {
    const ssize_t done = pwrite(file->fd, from, size, (off_t)at);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return -1;
    if (!announce) tell(file, 'W', (unsigned char)kind, at, from, (uint64_t)done);
    from += done;
    at += (haddr_t)done;
    size -= (size_t)done;
    if (at > file->size) file->size = at;
  }
  return 0;
}

static herr_t flush(H5FD_t* base, hid_t list, hbool_t closing) {
  (void)list, (void)closing;
  // The library has finished a flush; this does not mean that the data is on disk.
  if (!announcer()) tell((File*)base, 'A', kNoMemoryKind, 0, "flush", 5);
  return 0;
}

static herr_t resize(H5FD_t* base, hid_t list, hbool_t closing) {
  (void)list, (void)closing;
  File* file = (File*)base;
  if (file->allocated == file->size) return 0;
  if (ftruncate(file->fd, (off_t)file->allocated) != 0) return -1;
  file->size = file->allocated;
  if (!announcer()) tell(file, 'T', kNoMemoryKind, file->size, "", 0);
  return 0;
}

// A file system without locks is not an error.
static herr_t lock(H5FD_t* base, hbool_t exclusive) {
  const int result = flock(((File*)base)->fd, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB);
  return result == 0 || errno == ENOSYS ? 0 : -1;
}
static herr_t unlock(H5FD_t* base) {
  const int result = flock(((File*)base)->fd, LOCK_UN);
  return result == 0 || errno == ENOSYS ? 0 : -1;
}

static herr_t remove_file(const char* name, hid_t list) {
  (void)list;
  return unlink(name) == 0 ? 0 : -1;
}

static const H5FD_class_t kDriver = {
    .version = H5FD_CLASS_VERSION,
    .value = kDriverNumber,
    .name = "hepcheck_trace",
    .maxaddr = (haddr_t)INT64_MAX,
    .fc_degree = H5F_CLOSE_WEAK,
    .open = open_file,
    .close = close_file,
    .cmp = compare,
    .query = query,
    .get_eoa = get_eoa,
    .set_eoa = set_eoa,
    .get_eof = get_eof,
    .get_handle = get_handle,
    .read = read_bytes,
    .write = write_bytes,
    .flush = flush,
    .truncate = resize,
    .lock = lock,
    .unlock = unlock,
    .del = remove_file,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

H5PL_type_t H5PLget_plugin_type(void) { return H5PL_TYPE_VFD; }
const void* H5PLget_plugin_info(void) { return &kDriver; }
