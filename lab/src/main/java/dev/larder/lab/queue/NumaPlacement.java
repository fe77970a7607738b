package dev.larder.lab.queue;

import dev.larder.memory.MemoryPlacement.Kind;

/** Where the memory of the process under test lies, on a machine of several memory nodes. */
public enum NumaPlacement {
    /** On all nodes in turn. */
    INTERLEAVE("interleave", Kind.INTERLEAVED),
    /** On the node of the processor that brings it in. */
    LOCAL("local", Kind.LOCAL);

    private final String word;
    private final Kind kind;

    NumaPlacement(String word, Kind kind) {
        this.word = word;
        this.kind = kind;
    }

    Kind kind() {
        return kind;
    }

    @Override
    public String toString() {
        return word;
    }
}
