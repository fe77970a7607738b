package dev.larder.server.access;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The log of refusals, the newest first. The same refusal within a minute increases a count. Thread-safe.
 *
 * <p>Clients choose the texts, and those without rights do so as well. So each text is cut, and the log has a greatest size.
 * Redis 7.0 keeps the whole texts.
 */
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

        private Entry shortened() {
            return new Entry(
                    count,
                    reason,
                    context,
                    cut(object, TEXT_MAX),
                    cut(user, TEXT_MAX),
                    millis,
                    cut(client, CLIENT_MAX));
        }

        private Entry times(long total) {
            return new Entry(total, reason, context, object, user, millis, client);
        }
    }

    private static final long SAME_MILLIS = 60_000;

    /** How many characters of an object, or of a user's name, are kept: as many as the slow log keeps of an argument. */
    private static final int TEXT_MAX = 128;

    /** How many characters are kept of what is known of a client: its names are part of it. */
    private static final int CLIENT_MAX = 1024;

    private final Deque<Entry> entries = new ArrayDeque<>();
    private int most;

    /** Returns a text of at most a number of characters, and how many more there were. */
    private static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = Character.isSurrogatePair(text.charAt(most - 1), text.charAt(most)) ? most - 1 : most;
        return text.substring(0, end) + "... (" + (text.length() - end) + " more characters)";
    }

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
    public synchronized void add(Entry refusal) {
        Entry entry = refusal.shortened();
        long count = 1;
        for (Entry other : entries) {
            if (other.isLike(entry)) {
                count += other.count();
                entries.remove(other);
                break;
            }
        }
        entries.addFirst(entry.times(count));
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
