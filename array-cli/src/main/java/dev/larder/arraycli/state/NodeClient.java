package dev.larder.arraycli.state;

import java.net.InetSocketAddress;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/** Connections to nodes. */
final class NodeClient {

    private NodeClient() {}

    /**
     * Returns a connection to a node. An unknown host is treated like a node that does not answer.
     *
     * @throws JedisException if there is no connection
     */
    static Jedis connect(InetSocketAddress address, int timeoutMillis) {
        if (address.isUnresolved()) {
            throw new JedisConnectionException("the host of " + ArrayDescription.text(address) + " is not known");
        }
        return new Jedis(
                address.getAddress().getHostAddress(),
                address.getPort(),
                DefaultJedisClientConfig.builder()
                        .connectionTimeoutMillis(timeoutMillis)
                        .socketTimeoutMillis(timeoutMillis)
                        .build());
    }
}
