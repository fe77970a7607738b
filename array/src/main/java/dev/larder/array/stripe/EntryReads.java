package dev.larder.array.stripe;

import dev.larder.array.entry.EntryCall;
import dev.larder.array.entry.EntryRead;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads that the leader runs as it applies its own entry, each after an operation and before the next one. They are in no log:
 * other members do not know them.
 *
 * <pre>
 * a client sends     SET a | GET a | GET b | SET a | GET a
 * the log has        SET a                 | SET a
 * the leader runs    SET a | GET a | GET b | SET a | GET a
 * </pre>
 */
public final class EntryReads {

    /** The reads of an entry that has none. */
    public static final EntryReads NONE = new EntryReads(List.of());

    private final List<List<EntryRead>> behind;

    /**
     * Creates the reads of an entry.
     *
     * @param behind for each operation, the reads behind it
     */
    public EntryReads(List<List<EntryRead>> behind) {
        this.behind = List.copyOf(behind);
    }

    /**
     * Runs the reads after an operation, up to the first whose reply finds no room. The rest are not done, and their clients run
     * them in their turn.
     *
     * @param reader returns the reply, or null if it finds no room
     */
    public void run(int operation, Function<EntryCall, byte @Nullable []> reader) {
        if (operation < behind.size()) {
            for (EntryRead read : behind.get(operation)) {
                read.run(reader);
                if (!read.isDone()) {
                    return;
                }
            }
        }
    }
}
