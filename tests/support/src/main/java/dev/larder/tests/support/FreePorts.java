package dev.larder.tests.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Loopback addresses on which no process listens. They lie beside the ports that the system gives to connections, unless it
 * gives all of them. Otherwise a connection of another process could take a port before its server starts. All processes of a
 * user take ports in turn, from numbers in a file: a port is taken again only after all others.
 *
 * <pre>
 * from 10,000   nodes of arrays, for clients
 *      13,000   any server
 *      20,000   the same nodes, for one another
 *      23,000   any server
 *      30,000   the same nodes, for files
 *      32,768   the system's own, as a rule
 * </pre>
 */
public final class FreePorts {

    private static final int FIRST = 10_000;
    private static final int STEP = 10_000;
    private static final int NODES = 2_768;
    private static final int SERVERS = 2 * 7_000;
    private static final Path RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    private static final Span SYSTEM = systemPorts();

    /** Whether there are nodes, and servers, whose ports are not the system's. If not, they share ports with it. */
    private static final boolean NODES_BESIDE =
            IntStream.range(0, NODES).map(turn -> FIRST + turn).anyMatch(FreePorts::isNodeBeside);

    private static final boolean SERVERS_BESIDE =
            IntStream.range(0, SERVERS).map(FreePorts::server).anyMatch(port -> !SYSTEM.has(port));
    private static final Path TURNS = Path.of(System.getProperty("java.io.tmpdir"), "larder-test-ports-" + user());

    /** The ports from a first one to a last one. */
    private record Span(int first, int last) {
        boolean has(int port) {
            return first <= port && port <= last;
        }
    }

    private FreePorts() {}

    /** Returns this many addresses, all different. */
    public static synchronized List<InetSocketAddress> take(int count) {
        List<InetSocketAddress> addresses = new ArrayList<>();
        try (FileChannel file = turns();
                FileLock lock = file.lock()) {
            assert lock.isValid();
            while (addresses.size() < count) {
                addresses.add(loopback(nextServer(file)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return addresses;
    }

    /** Returns a port for one server. */
    public static int takeOne() {
        return take(1).getFirst().getPort();
    }

    /** Returns the address of an array's node for clients. The ports 10,000 and 20,000 above it are free as well. */
    public static synchronized InetSocketAddress takeNode() {
        try (FileChannel file = turns();
                FileLock lock = file.lock()) {
            assert lock.isValid();
            for (int tried = 0; tried < NODES; tried++) {
                int port = FIRST + Math.floorMod(turn(file, 1), NODES);
                boolean isOurs = !NODES_BESIDE || isNodeBeside(port);
                if (isOurs && isFree(port) && isFree(port + STEP) && isFree(port + 2 * STEP)) {
                    return loopback(port);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException("no port from " + FIRST + " on is free with those " + STEP + " and more above");
    }

    private static int nextServer(FileChannel file) throws IOException {
        for (int tried = 0; tried < SERVERS; tried++) {
            int port = server(Math.floorMod(turn(file, 0), SERVERS));
            boolean isOurs = !SERVERS_BESIDE || !SYSTEM.has(port);
            if (isOurs && isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no port from " + (FIRST + 3_000) + " on is free");
    }

    private static int server(int turn) {
        return FIRST + 3_000 + turn % 7_000 + (turn / 7_000) * STEP;
    }

    private static boolean isNodeBeside(int port) {
        return !SYSTEM.has(port) && !SYSTEM.has(port + STEP) && !SYSTEM.has(port + 2 * STEP);
    }

    /** Returns the ports that the system gives to connections; where it does not tell, those that Linux gives by default. */
    private static Span systemPorts() {
        try {
            String[] words = Files.readAllLines(RANGE).getFirst().split("\\s+", -1);
            return new Span(Integer.parseInt(words[0]), Integer.parseInt(words[1]));
        } catch (IOException e) {
            return new Span(32_768, 60_999);
        }
    }

    /** Returns the number of the user: users without an entry in the system's list all have the same name. */
    private static String user() {
        try {
            Path own = Files.createTempFile("larder-test", ".user");
            try {
                return Files.getAttribute(own, "unix:uid").toString();
            } finally {
                Files.delete(own);
            }
        } catch (UnsupportedOperationException e) { // not on Windows
            return System.getProperty("user.name");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FileChannel turns() throws IOException {
        return FileChannel.open(TURNS, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** Adds one to the number at a place in the file, and returns the old number. */
    private static int turn(FileChannel file, int place) throws IOException {
        ByteBuffer turn = ByteBuffer.allocate(Integer.BYTES);
        long offset = (long) place * Integer.BYTES;
        int now = file.read(turn, offset) == Integer.BYTES ? turn.getInt(0) : 0;
        file.write(turn.clear().putInt(0, now + 1), offset);
        return now;
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
