"""Sends the same bytes to many sockets by one system call: the queues of Linux's `io_uring(7)`."""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
import platform
import socket
import struct
import sys
from array import array
from collections.abc import Sequence
from contextlib import suppress
from ctypes import c_uint32

SETUP, ENTER = 425, 426
"""The numbers of the two system calls, on MACHINES."""

MACHINES = ("x86_64", "aarch64")

SUBMIT_ALL = 1 << 7
"""The flag of a ring that goes on after a send that fails. Kernels before 5.18 refuse it."""

GET_EVENTS = 1
"""The flag of a call that waits for the results."""

SEND = 26
"""The operation of an entry."""

ENTRIES_AT = 0x10000000
"""The offset at which the entries are mapped; the rest of both queues is mapped at 0."""

PARAMETERS = c_uint32 * 30
"""`struct io_uring_params`. Offsets in the mapped memory: of the submission queue head 10, tail 11 and array 16; of the
completion queue head 20, tail 21 and results 25."""

ENTRY = struct.Struct("=BBHiQQIIQ24x")
"""`struct io_uring_sqe` of a send: operation, flags, priority, socket, offset, address, length, flags of the send, and
a number that its result has too."""

RESULT = struct.Struct("=QiI")
"""`struct io_uring_cqe`: the number of the send, the bytes that the socket took or the error as a negative number, and
flags."""


class SendRing:
    """A queue of sends and one of their results, in memory that is shared with the kernel.

    No send blocks, so each has its result when the system call returns. For one thread.
    """

    def __init__(self, size: int) -> None:
        """Open a ring for at most `size` sockets at a time, a power of two.

        Raises OSError where there is none: on other systems, on kernels before 5.18, in most containers.
        """
        if sys.platform != "linux" or platform.machine() not in MACHINES:
            raise OSError(errno.ENOSYS, f"io_uring is not used on {sys.platform} {platform.machine()}")
        self._system_call = ctypes.CDLL(None, use_errno=True).syscall
        self._system_call.restype = ctypes.c_long
        parameters = PARAMETERS()
        parameters[2] = SUBMIT_ALL
        self._size = size
        self._ring = self._call(SETUP, size, ctypes.byref(parameters))
        try:
            self._map(parameters)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the ring. Idempotent."""
        ring, self._ring = self._ring, -1
        if ring >= 0:
            os.close(ring)

    def _map(self, parameters: ctypes.Array[c_uint32]) -> None:
        """Map the queues, and fill in what all sends have in common."""
        capacity, order, results = parameters[1], parameters[16], parameters[25]
        end = results + capacity * RESULT.size
        queues = mmap.mmap(self._ring, max(end, order + 4 * self._size))
        self._send_tail = c_uint32.from_buffer(queues, parameters[11])
        self._result_head = c_uint32.from_buffer(queues, parameters[20])
        self._result_tail = c_uint32.from_buffer(queues, parameters[21])
        view = memoryview(queues)
        view[order : order + 4 * self._size].cast("I")[:] = array("I", range(self._size))
        self._numbers = view[results:end].cast("Q")[::2]
        self._taken = view[results:end].cast("i")[2::4]
        entries = memoryview(mmap.mmap(self._ring, self._size * ENTRY.size, offset=ENTRIES_AT))
        for number in range(self._size):
            flags = socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL
            ENTRY.pack_into(entries, number * ENTRY.size, SEND, 0, 0, -1, 0, 0, 0, flags, number)
        self._sockets = entries.cast("i")[1::16]
        self._addresses = entries.cast("Q")[2::8]
        self._lengths = entries.cast("I")[6::16]

    def send(self, sockets: Sequence[int], data: bytes) -> list[tuple[int, int]]:
        """Send `data` to sockets, by their descriptors.

        Return (index, bytes taken) for each socket that did not take all: its buffer is full, or it has an error, which
        counts as 0 bytes. Raises OSError if the kernel fails; what was sent is then unknown.
        """
        count, size = len(sockets), self._size
        assert count <= size
        start = self._send_tail.value % size
        before_end = min(count, size - start)
        self._sockets[start : start + before_end] = array("i", sockets[:before_end])
        self._sockets[: count - before_end] = array("i", sockets[before_end:])
        address = ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0
        self._addresses[:] = array("Q", [address]) * size
        self._lengths[:] = array("I", [len(data)]) * size
        self._send_tail.value += count
        self._submit(count)
        return [
            ((number - start) % size, max(0, taken)) for number, taken in self._results(count) if taken != len(data)
        ]

    def _submit(self, count: int) -> None:
        """Have the kernel send the next `count` entries, and wait until each has its result."""
        end = c_uint32(self._result_head.value + count).value
        while self._result_tail.value != end:
            with suppress(InterruptedError):
                self._call(ENTER, self._ring, count, count, GET_EVENTS, None, 0)

    def _results(self, count: int) -> list[tuple[int, int]]:
        """Take the next `count` results off their queue: (number of the entry, bytes taken or error)."""
        head, capacity = self._result_head.value, len(self._taken)
        places = [number % capacity for number in range(head, head + count)]
        results = [(self._numbers[place], self._taken[place]) for place in places]
        self._result_head.value += count
        return results

    def _call(self, *arguments: object) -> int:
        result = int(self._system_call(*arguments))
        if result < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        return result
