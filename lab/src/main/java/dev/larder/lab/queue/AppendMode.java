package dev.larder.lab.queue;

import java.util.List;
import java.util.Locale;

/** How the messages of a burst are appended. */
public enum AppendMode {
    /** One call a message, each published at once. */
    SINGLE,

    /** Through a batch, published a megabyte at a time. */
    BATCH,

    /** One run of each. */
    BOTH;

    /** Returns the modes of the runs that this asks for. */
    public List<AppendMode> runs() {
        return this == BOTH ? List.of(SINGLE, BATCH) : List.of(this);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
