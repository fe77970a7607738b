package dev.larder.server.stream;

import dev.larder.queue.Tailer;
import java.util.function.Supplier;

/**
 * A copy of a stream. Clients continue to use and to change the source while the copy is made.
 *
 * <pre>
 * source   first ......................... end      trimmed and added to meanwhile
 * copy     |---- make ----|-- make --|- finish      each begins where the one before has ended
 * </pre>
 *
 * <p>{@link #finish} copies the last few entries under the lock of the source, and groups with few pending entries. If entries
 * of the source were deleted meanwhile, the copy begins anew.
 */
public final class CopiedStream extends UnnamedStream {

    /** How many entries, and how many pending entries, a command copies itself. */
    private static final int FEW_ENTRIES = 16;

    private static final int FEW_PENDING = 256;

    private final Stream source;

    /** The message of the source that is copied next. */
    private long next;

    /** The source's count of rewrites when this began. */
    private long rewrites;

    /** The source's count of changes when its groups were copied; -1 if they were not. */
    private long groupsAt;

    /** Creates a copy of a stream, which is not begun yet. */
    public CopiedStream(Object owner, Supplier<StreamFolder> folder, Stream source) {
        super(owner, folder, source);
        this.source = source;
    }

    @Override
    protected void fill() {
        source.beside(queue -> {
            try (Tailer own = queue.tailer()) {
                copyEntries(own);
            }
        });
        if (isBegun()) {
            copyManyGroups();
        }
    }

    private void copyEntries(Tailer own) {
        long[] live = new long[ENTRIES_AT_ONCE];
        int count = live.length;
        while (count > 0 && !Thread.currentThread().isInterrupted()) {
            count = nextLive(live);
            if (count > 0) {
                try (Stream copy = use()) {
                    copy(own, live, count, copy);
                }
            }
        }
    }

    /** Finds the next entries to copy; returns how many. */
    private int nextLive(long[] live) {
        if (!source.use()) {
            return 0; // it was removed
        }
        try (source) {
            if (!isBegun() || rewrites != source.rewrites()) {
                begin();
                next = source.first();
                rewrites = source.rewrites();
                groupsAt = -1;
            }
            next = Math.max(next, source.first());
            return source.live(next, live);
        }
    }

    private void copy(Tailer own, long[] live, int count, Stream copy) {
        for (int i = 0; i < count; i++) {
            if (own.sequence() != live[i]) {
                own.toSequence(live[i]);
            }
            if (!own.poll(copy::append)) {
                throw new IllegalStateException("message " + live[i] + " is not there");
            }
            next = live[i] + 1;
        }
        copy.catchUp();
    }

    /** Copies groups with more pending entries than a command copies. */
    private void copyManyGroups() {
        source.openings(1); // a thread that may not wait does not wait for this one
        try {
            if (!source.use()) {
                return;
            }
            try (source;
                    Stream copy = use()) {
                if (hasManyPending() && groupsAt != source.changes()) {
                    copy.groups().removeRecords();
                    source.groups().copyTo(copy.groups());
                    groupsAt = source.changes();
                }
            }
        } finally {
            source.openings(-1);
        }
    }

    private boolean hasManyPending() {
        long pending = 0;
        for (Group group : source.groups().all().values()) {
            pending += group.pending().size();
        }
        return pending > FEW_PENDING;
    }

    /**
     * Brings the copy up to the source, which the caller has locked. Returns false if {@link #make} has to continue first.
     * Nothing changes the source until the copy has its name.
     */
    public boolean finish() {
        boolean many = hasManyPending();
        if (!isBegun()
                || rewrites != source.rewrites()
                || source.end() - Math.max(next, source.first()) > FEW_ENTRIES
                || (many && groupsAt != source.changes())) {
            return false;
        }
        try (Stream copy = use()) {
            long[] live = new long[FEW_ENTRIES];
            int count = source.live(Math.max(next, source.first()), live);
            for (int i = 0; i < count; i++) {
                source.queue().read(live[i], copy::append);
                next = live[i] + 1;
            }
            copy.catchUp();
            copy.trim(
                    copy.sequenceBehind(copy.length() - source.length())); // what the source has lost at its beginning
            copy.takeHead(source);
            if (!many) {
                copy.groups().removeRecords();
                source.groups().copyTo(copy.groups());
            }
        }
        return true;
    }
}
