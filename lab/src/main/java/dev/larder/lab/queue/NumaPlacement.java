package dev.larder.lab.queue;

import dev.larder.memory.MemoryPlacement.Kind;
import java.util.Locale;

/** The memory node of the process under test, on a machine with several. */
public enum NumaPlacement {
    /** On all nodes in turn. */
    INTERLEAVE,

    /** On the node of the processor that touches it. */
    LOCAL;

    Kind kind() {
        return this == LOCAL ? Kind.LOCAL : Kind.INTERLEAVED;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
