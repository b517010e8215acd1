/* Preloaded: ends the process with SIGKILL before one of its changes to names of files, from a first one on.
   KILL_FROM: how the path ends to which a rename gives a name first; KILL_AT: the number of the change before which it
   ends, from 1 on; KILL_COUNT: a file for the number of changes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int has_begun, changes;

static void change(void) {
  if (!has_begun) return;
  ++changes;
  const char* at = getenv("KILL_AT");
  if (at && atoi(at) == changes) kill(getpid(), SIGKILL);
}

__attribute__((destructor)) static void tell(void) {
  const char* path = getenv("KILL_COUNT");
  FILE* file = path ? fopen(path, "w") : NULL;
  if (file) fprintf(file, "%d", changes), fclose(file);
}

static void begin(const char* to) {
  const char* from = getenv("KILL_FROM");
  const size_t all = strlen(to), end = from ? strlen(from) : 0;
  if (from && all >= end && strcmp(to + all - end, from) == 0) has_begun = 1;
}

#define NEXT(name, ...) ((int (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

int rename(const char* from, const char* to) {
  change();
  const int result = NEXT("rename", const char*, const char*)(from, to);
  begin(to);
  return result;
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  change();
  return NEXT("renameat2", int, const char*, int, const char*, unsigned)(from_folder, from, to_folder, to, flags);
}

int unlink(const char* path) {
  change();
  return NEXT("unlink", const char*)(path);
}

int unlinkat(int folder, const char* path, int flags) {
  change();
  return NEXT("unlinkat", int, const char*, int)(folder, path, flags);
}

int rmdir(const char* path) {
  change();
  return NEXT("rmdir", const char*)(path);
}

int remove(const char* path) {
  change();
  return NEXT("remove", const char*)(path);
}
