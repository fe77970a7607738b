package dev.larder.server.dump;

import dev.larder.server.stream.Stream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The dumps of long streams that another thread makes before a transaction runs. The transaction uses a dump if its stream has
 * not changed since. Otherwise it dumps the stream itself, so that all its replies are of one moment.
 *
 * <pre>
 * EXEC: a long stream -> dump, in another thread -> EXEC: unchanged -> the dump
 *                ^                                        changed   -> again, three times at most
 *                +----------------------------------------------------+
 * </pre>
 */
@SuppressWarnings("exports") // callers do not need the nullness annotations
public final class TransactionDumps {

    private static final int ROUNDS_MOST = 3;

    private final List<LongDump> made = new CopyOnWriteArrayList<>();
    private int rounds;

    private volatile @Nullable LongDump making;
    private volatile boolean stopped;

    /** Creates the dumps of a transaction, of which none is made yet. */
    public TransactionDumps() {}

    /** Returns whether a stream, which the caller has locked, is long and its present dump is not made. */
    public boolean lacks(Stream stream) {
        return of(stream) == null && LongDump.isLong(stream);
    }

    /** Returns the dump of a stream, which the caller has locked; null if it is not made, or the stream has changed since. */
    public byte @Nullable [] of(Stream stream) {
        for (LongDump dump : made) {
            byte[] present = dump.madeOf(stream);
            if (present != null) {
                return present;
            }
        }
        return null;
    }

    /** Returns a dump that the caller makes now, and then adds. */
    public LongDump begin() {
        LongDump dump = new LongDump();
        making = dump;
        if (stopped) {
            dump.stop();
        }
        return dump;
    }

    /** Ends the making of dumps, which nobody needs any more. Any thread may call this. */
    public void stop() {
        stopped = true;
        LongDump dump = making;
        if (dump != null) {
            dump.stop();
        }
    }

    /** Adds a dump, in the place of an earlier one of the same stream. */
    public void add(LongDump dump) {
        made.removeIf(dump::isOfSameStream);
        made.add(dump);
    }

    /** Returns whether missing dumps are to be made: for a stream that changes all the time, there would be no end of it. */
    public boolean beginRound() {
        return rounds++ < ROUNDS_MOST;
    }
}
