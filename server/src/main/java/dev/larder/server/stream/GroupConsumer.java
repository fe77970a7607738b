package dev.larder.server.stream;

import java.util.NavigableMap;
import java.util.TreeMap;

/** A consumer of a group, and the entries that it has received and not acknowledged. */
public final class GroupConsumer {

    private final int number;
    private final String name;
    private final TreeMap<StreamId, Pending> pending = new TreeMap<>();
    private long seenMillis;

    GroupConsumer(int number, String name, long seenMillis) {
        this.number = number;
        this.name = name;
        this.seenMillis = seenMillis;
    }

    int number() {
        return number;
    }

    /** Returns its name, with a character for each byte. */
    public String name() {
        return name;
    }

    /** Returns the entries that it has received and not acknowledged. The caller must not change them. */
    public NavigableMap<StreamId, Pending> pending() {
        return pending;
    }

    /** Returns when it was last seen, in milliseconds since 1970. */
    public long seenMillis() {
        return seenMillis;
    }

    void setSeen(long millis) {
        seenMillis = millis;
    }
}
