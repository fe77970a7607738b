package dev.larder.server.push;

import dev.larder.server.store.Bytes;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The command that a thread runs, as {@link Tracking} needs it: its client, and the changes that are sent at its end. Used by
 * one thread.
 */
public final class Turn {

    static final long NOBODY = 0;

    private final Map<Bytes, Set<Bytes>> changed = new LinkedHashMap<>();
    private long client = NOBODY;
    private boolean cleared;

    Turn() {}

    /** Begins a command of a client; {@link Tracking#finish} ends it. */
    public void begin(long number) {
        client = number;
    }

    boolean isOpen() {
        return client != NOBODY;
    }

    long client() {
        return client;
    }

    void add(Bytes prefix, Bytes key) {
        changed.computeIfAbsent(prefix, any -> new LinkedHashSet<>()).add(key.copy());
    }

    void clear() {
        cleared = true;
    }

    boolean isCleared() {
        return cleared;
    }

    Map<Bytes, Set<Bytes>> changed() {
        return changed;
    }

    void end() {
        client = NOBODY;
        if (cleared || !changed.isEmpty()) {
            cleared = false;
            changed.clear();
        }
    }
}
