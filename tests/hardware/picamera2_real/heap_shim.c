/* For tests in containers: lets libcamera allocate picture buffers where there is no /dev/dma_heap.
 * Preloaded, it answers for that device with anonymous memory; everything else goes to the C library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *stand_in(const char *path) {
    return path && strncmp(path, "/dev/dma_heap/", 14) == 0 ? "/dev/zero" : path;
}

#define OPENER(name)                                                        \
    int name(const char *path, int flags, ...) {                           \
        static int (*below)(const char *, int, ...);                       \
        mode_t mode = 0;                                                    \
        if (!below) below = dlsym(RTLD_NEXT, #name);                       \
        if (flags & (O_CREAT | O_TMPFILE)) {                               \
            va_list more;                                                   \
            va_start(more, flags);                                          \
            mode = va_arg(more, mode_t);                                    \
            va_end(more);                                                   \
        }                                                                   \
        return below(stand_in(path), flags, mode);                          \
    }
OPENER(open)
OPENER(open64)
int __open_2(const char *path, int flags) { return open(path, flags); }
int __open64_2(const char *path, int flags) { return open64(path, flags); }

static int allocate(struct dma_heap_allocation_data *wanted) {
    int memory = memfd_create("picture", MFD_CLOEXEC);
    if (memory < 0 || ftruncate(memory, wanted->len) < 0) return -1;
    wanted->fd = memory;
    return 0;
}

int ioctl(int fd, unsigned long request, ...) {
    static int (*below)(int, unsigned long, ...);
    va_list more;
    void *argument;
    if (!below) below = dlsym(RTLD_NEXT, "ioctl");
    va_start(more, request);
    argument = va_arg(more, void *);
    va_end(more);
    if (request == DMA_HEAP_IOCTL_ALLOC) return allocate(argument);
    if (_IOC_TYPE(request) == DMA_BUF_BASE && _IOC_NR(request) <= 1) return 0; /* sync, set name */
    return below(fd, request, argument);
}
