package dev.larder.array;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Addresses of loopback on which nobody listens. They lie below those that the system gives to connections, or one of another
 * process might have taken a port before its server starts.
 */
public final class FreePorts {

    private static final int FIRST = 10_000;
    private static final int COUNT = 20_000;

    /** Processes that run at once begin far apart. */
    private static final AtomicLong NEXT =
            new AtomicLong(ProcessHandle.current().pid() * 997);

    private FreePorts() {}

    /** Returns so many, all different. */
    public static List<InetSocketAddress> take(int count) {
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (int tried = 0; addresses.size() < count; tried++) {
            if (tried == COUNT) {
                throw new IllegalStateException("there are no " + count + " free ports from " + FIRST + " on");
            }
            int port = FIRST + (int) (NEXT.getAndIncrement() % COUNT);
            if (isFree(port)) {
                addresses.add(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            }
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
