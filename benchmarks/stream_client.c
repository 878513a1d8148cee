/* Load for benchmarks/stream.py: N WebSocket viewers in one thread.
 *
 *   stream_client PORT PATH N
 *
 * Connects N times, prints "ready SECONDS", reads until its standard input ends, then prints one line of JSON:
 * messages, gaps and repeats in their "seq", bytes, and the latencies from the publisher's "t" (nanoseconds of
 * CLOCK_MONOTONIC) to recv() in microseconds. A line of input starts the count of messages and latencies afresh: what
 * came before was the warm-up. Messages without a "t" (snapshots) are counted as openings.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define ROOM (1 << 18)

struct viewer {
    int fd;
    int shaken;
    long last;
    size_t used;
    char *held;
};

static long messages, openings, gaps, repeats, bytes;
static uint32_t *latency;
static size_t room;

static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void die(const char *what) {
    perror(what);
    exit(1);
}

static long number_after(const char *text, size_t size, const char *key) {
    const char *found = memmem(text, size, key, strlen(key));
    return found ? strtol(found + strlen(key), NULL, 10) : -1;
}

static void take_message(struct viewer *v, const char *text, size_t size, int64_t now) {
    long sent = number_after(text, size, "\"t\":"), seq = number_after(text, size, "\"seq\":");
    if (sent < 0) {
        openings++;
        return;
    }
    if (v->last >= 0 && seq > v->last + 1) gaps += seq - v->last - 1;
    if (v->last >= 0 && seq <= v->last) repeats++;
    v->last = seq;
    if ((size_t)messages == room && !(latency = realloc(latency, (room = room ? 2 * room : 1 << 20) * sizeof *latency)))
        die("realloc");
    latency[messages++] = (uint32_t)((now - sent) / 1000);
}

static void answer_ping(struct viewer *v, const unsigned char *payload, size_t size) {
    unsigned char pong[6 + 125] = {0x8a, (unsigned char)(0x80 | size)};
    memcpy(pong + 6, payload, size);
    if (write(v->fd, pong, 6 + size) < 0) die("pong");
}

/* Take whole frames off `data`; answers how many bytes they were. */
static size_t take_frames(struct viewer *v, unsigned char *data, size_t size, int64_t now) {
    size_t at = 0;
    while (size - at >= 2) {
        uint64_t length = data[at + 1] & 127;
        size_t head = length == 126 ? 4 : length == 127 ? 10 : 2;
        if (size - at < head) break;
        if (head > 2) {
            length = 0;
            for (size_t i = 2; i < head; i++) length = length << 8 | data[at + i];
        }
        if (size - at - head < length) break;
        int opcode = data[at] & 15;
        if (opcode == 1) take_message(v, (char *)data + at + head, length, now);
        if (opcode == 9) answer_ping(v, data + at + head, length);
        at += head + length;
    }
    return at;
}

static int take(struct viewer *v) {
    static unsigned char buffer[2 * ROOM];
    memcpy(buffer, v->held, v->used);
    ssize_t got = recv(v->fd, buffer + v->used, ROOM, 0);
    if (got <= 0) return got < 0 && (errno == EAGAIN || errno == EINTR);
    bytes += got;
    size_t size = v->used + got, at = 0;
    int64_t now = now_ns();
    if (!v->shaken) {
        unsigned char *end = memmem(buffer, size, "\r\n\r\n", 4);
        if (end) {
            if (memcmp(buffer, "HTTP/1.1 101", 12)) {
                fprintf(stderr, "refused: %.80s\n", buffer);
                exit(1);
            }
            v->shaken = 1;
            at = end + 4 - buffer;
        }
    }
    if (v->shaken) at += take_frames(v, buffer + at, size - at, now);
    v->used = size - at;
    if (v->used > ROOM) die("a frame is too large");
    if (v->used && !v->held && !(v->held = malloc(ROOM))) die("malloc");
    if (v->used) memcpy(v->held, buffer + at, v->used);
    return 1;
}

static int by_size(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t at_share(double share) { return messages ? latency[(long)((messages - 1) * share)] : 0; }

int main(int argc, char **argv) {
    if (argc != 4) return fprintf(stderr, "usage: stream_client PORT PATH N\n"), 2;
    int n = atoi(argv[3]), poll = epoll_create1(0), shaken = 0, open = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1]))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    char hello[512];
    snprintf(hello, sizeof hello,
             "GET %s HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n", argv[2]);
    struct viewer *viewers = calloc(n, sizeof *viewers);
    struct epoll_event ready[1024], input = {.events = EPOLLIN};
    int64_t began = now_ns();
    for (int i = 0; i < n; i++) {
        struct viewer *v = &viewers[i];
        v->fd = socket(AF_INET, SOCK_STREAM, 0);
        v->last = -1;
        if (connect(v->fd, (struct sockaddr *)&address, sizeof address)) die("connect");
        if (write(v->fd, hello, strlen(hello)) < 0) die("write");
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = v};
        epoll_ctl(poll, EPOLL_CTL_ADD, v->fd, &event);
    }
    input.data.ptr = NULL;
    epoll_ctl(poll, EPOLL_CTL_ADD, 0, &input);
    while (open) {
        int count = epoll_wait(poll, ready, 1024, -1);
        for (int i = 0; i < count; i++) {
            struct viewer *v = ready[i].data.ptr;
            if (!v) {
                char line[64];
                open = read(0, line, sizeof line) > 0;
                if (open) messages = 0;
                continue;
            }
            int before = v->shaken;
            if (!take(v)) {
                fprintf(stderr, "a viewer was closed\n");
                return 1;
            }
            if (!before && v->shaken && ++shaken == n) {
                printf("ready %.4f\n", (now_ns() - began) / 1e9);
                fflush(stdout);
            }
        }
    }
    qsort(latency, messages, sizeof *latency, by_size);
    printf("{\"messages\": %ld, \"openings\": %ld, \"gaps\": %ld, \"repeats\": %ld, \"bytes\": %ld, "
           "\"p50_us\": %u, \"p99_us\": %u, \"max_us\": %u}\n",
           messages, openings, gaps, repeats, bytes, at_share(0.5), at_share(0.99), at_share(1));
    return 0;
}
