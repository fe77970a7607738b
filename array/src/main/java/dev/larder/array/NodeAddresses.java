package dev.larder.array;

import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/**
 * The addresses on which a node of an array listens.
 *
 * @param clients for clients
 * @param raft for Raft
 * @param links for the links of other nodes
 * @param tlsPort on the host of {@code clients}, for clients that speak TLS; empty if the node does not listen for them
 * @param tlsOnly whether the node listens only for clients that speak TLS; then nothing listens on {@code clients}
 */
public record NodeAddresses(
        InetSocketAddress clients,
        InetSocketAddress raft,
        InetSocketAddress links,
        OptionalInt tlsPort,
        boolean tlsOnly) {

    private static final int PORT_MAX = 65_535;

    /** Creates addresses; the port must be valid, and there must be a port for clients. */
    public NodeAddresses {
        if (tlsPort.isPresent() && (tlsPort.getAsInt() < 1 || tlsPort.getAsInt() > PORT_MAX)) {
            throw new IllegalArgumentException("TLS port " + tlsPort.getAsInt() + " is not within 1 and " + PORT_MAX);
        }
        if (tlsOnly && tlsPort.isEmpty()) {
            throw new IllegalArgumentException("a node only for TLS clients needs a TLS port");
        }
    }

    /** Creates addresses of a node that does not listen for clients that speak TLS. */
    public NodeAddresses(InetSocketAddress clients, InetSocketAddress raft, InetSocketAddress links) {
        this(clients, raft, links, OptionalInt.empty(), false);
    }

    /** Returns whether the address of a host is not known, or was not looked up. */
    public boolean isUnknown() {
        return clients.isUnresolved() || raft.isUnresolved() || links.isUnresolved();
    }

    /**
     * Returns the addresses with all hosts looked up again. A host that is not found keeps the address that it had. May wait for the
     * name service, for seconds.
     */
    public NodeAddresses lookedUp() {
        return with(NodeAddresses::lookUp);
    }

    private static InetSocketAddress lookUp(InetSocketAddress address) {
        InetSocketAddress found = new InetSocketAddress(address.getHostString(), address.getPort());
        return found.isUnresolved() ? address : found;
    }

    /** Returns the same addresses, each in another form. */
    public NodeAddresses with(UnaryOperator<InetSocketAddress> form) {
        return new NodeAddresses(form.apply(clients), form.apply(raft), form.apply(links), tlsPort, tlsOnly);
    }

    /** Returns the same addresses for all clients, or without a {@link #tlsPort}. */
    public NodeAddresses withTlsPort(OptionalInt port) {
        return new NodeAddresses(clients, raft, links, port, false);
    }

    /** Returns the same addresses, only for clients that speak TLS; the {@link #tlsPort} must be there. */
    public NodeAddresses withTlsOnly() {
        return new NodeAddresses(clients, raft, links, tlsPort, true);
    }

    /** Returns the same addresses with TLS as another node has it. */
    public NodeAddresses withTlsOf(NodeAddresses other) {
        return new NodeAddresses(clients, raft, links, other.tlsPort, other.tlsOnly);
    }

    /**
     * Returns where a client finds the node; empty if the node does not listen for such clients.
     *
     * @param encrypted whether the client speaks TLS
     */
    public Optional<InetSocketAddress> clients(boolean encrypted) {
        if (!encrypted) {
            return tlsOnly ? Optional.empty() : Optional.of(clients);
        }
        return tlsPort.isEmpty() ? Optional.empty() : Optional.of(onSameHost(tlsPort.getAsInt()));
    }

    private InetSocketAddress onSameHost(int port) {
        return clients.isUnresolved()
                ? InetSocketAddress.createUnresolved(clients.getHostString(), port)
                : new InetSocketAddress(clients.getAddress(), port);
    }
}
