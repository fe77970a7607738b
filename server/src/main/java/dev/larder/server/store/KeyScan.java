package dev.larder.server.store;

import dev.larder.map.LarderMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Scans the keys of a store in steps, while other threads change it: first the keys of strings, then the keys of streams.
 *
 * <pre>
 * cursor   0 ... of the map of strings ... | bit 62 and that of the map of names ... 0
 * </pre>
 */
public final class KeyScan {

    /** The bit that marks a cursor among the streams. */
    private static final long AMONG_STREAMS = 1L << 62;

    private final LarderMap<Bytes, Bytes> strings;
    private final LazyStreams streams;
    private final MissedKeys missed;

    KeyScan(LarderMap<Bytes, Bytes> strings, LazyStreams streams, MissedKeys missed) {
        this.strings = strings;
        this.streams = streams;
        this.missed = missed;
    }

    /** Returns where a scan continues for any number from a client: at that number, or at the end. */
    public static long cursor(long number) {
        return LarderMap.isCursor(number & ~AMONG_STREAMS) ? number : 0;
    }

    /** Returns a random cursor. */
    public long randomCursor(RandomGenerator random) {
        StreamNames names = streams.ifOpen();
        long cursor = LarderMap.randomCursor(random);
        boolean amongStreams = names != null && random.nextLong(Math.max(1, size(names))) < names.size();
        return amongStreams ? cursor | AMONG_STREAMS : cursor;
    }

    /** Passes some keys on, as {@link LarderMap#scanKeys} does, and returns the next cursor; 0 at the end. */
    public long scan(long cursor, int least, Consumer<? super Bytes> handler) {
        StreamNames names = streams.ifOpen();
        if ((cursor & AMONG_STREAMS) == 0) {
            long next = strings.scanKeys(cursor, least, handler);
            return next == 0 && names != null && names.size() > 0 ? AMONG_STREAMS : next;
        }
        long next = names == null ? 0 : names.scan(cursor & ~AMONG_STREAMS, least, handler);
        return next == 0 ? 0 : next | AMONG_STREAMS;
    }

    /**
     * Passes on expired keys that still count: some that were requested, and some that a scan finds.
     *
     * @param cursor where the scan continues: 0, or the result of the previous call
     * @param goesOn called before each key: whether to continue
     * @return the next cursor; 0 at the end
     */
    public long scanExpired(
            long cursor, RandomGenerator random, BooleanSupplier goesOn, Consumer<? super Bytes> handler) {
        missed.drain(handler);
        StreamNames names = streams.ifOpen();
        if ((cursor & AMONG_STREAMS) == 0) {
            long next = strings.scanExpired(cursor, random, goesOn, handler);
            return next == 0 && names != null && names.size() > 0 ? AMONG_STREAMS : next;
        }
        long next = names == null ? 0 : names.scanExpired(cursor & ~AMONG_STREAMS, random, goesOn, handler);
        return next == 0 ? 0 : next | AMONG_STREAMS;
    }

    private long size(@Nullable StreamNames names) {
        return strings.longSize() + (names == null ? 0 : names.size());
    }
}
