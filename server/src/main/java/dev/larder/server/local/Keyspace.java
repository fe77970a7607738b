package dev.larder.server.local;

import dev.larder.server.command.LoopDatabase;
import dev.larder.server.store.ChangeListener;
import dev.larder.server.store.EvictionPolicy;
import dev.larder.server.store.Store;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/** The keys that a server serves: those of a folder, or an array's stripes. Thread-safe. */
public interface Keyspace extends AutoCloseable {

    /** Returns the stores that are open. */
    List<Store> opened();

    /** Sets the listener for changes from now on. */
    void listener(ChangeListener listener);

    /**
     * Returns the way to the keys for one event loop.
     *
     * @param turnEnd runs tasks in the loop's thread, once the loop has taken all that has come by then
     */
    LoopDatabase forLoop(Executor turnEnd);

    /** Returns the figures of its parts, with their numbers; nothing if it has no parts. */
    default List<KeyspacePart> parts() {
        return List.of();
    }

    /** Returns how many clients wait for keys to change. */
    int waiting();

    /** Sets whether changes from now on are acknowledged after a sync, or at once. */
    void setAlways(boolean each);

    /** Sets how many entries approximate trimming of a stream removes at once. */
    void setStreamNodeEntries(int count);

    /**
     * Sets how many bytes strings may take, 0 for no limit, and what is evicted beyond that.
     *
     * @throws UnsupportedOperationException if it has no such limit, and {@code mostBytes} is not 0
     */
    void limitMemory(long mostBytes, EvictionPolicy policy);

    /** Sets whether the server scans for expired keys that no command requests. */
    void setActiveExpiry(boolean active);

    /** Sets the check whether removals without a client's command are suspended: those of expired keys, and evictions. */
    default void setStanding(BooleanSupplier stands) {}

    /**
     * Writes the contents at one moment to a folder that does not exist yet.
     *
     * @throws UnsupportedOperationException if the keyspace is backed up in another way
     */
    void backup(Path to);

    /** Makes all changes durable soon, in another thread. */
    void syncSoon();

    /** Makes all changes durable, and closes the stores. No command may run any more. */
    @Override
    void close();
}
