package dev.larder.lab.redis;

import dev.larder.cli.Figures;

/**
 * The settings of a lab client for a Redis and its data.
 *
 * @param addresses of the server, or of some nodes of a cluster: {@code HOST:PORT}, separated by commas
 * @param cluster whether it is a cluster
 * @param keys how many exist: 0 to this, exclusive
 * @param valueBytes of each value
 * @param filled whether every key has a value
 * @param shared whether other clients write as well
 * @param patient whether the client is set for failovers, as the array's guide says, and repeats failed requests
 */
record RedisClientSettings(
        String addresses, boolean cluster, long keys, int valueBytes, boolean filled, boolean shared, boolean patient) {

    /** A single client, which does not repeat failed requests: that would hide them. */
    RedisClientSettings(String addresses, boolean cluster, long keys, int valueBytes, boolean filled) {
        this(addresses, cluster, keys, valueBytes, filled, false, false);
    }

    static RedisClientSettings of(Figures figures) {
        return new RedisClientSettings(
                figures.text("addresses"),
                figures.flag("cluster"),
                figures.whole("keys"),
                (int) figures.whole("value_bytes"),
                figures.flag("filled"),
                figures.flag("shared"),
                figures.flag("patient"));
    }

    Figures figures() {
        return new Figures()
                .put("addresses", addresses)
                .put("cluster", cluster)
                .put("keys", keys)
                .put("value_bytes", valueBytes)
                .put("filled", filled)
                .put("shared", shared)
                .put("patient", patient);
    }
}
