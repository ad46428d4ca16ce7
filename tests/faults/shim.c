// A library to preload that makes one call of the program to the system fail, or kills the program at it:
// scripts/check-faults chooses the call.
//
// FAULT_KIND is a name of `names` below, FAULT_AT the number n of the call from 1 on. FAULT_HOW is the number
// of an error, with which call n fails, the same with a + behind it, with which all calls from n on do,
// `before` or `after`, where the program is killed, or `short`, which writes half of the bytes and fails with
// ENOSPC from the next write on. FAULT_COUNTS is a file: when the program ends, it gets the number of calls
// of each kind. Calls of other libraries (fonts, the loader) are let through and not counted.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define CALLER ((uintptr_t)__builtin_return_address(0))

enum kind {
  OPEN,
  CREATE,
  READ,
  WRITE,
  FSYNC,
  CLOSE,
  RENAME,
  UNLINK,
  FTRUNCATE,
  RESERVE,
  MMAP,
  ALLOCATE,
  KINDS
};
static const char* const names[KINDS] = {"open",   "create", "read",      "write",   "fsync", "close",
                                         "rename", "unlink", "ftruncate", "reserve", "mmap",  "allocate"};

static atomic_long counts[KINDS];
static int counting, chosen = -1, failure, lasting, killed_before, killed_after, cut_short;
static long at;

// Where the code of the program and of the C++ library, which calls the system for it, begins and ends.
static struct { uintptr_t begin, end; } ours[8];
static int n_ours;

static int enter_range(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size, (void)data;
  const char* const name = info->dlpi_name;
  if (*name != '\0' && strstr(name, "libstdc++") == NULL && strstr(name, "liblinkgistic") == NULL) return 0;
  for (int i = 0; i < info->dlpi_phnum && n_ours < 8; ++i) {
    const ElfW(Phdr)* const part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0) continue;
    ours[n_ours].begin = info->dlpi_addr + part->p_vaddr;
    ours[n_ours].end = ours[n_ours].begin + part->p_memsz;
    ++n_ours;
  }
  return 0;
}

static void write_counts(void) {
  const char* const path = getenv("FAULT_COUNTS");
  if (path == NULL) return;
  const int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (int i = 0; i < KINDS; ++i) {
    char line[64];
    const int length = snprintf(line, sizeof line, "%s %ld\n", names[i], atomic_load(&counts[i]));
    syscall(SYS_write, file, line, (size_t)length);
  }
}

__attribute__((constructor)) static void begin(void) {
  const char* const kind = getenv("FAULT_KIND");
  const char* const how = getenv("FAULT_HOW");
  const char* const number = getenv("FAULT_AT");
  if (kind != NULL && how != NULL && number != NULL) {
    at = atol(number);
    for (int i = 0; i < KINDS; ++i)
      if (strcmp(names[i], kind) == 0) chosen = i;
    killed_before = strcmp(how, "before") == 0;
    killed_after = strcmp(how, "after") == 0;
    cut_short = strcmp(how, "short") == 0;
    failure = cut_short ? ENOSPC : atoi(how);
    lasting = cut_short || strchr(how, '+') != NULL;
  }
  dl_iterate_phdr(enter_range, NULL);
}
__attribute__((destructor)) static void finish(void) { write_counts(); }

// Counting begins with main: constructors of libraries have nobody to tell of an error.
static int (*real_main)(int, char**, char**);
static int counted_main(int argc, char** argv, char** environment) {
  counting = 1;
  return real_main(argc, argv, environment);
}
EXPORT int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(void),
                             void (*fini)(void), void (*loader)(void), void* stack) {
  int (*const real)(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void), void (*)(void),
                    void*) =
      (int (*)(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void), void (*)(void),
               void*))dlsym(RTLD_NEXT, "__libc_start_main");
  real_main = main;
  return real(counted_main, argc, argv, init, fini, loader, stack);
}

static int is_ours(uintptr_t caller) {
  if (!counting) return 0;
  for (int i = 0; i < n_ours; ++i)
    if (caller >= ours[i].begin && caller < ours[i].end) return 1;
  return 0;
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

// Counts a call. 0: it goes ahead; otherwise the error with which it fails.
static int fault(enum kind kind, uintptr_t caller) {
  if (!is_ours(caller)) return 0;
  const long n = atomic_fetch_add(&counts[kind], 1) + 1;
  if (kind != (enum kind)chosen || n < at || (n > at && !lasting)) return 0;
  if (killed_before) die();
  return cut_short && n == at ? 0 : failure;
}

// Whether the call that was counted last is the one to be cut short.
static int is_cut(enum kind kind) {
  return kind == (enum kind)chosen && cut_short && atomic_load(&counts[kind]) == at;
}

// After a call, which is not killed before.
static void done(enum kind kind, uintptr_t caller) {
  if (killed_after && kind == (enum kind)chosen && is_ours(caller) && atomic_load(&counts[kind]) == at) die();
}

// The answer of a call of a kind: `call`, unless it is to fail.
#define ANSWER(type, kind, bad, call)          \
  do {                                         \
    const uintptr_t caller = CALLER;           \
    const int error = fault(kind, caller);     \
    if (error != 0) return errno = error, bad; \
    type answer = (type)(call);                \
    done(kind, caller);                        \
    return answer;                             \
  } while (0)

#define MODE                                                        \
  mode_t mode = 0;                                                  \
  if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) { \
    va_list more;                                                   \
    va_start(more, flags);                                          \
    mode = va_arg(more, mode_t);                                    \
    va_end(more);                                                   \
  }
