package dev.larder.lab.redis;

import dev.larder.cli.Figures;

/**
 * What a client of the lab needs to know of a Redis and of the data in it.
 *
 * @param addresses of the server, or of some nodes of a cluster: {@code HOST:PORT}, with commas between
 * @param cluster whether it is a cluster
 * @param keys how many there are: 0 to this, exclusively
 * @param valueBytes of each value
 * @param filled whether every key has a value
 * @param shared whether other clients write as well
 * @param patient whether the client is set for failovers, as the guide to the array says, and repeats what has failed
 */
record RedisClientSettings(
        String addresses, boolean cluster, long keys, int valueBytes, boolean filled, boolean shared, boolean patient) {

    /** A client alone, which does not repeat what has failed: it would hide it. */
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
