package dev.larder.lab.queue;

import java.util.List;
import java.util.Locale;

/** The way to append the messages of a burst. */
public enum AppendMode {
    /** One call per message, each published at once. */
    SINGLE,

    /** Through a batch, published a megabyte at a time. */
    BATCH,

    /** One run of each. */
    BOTH;

    /** Returns the modes of the runs. */
    public List<AppendMode> runs() {
        return this == BOTH ? List.of(SINGLE, BATCH) : List.of(this);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
