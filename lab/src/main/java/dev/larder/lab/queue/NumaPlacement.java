package dev.larder.lab.queue;

import dev.larder.memory.MemoryPlacement.Kind;
import java.util.Locale;

/** Where the memory of the process under test lies, on a machine of several memory nodes. */
public enum NumaPlacement {
    /** On all nodes in turn. */
    INTERLEAVE,

    /** On the node of the processor that brings it in. */
    LOCAL;

    Kind kind() {
        return this == LOCAL ? Kind.LOCAL : Kind.INTERLEAVED;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
