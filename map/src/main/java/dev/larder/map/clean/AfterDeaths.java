package dev.larder.map.clean;

import dev.larder.log.FellBehindException;
import dev.larder.log.Log;
import dev.larder.log.LogReader;
import dev.larder.map.index.Index;
import dev.larder.map.index.IndexWalk;
import dev.larder.map.shared.Epochs;
import dev.larder.map.shared.Processes;
import org.jspecify.annotations.Nullable;

/**
 * Repairs the state that dead processes have left, after this process has found them dead. Used by one thread.
 *
 * <p>Counts: a process may be killed between a change and its count. Each page whose count differs from its words is rebuilt.
 *
 * <p>Claims: a reader of the log that has not opened the map waits for the claims of dead processes. Reading the log here, from
 * its durable end on, settles them. If the log is synced in the background, the sync already does.
 */
public final class AfterDeaths {

    private static final int PAGES_AT_ONCE = 64;
    private static final int RECORDS_AT_ONCE = 1 << 12;

    private final Processes processes;
    private final Index index;
    private final Epochs changes;
    private final Log log;
    private final boolean settlesClaims;
    private @Nullable IndexWalk counts;
    private @Nullable LogReader claims;
    private long claimsEnd;

    /** Creates the repairs; they settle claims only if no other thread does. */
    public AfterDeaths(Processes processes, Index index, Epochs changes, Log log, boolean settlesClaims) {
        this.processes = processes;
        this.index = index;
        this.changes = changes;
        this.log = log;
        this.settlesClaims = settlesClaims;
    }

    /** Does a part of the repairs; returns whether it did anything. */
    boolean step() {
        if (processes.takeFoundDead()) {
            begin();
        }
        boolean counted = count();
        return settle() || counted;
    }

    private void begin() {
        counts = new IndexWalk(index);
        close();
        if (settlesClaims) {
            claimsEnd = log.endPosition();
            claims = log.reader();
            moveTo(claims, log.durablePosition());
        }
    }

    private static void moveTo(LogReader reader, long position) {
        try {
            reader.moveTo(position);
        } catch (FellBehindException e) {
            reader.moveToFirst();
        }
    }

    private boolean count() {
        IndexWalk walk = counts;
        if (walk == null) {
            return false;
        }
        counts = null; // after an error it is not retried forever
        boolean more = true;
        for (int pages = 0; more && pages < PAGES_AT_ONCE; pages++) {
            int line = changes.pinAnyway();
            try {
                more = index.recount(walk);
            } finally {
                changes.unpin(line);
            }
        }
        counts = more ? walk : null;
        return true;
    }

    /** Settles claims; a claim of a live process is left for a later round. */
    private boolean settle() {
        LogReader reader = claims;
        if (reader == null) {
            return false;
        }
        claims = null;
        try {
            int read = drain(reader);
            claims = reader.position() < claimsEnd ? reader : null;
            return read > 0;
        } finally {
            if (claims == null) {
                reader.close();
            }
        }
    }

    private static int drain(LogReader reader) {
        try {
            return reader.drain((segment, offset, length) -> {}, RECORDS_AT_ONCE);
        } catch (FellBehindException e) {
            reader.moveToFirst();
            return 1;
        }
    }

    /** Ends the repairs, even if some are left. */
    void close() {
        LogReader reader = claims;
        claims = null;
        if (reader != null) {
            reader.close();
        }
    }
}
