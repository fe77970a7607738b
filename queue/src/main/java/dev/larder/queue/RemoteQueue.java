package dev.larder.queue;

import java.net.InetSocketAddress;
import java.util.Objects;

/**
 * A queue that a {@link QueueServer} serves.
 *
 * @param address of the server; its name is looked up for each connection
 * @param security the same as the server's
 */
public record RemoteQueue(InetSocketAddress address, ConnectionSecurity security) {

    /** Makes the name of a queue; no value may be null. */
    public RemoteQueue {
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(security, "security");
    }

    /** Returns the address for a new connection. */
    InetSocketAddress resolved() {
        return address.isUnresolved() ? new InetSocketAddress(address.getHostString(), address.getPort()) : address;
    }

    @Override
    public String toString() {
        return address.getHostString() + ":" + address.getPort();
    }
}
