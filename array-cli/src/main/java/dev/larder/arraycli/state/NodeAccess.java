package dev.larder.arraycli.state;

import dev.larder.array.NodeAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Optional;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * How a command reaches the nodes: as which user, and whether with TLS.
 *
 * @param user the name of the user; empty for the default user
 * @param password the user's password; empty if the nodes ask for none
 * @param tls makes connections to the ports for TLS clients; empty for the other ports
 */
public record NodeAccess(Optional<String> user, Optional<String> password, Optional<SSLSocketFactory> tls) {

    /** Without a password, and without TLS. */
    public static final NodeAccess OPEN = new NodeAccess(Optional.empty(), Optional.empty(), Optional.empty());

    /** Returns where a command finds a node; empty if the node does not listen for such clients. */
    Optional<InetSocketAddress> address(NodeAddresses node) {
        return node.clients(tls.isPresent());
    }

    /**
     * Returns a connection to a node. An unknown host is treated like a node that does not answer.
     *
     * @throws JedisException if there is no connection, or the node refuses the password
     */
    Jedis connect(NodeAddresses node, int timeoutMillis) {
        InetSocketAddress address = address(node)
                .orElseThrow(() -> new JedisConnectionException(
                        tls.isPresent()
                                ? "the node at " + ArrayDescription.text(node.clients())
                                        + " has no port for TLS clients"
                                : "the node listens only for TLS clients, on "
                                        + node.clients(true)
                                                .map(ArrayDescription::text)
                                                .orElse("")
                                        + ": give --tls-ca-cert-file"));
        if (address.isUnresolved()) {
            throw new JedisConnectionException("the host of " + ArrayDescription.text(address) + " is not known");
        }
        DefaultJedisClientConfig.Builder settings = DefaultJedisClientConfig.builder()
                .connectionTimeoutMillis(timeoutMillis)
                .socketTimeoutMillis(timeoutMillis);
        user.ifPresent(settings::user);
        password.ifPresent(settings::password);
        return tls.map(factory -> new Jedis(() -> secured(factory, address, timeoutMillis), settings.build()))
                .orElseGet(() -> new Jedis(address.getAddress().getHostAddress(), address.getPort(), settings.build()));
    }

    private static Socket secured(SSLSocketFactory factory, InetSocketAddress address, int timeoutMillis) {
        try {
            Socket socket = factory.createSocket();
            try {
                socket.connect(address, timeoutMillis);
                socket.setSoTimeout(timeoutMillis);
                if (socket instanceof SSLSocket secured) {
                    secured.startHandshake();
                }
                return socket;
            } catch (IOException e) {
                socket.close();
                throw e;
            }
        } catch (IOException e) {
            throw new JedisConnectionException(ArrayDescription.text(address) + ": " + e.getMessage(), e);
        }
    }

    /** Keeps the password out of logs. */
    @Override
    public String toString() {
        return "NodeAccess[user=" + user.orElse("default") + ", password=" + (password.isPresent() ? "given" : "none")
                + ", tls=" + tls.isPresent() + "]";
    }
}
