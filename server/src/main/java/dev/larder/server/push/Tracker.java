package dev.larder.server.push;

import dev.larder.server.store.Bytes;
import java.util.List;

/**
 * How a client keeps copies of keys. It tracks until {@link Tracking#end}.
 *
 * <pre>
 * default      the keys that it reads
 * OPTIN        the keys of a command behind CLIENT CACHING YES
 * OPTOUT       the keys that it reads, but for those of a command behind CLIENT CACHING NO
 * BCAST        all keys with one of its prefixes, read or not
 * </pre>
 */
public final class Tracker {

    /** Which keys of a client are tracked. */
    public enum Mode {
        DEFAULT,
        OPTIN,
        OPTOUT,
        BROADCAST
    }

    private final long client;
    private final Receiver receiver;
    private final Mode mode;
    private final long redirect;
    private final boolean withoutOwn;
    private final List<Bytes> prefixes;
    private volatile boolean broken;
    private volatile boolean ended;

    /**
     * A tracker.
     *
     * @param client the number of the client
     * @param receiver where its messages go
     * @param redirect the number of another client to which they go instead; 0 for none
     * @param withoutOwn whether it is not told of its own changes
     * @param prefixes the prefixes of keys, if all with these are tracked; the empty one is of all
     */
    public Tracker(long client, Receiver receiver, Mode mode, long redirect, boolean withoutOwn, List<Bytes> prefixes) {
        this.client = client;
        this.receiver = receiver;
        this.mode = mode;
        this.redirect = redirect;
        this.withoutOwn = withoutOwn;
        this.prefixes = List.copyOf(prefixes);
    }

    long client() {
        return client;
    }

    Receiver receiver() {
        return receiver;
    }

    /** Returns which keys are tracked. */
    public Mode mode() {
        return mode;
    }

    /** Returns the number of the client that gets the messages; 0 for the client itself. */
    public long redirect() {
        return redirect;
    }

    /** Returns whether the client is not told of its own changes. */
    public boolean withoutOwn() {
        return withoutOwn;
    }

    /** Returns the prefixes of the keys that are tracked, in the mode {@link Mode#BROADCAST}. */
    public List<Bytes> prefixes() {
        return prefixes;
    }

    /** Returns whether the client is gone that got the messages. */
    public boolean isBroken() {
        return broken;
    }

    void setBroken() {
        broken = true;
    }

    boolean isEnded() {
        return ended;
    }

    void end() {
        ended = true;
    }

    boolean covers(Bytes key) {
        for (Bytes prefix : prefixes) {
            if (begins(key, prefix)) {
                return true;
            }
        }
        return false;
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
