package dev.larder.arraycli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Addresses for nodes. */
final class FreeAddress {

    private static final int OFFSET = 10_000;

    private FreeAddress() {}

    /** Returns an address whose port, and those 10,000 and 20,000 above, are free. */
    static InetSocketAddress next() throws IOException {
        while (true) {
            int port;
            try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = any.getLocalPort() % 20_000 + 12_000;
            }
            if (isFree(port) && isFree(port + OFFSET) && isFree(port + 2 * OFFSET)) {
                return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            }
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
