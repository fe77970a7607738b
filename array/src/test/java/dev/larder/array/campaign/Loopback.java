package dev.larder.array.campaign;

import dev.larder.tests.support.FreePorts;
import java.net.InetSocketAddress;
import java.util.List;

/** The loopback of this machine: nothing can be cut. */
final class Loopback implements Network {

    private static final int PORTS = 3;

    private final List<InetSocketAddress> free;

    Loopback(int nodes) {
        free = FreePorts.take(PORTS * nodes);
    }

    @Override
    public String addresses(int node) {
        StringBuilder addresses = new StringBuilder("127.0.0.1");
        free.subList(PORTS * node, PORTS * (node + 1))
                .forEach(address -> addresses.append(':').append(address.getPort()));
        return addresses.toString();
    }

    @Override
    public List<String> prefix(int node) {
        return List.of();
    }

    @Override
    public boolean hidesFiles(int node) {
        return false;
    }

    @Override
    public boolean canCut() {
        return false;
    }

    @Override
    public void cut(int from, int to) {
        throw new UnsupportedOperationException("loopback cannot be cut");
    }

    @Override
    public void heal() {
        // nothing is cut
    }

    @Override
    public void enter() {
        // clients are everywhere
    }

    @Override
    public void close() {
        // nothing was made
    }
}
