package dev.larder.server.push;

import dev.larder.server.store.Bytes;
import java.util.List;

/** A client that keeps copies of keys, from its first {@link Tracking#begin} until {@link Tracking#end}. Thread-safe. */
public final class Tracker {

    /**
     * Which keys of a client are tracked.
     *
     * <pre>
     * DEFAULT      the keys that it reads
     * OPTIN        the keys of a command behind CLIENT CACHING YES
     * OPTOUT       the keys that it reads, but for those of a command behind CLIENT CACHING NO
     * BROADCAST    all keys with one of its prefixes, read or not
     * </pre>
     */
    public enum Mode {
        DEFAULT,
        OPTIN,
        OPTOUT,
        BROADCAST
    }

    /**
     * What is tracked, and which client gets the messages.
     *
     * @param mode which keys are tracked
     * @param redirect the number of another client to which the messages go; 0 for none
     * @param withoutOwn whether the client gets no messages about its own changes
     * @param prefixes the prefixes of the keys in the mode {@link Mode#BROADCAST}; the empty one matches all
     */
    public record Settings(Mode mode, long redirect, boolean withoutOwn, List<Bytes> prefixes) {

        /** Settings. */
        public Settings {
            prefixes = List.copyOf(prefixes);
        }
    }

    /** About how many bytes a prefix takes besides its own, here and in the table of all clients. */
    private static final int PREFIX_BYTES = 250;

    private static final Receiver NOBODY = push -> {};
    private static final Settings NONE = new Settings(Mode.DEFAULT, 0, false, List.of());

    private final long client;
    private volatile Receiver receiver;
    private volatile Settings settings = NONE;
    private volatile long prefixBytes;
    private volatile boolean broken;
    private volatile boolean ended;

    /** Creates a tracker of the client with a number, whose messages go to a receiver. */
    public Tracker(long client, Receiver receiver) {
        this.client = client;
        this.receiver = receiver;
    }

    long client() {
        return client;
    }

    Receiver receiver() {
        return receiver;
    }

    /** Returns what is tracked, and which client gets the messages. */
    public Settings settings() {
        return settings;
    }

    void begin(Settings next) {
        settings = next;
        prefixBytes = next.prefixes().stream()
                .mapToLong(prefix -> PREFIX_BYTES + prefix.length())
                .sum();
        broken = false;
    }

    /** Returns about how many bytes the prefixes take. */
    public long prefixBytes() {
        return prefixBytes;
    }

    /** Returns whether the client that got the messages is gone. */
    public boolean isBroken() {
        return broken;
    }

    void setBroken() {
        broken = true;
    }

    boolean isEnded() {
        return ended;
    }

    /** Ends the tracking, and forgets the session: keys that never change keep this object. */
    void end() {
        ended = true;
        receiver = NOBODY;
    }

    /** Returns whether a key begins with a prefix. */
    public static boolean begins(Bytes key, Bytes prefix) {
        if (prefix.length() > key.length()) {
            return false;
        }
        for (int i = 0; i < prefix.length(); i++) {
            if (key.at(i) != prefix.at(i)) {
                return false;
            }
        }
        return true;
    }
}
