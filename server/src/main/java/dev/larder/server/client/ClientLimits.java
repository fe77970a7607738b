package dev.larder.server.client;

import java.util.EnumMap;
import java.util.Map;

/** The limits of clients: the values of the parameters with these names. Each may change at any time. Thread-safe. */
public final class ClientLimits {

    private static final long MIB = 1L << 20;
    private static final int SOFT_SECONDS = 60;
    private static final int KEEP_ALIVE_SECONDS = 300;

    private volatile Map<ClientType, OutputLimit> outputs = new EnumMap<>(Map.of(
            ClientType.NORMAL,
            OutputLimit.NONE,
            ClientType.MASTER,
            OutputLimit.NONE,
            ClientType.REPLICA,
            new OutputLimit(256 * MIB, 64 * MIB, SOFT_SECONDS),
            ClientType.PUBSUB,
            new OutputLimit(32 * MIB, 8 * MIB, SOFT_SECONDS)));
    private volatile long queryMaxBytes = 1024 * MIB;
    private volatile long idleMaxSeconds;
    private volatile int keepAliveSeconds = KEEP_ALIVE_SECONDS;
    private volatile long memoryMaxBytes;

    public ClientLimits() {}

    /** Returns how much may wait for clients of a type: {@code client-output-buffer-limit}. */
    public OutputLimit output(ClientType type) {
        return outputs.getOrDefault(type, OutputLimit.NONE);
    }

    /** Sets how much may wait for clients of a type. */
    public synchronized void output(ClientType type, OutputLimit limit) {
        Map<ClientType, OutputLimit> next = new EnumMap<>(outputs);
        next.put(type, limit);
        outputs = next;
    }

    /** Returns how many bytes of waiting requests a client may have here: {@code client-query-buffer-limit}. */
    public long queryMaxBytes() {
        return queryMaxBytes;
    }

    /** Sets how many bytes of waiting requests a client may have here. */
    public void queryMaxBytes(long bytes) {
        queryMaxBytes = bytes;
    }

    /** Returns for how long a client may send nothing, 0 for any time: {@code timeout}. */
    public long idleMaxSeconds() {
        return idleMaxSeconds;
    }

    /** Sets for how long a client may send nothing. */
    public void idleMaxSeconds(long seconds) {
        idleMaxSeconds = seconds;
    }

    /** Returns after how many seconds the system probes a silent client, 0 for never: {@code tcp-keepalive}. */
    public int keepAliveSeconds() {
        return keepAliveSeconds;
    }

    /** Sets after how many seconds the system probes a silent client; for new connections. */
    public void keepAliveSeconds(int seconds) {
        keepAliveSeconds = seconds;
    }

    /** Returns how many bytes all clients together may take, 0 for any number: {@code maxmemory-clients}. */
    public long memoryMaxBytes() {
        return memoryMaxBytes;
    }

    /** Sets how many bytes all clients together may take. */
    public void memoryMaxBytes(long bytes) {
        memoryMaxBytes = bytes;
    }
}
