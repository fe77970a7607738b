package dev.larder.lab.database;

import java.util.Locale;

/** The durability of inserted records, the same for every store. */
public enum Durability {
    /** A commit that has returned survives a power loss. */
    COMMIT("each commit is durable when it returns"),

    /** Commits return at once; after the last record, everything is made durable. */
    END("everything is made durable once, at the end");

    private final String meaning;

    Durability(String meaning) {
        this.meaning = meaning;
    }

    /** Returns the durability that a word of a configuration names. */
    static Durability named(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    /** Returns its meaning, for people. */
    String meaning() {
        return meaning;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
