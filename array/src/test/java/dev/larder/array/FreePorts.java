package dev.larder.array;

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
 * Addresses of loopback on which nobody listens. They lie below those that the system gives to connections, or one of another
 * process might have taken a port before its server starts. All processes of a user take them in turn, from a number in a file:
 * a port is not taken again until all others were.
 */
public final class FreePorts {

    private static final int FIRST = 10_000;
    private static final int COUNT = 20_000;
    private static final Path TURN =
            Path.of(System.getProperty("java.io.tmpdir"), "larder-test-ports-" + System.getProperty("user.name"));

    private FreePorts() {}

    /** Returns so many, all different. */
    public static synchronized List<InetSocketAddress> take(int count) {
        List<InetSocketAddress> addresses = new ArrayList<>();
        try (FileChannel file = FileChannel.open(
                        TURN, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                FileLock lock = file.lock()) {
            ByteBuffer turn = ByteBuffer.allocate(Integer.BYTES);
            int next = lock.isValid() && file.read(turn, 0) == Integer.BYTES ? turn.getInt(0) : 0;
            for (int tried = 0; addresses.size() < count; tried++) {
                if (tried == COUNT) {
                    throw new IllegalStateException("there are no " + count + " free ports from " + FIRST + " on");
                }
                int port = FIRST + Math.floorMod(next++, COUNT);
                if (isFree(port)) {
                    addresses.add(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                }
            }
            file.write(turn.clear().putInt(0, next), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return addresses;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
