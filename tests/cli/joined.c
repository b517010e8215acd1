/* Preloaded: JOINED_LOG is a file that has a line for each folder of a point that is begun, with the process;
   JOINED_CLOCK_S are seconds by which the process's clock is off, while the file system has its own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int ends_with(const char* text, const char* end) {
  const size_t all = strlen(text), last = strlen(end);
  return all >= last && strcmp(text + all - last, end) == 0;
}

static long seconds_off(void) {
  const char* off = getenv("JOINED_CLOCK_S");
  return off ? atol(off) : 0;
}

int mkdir(const char* path, mode_t mode) {
  const char* log = getenv("JOINED_LOG");
  if (log && ends_with(path, ".running")) {
    char line[4200];
    const int length = snprintf(line, sizeof line, "%d %s\n", getpid(), path);
    const int file = open(log, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (file < 0 || write(file, line, length) != length) abort();
    close(file);
  }
  return ((int (*)(const char*, mode_t))dlsym(RTLD_NEXT, "mkdir"))(path, mode);
}

int clock_gettime(clockid_t clock, struct timespec* time) {
  const int result = ((int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime"))(clock, time);
  if (clock == CLOCK_REALTIME) time->tv_sec += seconds_off();
  return result;
}

int gettimeofday(struct timeval* time, void* zone) {
  const int result = ((int (*)(struct timeval*, void*))dlsym(RTLD_NEXT, "gettimeofday"))(time, zone);
  time->tv_sec += seconds_off();
  return result;
}

time_t time(time_t* where) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (where) *where = now.tv_sec;
  return now.tv_sec;
}