#define OPENED(flags) (((flags) & (O_WRONLY | O_RDWR | O_CREAT)) != 0 ? CREATE : OPEN)

EXPORT int open(const char* path, int flags, ...) {
  MODE ANSWER(int, OPENED(flags), -1, syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
EXPORT int open64(const char* path, int flags, ...) {
  MODE ANSWER(int, OPENED(flags), -1, syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
EXPORT int openat(int folder, const char* path, int flags, ...) {
  MODE ANSWER(int, OPENED(flags), -1, syscall(SYS_openat, folder, path, flags, mode));
}
EXPORT int mkostemp(char* path, int flags) {
  int (*const real)(char*, int) = (int (*)(char*, int))dlsym(RTLD_NEXT, "mkostemp");
  ANSWER(int, CREATE, -1, real(path, flags));
}
EXPORT ssize_t read(int file, void* bytes, size_t size) {
  ANSWER(ssize_t, READ, -1, syscall(SYS_read, file, bytes, size));
}
EXPORT ssize_t pread64(int file, void* bytes, size_t size, off64_t place) {
  ANSWER(ssize_t, READ, -1, syscall(SYS_pread64, file, bytes, size, place));
}
EXPORT ssize_t pread(int file, void* bytes, size_t size, off_t place) {
  ANSWER(ssize_t, READ, -1, syscall(SYS_pread64, file, bytes, size, place));
}
// What the program says on standard error is not counted.
EXPORT ssize_t write(int file, const void* bytes, size_t size) {
  if (file == STDERR_FILENO) return syscall(SYS_write, file, bytes, size);
  const uintptr_t caller = CALLER;
  const int error = fault(WRITE, caller);
  if (error != 0) return errno = error, -1;
  if (is_ours(caller) && is_cut(WRITE)) size = (size + 1) / 2;
  const ssize_t answer = syscall(SYS_write, file, bytes, size);
  done(WRITE, caller);
  return answer;
}
EXPORT int fsync(int file) { ANSWER(int, FSYNC, -1, syscall(SYS_fsync, file)); }
// A file is closed even where close() fails.
EXPORT int close(int file) {
  const uintptr_t caller = CALLER;
  const int error = fault(CLOSE, caller);
  const int answer = (int)syscall(SYS_close, file);
  done(CLOSE, caller);
  return error != 0 ? (errno = error, -1) : answer;
}
EXPORT int rename(const char* from, const char* to) {
  ANSWER(int, RENAME, -1, syscall(SYS_rename, from, to));
}
EXPORT int unlink(const char* path) { ANSWER(int, UNLINK, -1, syscall(SYS_unlink, path)); }
EXPORT int ftruncate(int file, off_t size) { ANSWER(int, FTRUNCATE, -1, syscall(SYS_ftruncate, file, size)); }
EXPORT int ftruncate64(int file, off64_t size) {
  ANSWER(int, FTRUNCATE, -1, syscall(SYS_ftruncate, file, size));
}
EXPORT int posix_fallocate(int file, off_t first, off_t size) {
  ANSWER(int, RESERVE, error, syscall(SYS_fallocate, file, 0, first, size) == 0 ? 0 : errno);
}
EXPORT int posix_fallocate64(int file, off64_t first, off64_t size) {
  ANSWER(int, RESERVE, error, syscall(SYS_fallocate, file, 0, first, size) == 0 ? 0 : errno);
}
EXPORT void* mmap(void* wish, size_t size, int may, int flags, int file, off_t place) {
  ANSWER(void*, MMAP, MAP_FAILED, syscall(SYS_mmap, wish, size, may, flags, file, place));
}
EXPORT void* mmap64(void* wish, size_t size, int may, int flags, int file, off64_t place) {
  ANSWER(void*, MMAP, MAP_FAILED, syscall(SYS_mmap, wish, size, may, flags, file, place));
}
EXPORT void* mremap(void* old, size_t size, size_t larger, int flags, ...) {
  ANSWER(void*, MMAP, MAP_FAILED, syscall(SYS_mremap, old, size, larger, flags, NULL));
}

// glibc's own names of its allocator.
extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* old, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);

EXPORT void* malloc(size_t size) { ANSWER(void*, ALLOCATE, NULL, __libc_malloc(size)); }
EXPORT void* calloc(size_t count, size_t size) { ANSWER(void*, ALLOCATE, NULL, __libc_calloc(count, size)); }
EXPORT void* realloc(void* old, size_t size) { ANSWER(void*, ALLOCATE, NULL, __libc_realloc(old, size)); }
EXPORT void* aligned_alloc(size_t alignment, size_t size) {
  ANSWER(void*, ALLOCATE, NULL, __libc_memalign(alignment, size));
}
EXPORT int posix_memalign(void** result, size_t alignment, size_t size) {
  if (fault(ALLOCATE, CALLER) != 0) return ENOMEM;
  *result = __libc_memalign(alignment, size);
  return *result == NULL ? ENOMEM : 0;
}
