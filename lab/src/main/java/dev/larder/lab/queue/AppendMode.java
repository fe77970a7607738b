package dev.larder.lab.queue;

import java.util.List;

/** How the messages of a burst are appended. */
public enum AppendMode {
    /** One call a message, each published at once. */
    SINGLE("single"),
    /** Through a batch, published a megabyte at a time. */
    BATCH("batch"),
    /** One run of each. */
    BOTH("both");

    private final String word;

    AppendMode(String word) {
        this.word = word;
    }

    /** Returns the modes of the runs that this asks for. */
    public List<AppendMode> runs() {
        return this == BOTH ? List.of(SINGLE, BATCH) : List.of(this);
    }

    @Override
    public String toString() {
        return word;
    }
}
