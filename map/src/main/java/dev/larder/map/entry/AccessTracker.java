package dev.larder.map.entry;

import dev.larder.log.GoneException;
import dev.larder.map.index.Lookup;
import dev.larder.map.shared.MapCounts;
import dev.larder.memory.CorruptException;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.LarderException;
import org.jspecify.annotations.Nullable;

/** Takes note that entries were looked at, where the map wants to know: for counts, for eviction, and for idle times. */
public final class AccessTracker {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.map");

    private final MapParts parts;
    private final ThreadStates<?, ?> desks;
    private final @Nullable MapCounts counts;

    /** Written by whoever sets it, read by all without order: a look-up more or less does not matter. */
    private boolean visits;

    /**
     * Uses.
     *
     * @param counts where all are counted; null where they are not
     * @param visits whether it is of interest which entries were looked at
     */
    public AccessTracker(MapParts parts, ThreadStates<?, ?> desks, @Nullable MapCounts counts, boolean visits) {
        this.parts = parts;
        this.desks = desks;
        this.counts = counts;
        this.visits = visits;
    }

    /** Returns uses of which no note is taken, but for idle times. */
    public static AccessTracker unnoted(MapParts parts, ThreadStates<?, ?> desks) {
        return new AccessTracker(parts, desks, null, false);
    }

    /** Sets whether it is of interest from now on which entries are looked at. */
    public void noteVisits(boolean noted) {
        visits = noted;
    }

    /** Returns whether anything is to be noted of a use of an entry that has no idle time. */
    boolean areNoted() {
        return counts != null || visits;
    }

    /** Takes note of a look-up that has ended, whether it has found an entry or not; nothing to do in a map that was closed. */
    public void note(Lookup probe) {
        try {
            take(probe);
        } catch (IllegalStateException e) {
            if (!desks.areClosed()) {
                throw e;
            }
        }
    }

    private void take(Lookup probe) {
        if (counts != null) {
            counts.found(probe.isPresent());
        }
        if (visits) {
            parts.index().visit(probe);
        }
        if (parts.deadlines().isDueAtUse(probe)) {
            prolong(probe);
        }
    }

    /** Puts an entry once more that was of use, with a later deadline; not where that would have to wait. */
    private void prolong(Lookup probe) {
        boolean free = parts.room().hasRoom() && !desks.isChanging();
        int line = free ? parts.changes().pin() : ThreadState.NO_LINE;
        if (line != ThreadState.NO_LINE) {
            try {
                putAgain(probe);
            } finally {
                parts.changes().unpinAnyway(line);
            }
        }
    }

    /**
     * Whose record was dropped since it was found stands elsewhere, or nowhere: the next use prolongs it. A log that cannot be
     * written to, or a limit of the system, leaves the deadline as it is: the look-up itself has found what it asked for.
     */
    private void putAgain(Lookup probe) {
        try {
            probe.deadline = parts.deadlines().next(probe);
            parts.records().length(probe.position); // in memory, also where its head was enough for the look
            parts.store().putAgain(probe, probe.position, parts.records().bytes(probe.position), probe.length);
        } catch (CorruptException e) {
            throw e; // what was read is damaged, and not only what was to be written
        } catch (GoneException | IllegalStateException e) {
            if (!isDropped(probe)) {
                throw e;
            }
        } catch (DiskFullException e) {
            parts.room().look();
        } catch (LarderException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "the time of an entry that was of use is not prolonged", e);
        }
    }

    private boolean isDropped(Lookup probe) {
        return desks.areClosed() || probe.position < 0 || parts.isDropped(probe.position);
    }
}
