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

    /** Sets who hears of changes from now on. */
    void listener(ChangeListener listener);

    /**
     * Returns the way to the keys for one event loop.
     *
     * @param turnEnd runs what the loop gives it in the loop's thread, once the loop has taken all that has come by then
     */
    LoopDatabase forLoop(Executor turnEnd);

    /** Returns what its parts tell of themselves, by their numbers; nothing where it has none. */
    default List<KeyspacePart> parts() {
        return List.of();
    }

    /** Returns how many clients wait for keys to change. */
    int waiting();

    /** Has changes from now on acknowledged after a sync, or at once. */
    void setAlways(boolean each);

    /** Sets how many entries go at once where a stream is trimmed about. */
    void setStreamNodeEntries(int count);

    /**
     * Sets how many bytes strings may take, 0 for no limit, and what is evicted beyond that.
     *
     * @throws UnsupportedOperationException if it has no such limit, and {@code mostBytes} is not 0
     */
    void limitMemory(long mostBytes, EvictionPolicy policy);

    /** Sets whether expired keys are looked for that nobody asks for. */
    void setActiveExpiry(boolean active);

    /** Sets what tells whether no key may be removed that no client removes: it has expired, or is to be evicted. */
    default void setStanding(BooleanSupplier stands) {}

    /**
     * Writes what it holds at one moment to a folder that does not exist yet.
     *
     * @throws UnsupportedOperationException if that is backed up in another way
     */
    void backup(Path to);

    /** Has all changes made durable soon, in another thread. */
    void syncSoon();

    /** Makes all changes durable, and closes the stores. No command runs any more. */
    @Override
    void close();
}
