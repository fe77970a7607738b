package dev.larder.lab.database;

import java.util.Locale;

/** What a store promises while records are inserted. The same is asked of every store. */
public enum Durability {
    /** What a commit has returned survives the loss of power. */
    COMMIT("each commit is durable when it returns"),

    /** Commits return at once; when the last record is in, everything is made durable. */
    END("everything is made durable once, at the end");

    private final String meaning;

    Durability(String meaning) {
        this.meaning = meaning;
    }

    /** Returns the durability that a word names, as it stands in a configuration. */
    static Durability named(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    /** Returns what it means, for people. */
    String meaning() {
        return meaning;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
