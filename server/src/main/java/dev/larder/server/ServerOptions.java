package dev.larder.server;

import dev.larder.resp.RequestLimits;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * Options of a server. Immutable; each {@code with} returns a changed copy.
 *
 * @param directory the folder of its data
 * @param addresses where it listens; loopback by default
 * @param port 1 to 65535, or 0 for one that the system chooses
 * @param databases how many databases there are, 1 to 1024
 * @param durability when writes are safe
 * @param maxFileBytes the most bytes of files of each database's map; empty: no bound
 * @param evicts whether keys are evicted when there is no room, instead of an error
 * @param segmentBytes the size that segments of the log grow to; a value may take a quarter at most
 * @param loops how many event loops, 1 to 1024
 * @param transport {@code auto}, {@code epoll}, {@code io_uring} or {@code nio}
 * @param limits how large requests may be
 */
public record ServerOptions(
        Path directory,
        List<InetAddress> addresses,
        int port,
        int databases,
        Durability durability,
        OptionalLong maxFileBytes,
        boolean evicts,
        long segmentBytes,
        int loops,
        String transport,
        RequestLimits limits) {

    /** The port of Redis. */
    public static final int PORT = 6379;

    private static final int PORT_MAX = 65_535;
    private static final int DATABASES_MAX = 1024;
    private static final int LOOPS_MAX = 1024;
    private static final long SEGMENT_BYTES = 256L << 20;

    /** Checks the options; each must be in its range. */
    public ServerOptions {
        addresses = List.copyOf(addresses);
        check("port", port, 0, PORT_MAX);
        check("databases", databases, 1, DATABASES_MAX);
        check("loops", loops, 1, LOOPS_MAX);
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("a server must listen on an address");
        }
    }

    private static void check(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + ": " + value + " is not between " + least + " and " + most);
        }
    }

    /** Returns the defaults for a folder: port 6379 of loopback, one database, a sync each second. */
    public static ServerOptions of(Path directory) {
        return new ServerOptions(
                directory,
                List.of(InetAddress.getLoopbackAddress()),
                PORT,
                1,
                Durability.everySecond(),
                OptionalLong.empty(),
                false,
                SEGMENT_BYTES,
                Math.max(1, Runtime.getRuntime().availableProcessors() / 2),
                "auto",
                RequestLimits.defaults());
    }

    /** Returns a copy with other {@link #addresses}. */
    public ServerOptions withAddresses(List<InetAddress> others) {
        return new ServerOptions(
                directory,
                others,
                port,
                databases,
                durability,
                maxFileBytes,
                evicts,
                segmentBytes,
                loops,
                transport,
                limits);
    }

    /** Returns a copy with another {@link #port}. */
    public ServerOptions withPort(int number) {
        return new ServerOptions(
                directory,
                addresses,
                number,
                databases,
                durability,
                maxFileBytes,
                evicts,
                segmentBytes,
                loops,
                transport,
                limits);
    }

    /** Returns a copy with other {@link #databases}. */
    public ServerOptions withDatabases(int count) {
        return new ServerOptions(
                directory,
                addresses,
                port,
                count,
                durability,
                maxFileBytes,
                evicts,
                segmentBytes,
                loops,
                transport,
                limits);
    }

    /** Returns a copy with another {@link #durability}. */
    public ServerOptions withDurability(Durability policy) {
        return new ServerOptions(
                directory,
                addresses,
                port,
                databases,
                policy,
                maxFileBytes,
                evicts,
                segmentBytes,
                loops,
                transport,
                limits);
    }

    /** Returns a copy with other {@link #segmentBytes}. */
    public ServerOptions withSegmentBytes(long bytes) {
        return new ServerOptions(
                directory,
                addresses,
                port,
                databases,
                durability,
                maxFileBytes,
                evicts,
                bytes,
                loops,
                transport,
                limits);
    }

    /** Returns a copy with other {@link #loops}. */
    public ServerOptions withLoops(int count) {
        return new ServerOptions(
                directory,
                addresses,
                port,
                databases,
                durability,
                maxFileBytes,
                evicts,
                segmentBytes,
                count,
                transport,
                limits);
    }

    /** Returns a copy with another {@link #transport}. */
    public ServerOptions withTransport(String kind) {
        return new ServerOptions(
                directory,
                addresses,
                port,
                databases,
                durability,
                maxFileBytes,
                evicts,
                segmentBytes,
                loops,
                kind,
                limits);
    }

    /** Returns a copy with other {@link #limits}. */
    public ServerOptions withLimits(RequestLimits others) {
        return new ServerOptions(
                directory,
                addresses,
                port,
                databases,
                durability,
                maxFileBytes,
                evicts,
                segmentBytes,
                loops,
                transport,
                others);
    }

    /** Returns a copy with other {@link #maxFileBytes}. */
    public ServerOptions withMaxFileBytes(long most, boolean evicting) {
        return new ServerOptions(
                directory,
                addresses,
                port,
                databases,
                durability,
                OptionalLong.of(most),
                evicting,
                segmentBytes,
                loops,
                transport,
                limits);
    }
}
