/* A bare epoll loop that sends one match to many viewers, for benchmarks/stream.py: the least that one system call for
 * each message can cost.
 *
 *   stream_server
 *
 * Prints its port and its path. A line "RATE SECONDS" on standard input has it publish that many events a second for so
 * long; then it prints how many it published. It records nothing, reads nothing after the handshake, and waits for a
 * viewer that is slow. The answer to the handshake fits the one key that stream_client sends.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MOST 65536

static int viewers[MOST], count, poller, listener;
static long seq = 1;
static char padding[861];

static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void die(const char *what) {
    perror(what);
    exit(1);
}

static void watch(int fd) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event)) die("epoll_ctl");
}

static void greet(int fd) {
    static const char answer[] =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Accept: ICX+Yqv66kxgM0FcWaLWlFLwTAI=\r\n\r\n";
    char request[4096];
    if (read(fd, request, sizeof request) <= 0) die("handshake");
    if (write(fd, answer, sizeof answer - 1) < 0) die("handshake");
    epoll_ctl(poller, EPOLL_CTL_DEL, fd, NULL);
    if (count == MOST) die("too many viewers");
    viewers[count++] = fd;
}

static void send_all(int fd, const char *data, size_t size) {
    while (size) {
        ssize_t sent = send(fd, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EAGAIN) {
            struct pollfd slow = {.fd = fd, .events = POLLOUT};
            poll(&slow, 1, -1);
        } else if (sent < 0) {
            die("send");
        } else {
            data += sent;
            size -= sent;
        }
    }
}

static void publish(void) {
    static char frame[4096];
    int size = snprintf(frame + 4, sizeof frame - 4,
                        "{\"frame\": \"event\", \"event\": {\"episode_id\": \"bench\", \"epoch\": 1, \"seq\": %ld, "
                        "\"at\": 1.0, \"type\": \"Said\", \"audience\": \"public\", \"data\": {\"t\": %lld, "
                        "\"text\": \"%s\"}}}", seq++, (long long)now_ns(), padding);
    frame[0] = (char)0x81;
    frame[1] = 126;
    frame[2] = (char)(size >> 8);
    frame[3] = (char)size;
    for (int i = 0; i < count; i++) send_all(viewers[i], frame, size + 4);
}

/* Serve connections until `until`, in nanoseconds; 0: until a line of input comes, which is copied to `line`. */
static int serve(int64_t until, char *line, size_t room) {
    for (;;) {
        int64_t left = until ? (until - now_ns()) : 0;
        if (until && left <= 0) return 1;
        struct epoll_event ready[256];
        int got = epoll_wait(poller, ready, 256, until ? (int)((left + 999999) / 1000000) : -1);
        for (int i = 0; i < got; i++) {
            int fd = ready[i].data.fd;
            if (fd == 0 && !until) {
                ssize_t size = read(0, line, room - 1);
                if (size <= 0) return 0;
                line[size] = 0;
                return 1;
            }
            if (fd == listener) {
                int one = 1, viewer = accept(listener, NULL, NULL);
                if (viewer < 0) die("accept");
                setsockopt(viewer, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
                watch(viewer);
            } else if (fd) {
                greet(fd);
            }
        }
    }
}

int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    char line[64];
    double rate, seconds;
    memset(padding, 'x', sizeof padding - 1);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    poller = epoll_create1(0);
    listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 4096)) die("listen");
    getsockname(listener, (struct sockaddr *)&address, &size);
    watch(listener);
    watch(0);
    printf("%d /\n", ntohs(address.sin_port));
    fflush(stdout);
    while (serve(0, line, sizeof line) && sscanf(line, "%lf %lf", &rate, &seconds) == 2) {
        int published = (int)(rate * seconds);
        int64_t began = now_ns();
        for (int i = 0; i < published; i++) {
            serve(began + (int64_t)(i * 1e9 / rate), line, sizeof line);
            publish();
        }
        printf("%d\n", published);
        fflush(stdout);
    }
    return 0;
}
