"""What the measurements of servers in this folder share: a server of either kind on a folder, and a client of it."""

import contextlib
import csv
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import time

LARDER = pathlib.Path(__file__).resolve().parent.parent / "larder"
SUBJECTS = ("redis-server", "larder")
EVERY_SECOND = {"redis-server": ["--appendonly", "yes", "--appendfsync", "everysec"], "larder": ["--sync", "1s"]}
ALWAYS = {"redis-server": ["--appendonly", "yes", "--appendfsync", "always"], "larder": ["--sync", "always"]}


def build(*commands):
    """Has ./larder build itself, so that no measurement waits for it."""
    for command in commands:
        subprocess.run([LARDER, command, "--help"], check=True, stdout=subprocess.DEVNULL)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(port):
    """Returns whether a server answers a PING; one that loads its data does not yet."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(7) == b"+PONG\r\n"
    except OSError:
        return False


def command(subject, directory, port, further):
    if subject == "larder":
        return [LARDER, "serve", directory, "--port", str(port), *further]
    return ["redis-server", "--dir", directory, "--port", str(port), "--bind", "127.0.0.1", "--save", "", *further]


class Server:
    """A server that answers: its port, its process, and the seconds until it answered."""

    def __init__(self, port, pid, seconds):
        self.port = port
        self.pid = pid
        self.seconds = seconds


@contextlib.contextmanager
def server(subject, directory, further=(), group=None, patience=300):
    """Starts a server on a folder, in a control group if there is one, and stops it with SIGTERM."""
    port = free_port()
    join = None if group is None else lambda: group.write_text(str(os.getpid()))
    started = time.monotonic()
    with open(pathlib.Path(directory, "output"), "ab") as output:
        process = subprocess.Popen(
            command(subject, directory, port, further), stdout=output, stderr=output, preexec_fn=join)
    try:
        while not answers(port):
            if process.poll() is not None or time.monotonic() - started > patience:
                sys.exit(f"{subject} does not answer; see {directory}/output")
            time.sleep(0.01)
        yield Server(port, process.pid, time.monotonic() - started)
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def both(directories, options):
    """Starts one server of each kind; gives them in the order of SUBJECTS."""
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(server(subject, directory, options[subject]))
               for subject, directory in zip(SUBJECTS, directories)]


def in_turns(number):
    """Returns the order of the two servers in a round: it alternates."""
    return (0, 1) if number % 2 == 0 else (1, 0)


@contextlib.contextmanager
def memory_limit(size):
    """Makes a memory control group, of version 1 or 2; gives the file by which a process joins it. It needs root."""
    top = pathlib.Path("/sys/fs/cgroup")
    first = (top / "memory").is_dir()
    group = (top / "memory" if first else top) / f"larder-benchmark-{os.getpid()}"
    group.mkdir()
    try:
        (group / ("memory.limit_in_bytes" if first else "memory.max")).write_text(str(size))
        yield group / "cgroup.procs"
    finally:
        group.rmdir()


def drop_from_memory(directory):
    """Writes the files of a folder to the disk, and has them leave the memory."""
    for file in pathlib.Path(directory).rglob("*"):
        if file.is_file():
            descriptor = os.open(file, os.O_RDONLY)
            try:
                os.fsync(descriptor)
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            finally:
                os.close(descriptor)


class Client:
    """A connection: one command after the other, or many at once."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.input = self.socket.makefile("rb", 1 << 16)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.socket.close()

    @staticmethod
    def request(*arguments):
        parts = [b"*%d\r\n" % len(arguments)]
        for argument in arguments:
            argument = argument if isinstance(argument, bytes) else str(argument).encode()
            parts.append(b"$%d\r\n%s\r\n" % (len(argument), argument))
        return b"".join(parts)

    def reply(self):
        """Reads a reply: a text, a number, bytes or None; an error ends the program."""
        line = self.input.readline()
        kind, rest = line[:1], line[1:-2]
        if kind == b"$":
            length = int(rest)
            return None if length < 0 else self.input.read(length + 2)[:-2]
        if kind not in (b"+", b":"):
            sys.exit(f"the server replies {line!r}")
        return int(rest) if kind == b":" else rest.decode()

    def call(self, *arguments):
        self.socket.sendall(self.request(*arguments))
        return self.reply()

    def pipeline(self, requests):
        """Sends requests that are encoded, and reads as many replies."""
        self.socket.sendall(b"".join(requests))
        for _ in requests:
            self.reply()


def key(number):
    """Returns a key as redis-benchmark names it."""
    return b"key:%012d" % number


def fill(port, keys, size, at_once=500):
    """Sets keys to values of so many bytes, without order of the numbers' bits in the values."""
    value = os.urandom(size)
    with Client(port) as client:
        for first in range(0, keys, at_once):
            client.pipeline([client.request(b"SET", key(number), value)
                             for number in range(first, min(first + at_once, keys))])


def benchmark(port, *arguments):
    """Runs redis-benchmark; returns its row: rps, p50_latency_ms, p99_latency_ms and others."""
    lines = subprocess.run(
        ["redis-benchmark", "-p", str(port), "--csv", *(str(argument) for argument in arguments)],
        check=True, capture_output=True, text=True).stdout.splitlines()
    return {name: float(value) if name != "test" else value for name, value in next(csv.DictReader(lines)).items()}


def spread(values, form):
    """Returns the median of several values, with least and greatest."""
    return f"{statistics.median(values):{form}} ({min(values):{form}} to {max(values):{form}})"


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
