package dev.larder.map.entry;

import dev.larder.log.GoneException;
import dev.larder.map.index.Lookup;
import dev.larder.map.shared.MapCounts;
import dev.larder.memory.CorruptException;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.LarderException;
import org.jspecify.annotations.Nullable;

/** Records accesses to entries where the map needs them: for counts, for eviction, and for idle times. */
public final class AccessTracker {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.map");

    private final MapParts parts;
    private final ThreadStates<?, ?> desks;
    private final @Nullable MapCounts counts;

    /** Written by the thread that sets it and read by all, without ordering: one lookup more or less does not matter. */
    private boolean visits;

    /**
     * Creates a tracker.
     *
     * @param counts where lookups are counted; null if they are not
     * @param visits whether visits of entries are recorded
     */
    public AccessTracker(MapParts parts, ThreadStates<?, ?> desks, @Nullable MapCounts counts, boolean visits) {
        this.parts = parts;
        this.desks = desks;
        this.counts = counts;
        this.visits = visits;
    }

    /** Returns a tracker that records no access, except for idle times. */
    public static AccessTracker unnoted(MapParts parts, ThreadStates<?, ?> desks) {
        return new AccessTracker(parts, desks, null, false);
    }

    /** Sets whether visits of entries are recorded from now on. */
    public void noteVisits(boolean noted) {
        visits = noted;
    }

    /** Returns whether an access to an entry without an idle time is recorded. */
    boolean areNoted() {
        return counts != null || visits;
    }

    /** Records a lookup that has ended, whether it found an entry or not. Does nothing in a map that was closed. */
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

    /** Puts an accessed entry again, with a later deadline, unless that would have to wait. */
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
     * Puts the entry again. If its record was dropped since the lookup, the entry is elsewhere or gone, and the next access
     * prolongs it. If the log cannot be written, or a limit of the system is met, the deadline stays: the lookup itself has
     * succeeded.
     */
    private void putAgain(Lookup probe) {
        try {
            probe.deadline = parts.deadlines().next(probe);
            parts.records().length(probe.position); // in memory, also where its head was enough for the lookup
            parts.store().putAgain(probe, probe.position, parts.records().bytes(probe.position), probe.length);
        } catch (CorruptException e) {
            throw e; // the record that was read is damaged, so this is no failed write
        } catch (GoneException | IllegalStateException e) {
            if (!isDropped(probe)) {
                throw e;
            }
        } catch (DiskFullException e) {
            parts.room().look();
        } catch (LarderException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "cannot extend the lifetime of an entry that was read", e);
        }
    }

    private boolean isDropped(Lookup probe) {
        return desks.areClosed() || probe.position < 0 || parts.isDropped(probe.position);
    }
}
