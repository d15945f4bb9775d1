/*
 * Holds fsync and fdatasync while the file named by HOLD_SYNCS_FILE exists, as a disk that hangs does, but for standard
 * output, which the logger syncs. Loaded into a server by LD_PRELOAD (held-syncs-library.ts).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_for_the_test(int fd) {
  const char *file = getenv("HOLD_SYNCS_FILE");
  while (fd > 2 && file != NULL && access(file, F_OK) == 0) usleep(10000);
}

int fsync(int fd) {
  wait_for_the_test(fd);
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd);
}

int fdatasync(int fd) {
  wait_for_the_test(fd);
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(fd);
}
