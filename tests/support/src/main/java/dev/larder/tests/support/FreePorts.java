package dev.larder.tests.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Loopback addresses on which no process listens. They lie below the ports that the system gives to connections. Otherwise a
 * connection of another process could take a port before its server starts. All processes of a user take ports in turn, from
 * numbers in a file: a port is taken again only after all others.
 *
 * <pre>
 * from 10,000   nodes of arrays, for clients
 *      13,000   any server
 *      20,000   the same nodes, for one another
 *      23,000   any server
 *      30,000   the same nodes, for files
 *      32,768   the system's own
 * </pre>
 */
public final class FreePorts {

    private static final int FIRST = 10_000;
    private static final int STEP = 10_000;
    private static final int NODES = 2_768;
    private static final int SERVERS = 2 * 7_000;
    private static final Path TURNS =
            Path.of(System.getProperty("java.io.tmpdir"), "larder-test-ports-" + System.getProperty("user.name"));

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
                if (isFree(port) && isFree(port + STEP) && isFree(port + 2 * STEP)) {
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
            int turn = Math.floorMod(turn(file, 0), SERVERS);
            int port = FIRST + 3_000 + turn % 7_000 + (turn / 7_000) * STEP;
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no port from " + (FIRST + 3_000) + " on is free");
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
