package dev.larder.server.access;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The log of refusals, the newest first. The same refusal within a minute increases a count. Thread-safe. */
public final class AccessLog {

    /**
     * A refusal.
     *
     * @param count how often it happened
     * @param reason {@code auth}, {@code command}, {@code key} or {@code channel}
     * @param context {@code toplevel} or {@code multi}
     * @param object what was not allowed
     * @param user the user's name
     * @param millis when it first happened, in milliseconds since 1970
     * @param client what is known of the client
     */
    public record Entry(
            long count, String reason, String context, String object, String user, long millis, String client) {

        private boolean isLike(Entry other) {
            return reason.equals(other.reason)
                    && context.equals(other.context)
                    && object.equals(other.object)
                    && user.equals(other.user)
                    && other.millis - millis <= SAME_MILLIS;
        }
    }

    private static final long SAME_MILLIS = 60_000;

    private final Deque<Entry> entries = new ArrayDeque<>();
    private int most;

    /** Sets how many entries are kept. */
    public synchronized void setMost(int count) {
        most = count;
        cut();
    }

    private void cut() {
        while (entries.size() > most) {
            entries.removeLast();
        }
    }

    /** Adds a refusal. */
    public synchronized void add(Entry entry) {
        long count = 1;
        for (Entry other : entries) {
            if (other.isLike(entry)) {
                count += other.count();
                entries.remove(other);
                break;
            }
        }
        entries.addFirst(new Entry(
                count, entry.reason(), entry.context(), entry.object(), entry.user(), entry.millis(), entry.client()));
        cut();
    }

    /** Returns the newest entries. */
    public synchronized List<Entry> newest(long count) {
        return new ArrayList<>(entries.stream().limit(count).toList());
    }

    /** Forgets all. */
    public synchronized void clear() {
        entries.clear();
    }
}
