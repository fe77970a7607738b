package dev.larder.server.local;

import dev.larder.server.command.Database;
import dev.larder.server.command.LoopDatabase;
import dev.larder.server.store.ChangeListener;
import dev.larder.server.store.EvictionPolicy;
import dev.larder.server.store.Store;
import dev.larder.server.store.StoreOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/** The keys of a folder. */
public final class LocalKeyspace implements Keyspace {

    private final LocalStores stores;
    private final LocalDatabase.Shared shared;

    /**
     * Opens the databases of a folder.
     *
     * @param count how many databases there are
     * @param always whether each change is acknowledged after a sync
     */
    public LocalKeyspace(Path directory, int count, StoreOptions options, boolean always) {
        this.stores = LocalStores.open(directory, count, options);
        this.shared = new LocalDatabase.Shared(stores, always);
    }

    /** Returns the stores. */
    public LocalStores stores() {
        return stores;
    }

    /** Returns a way to the keys that waits for the disk when it must. */
    public LocalDatabase patient() {
        return new LocalDatabase(shared);
    }

    @Override
    public List<Store> opened() {
        return stores.opened();
    }

    @Override
    public void listener(ChangeListener listener) {
        stores.listener(listener);
    }

    @Override
    public LoopDatabase forLoop(Executor turnEnd) {
        Database database = shared.forLoop();
        return (position, encrypted) -> database;
    }

    @Override
    public int waiting() {
        return shared.waiting();
    }

    @Override
    public void setAlways(boolean each) {
        shared.setAlways(each);
    }

    @Override
    public void setStreamNodeEntries(int count) {
        stores.setStreamNodeEntries(count);
    }

    @Override
    public void limitMemory(long mostBytes, EvictionPolicy policy) {
        shared.limitMemory(mostBytes, policy);
    }

    @Override
    public void setActiveExpiry(boolean active) {
        shared.setActiveExpiry(active);
    }

    @Override
    public void setStanding(BooleanSupplier stands) {
        shared.setStanding(stands);
    }

    @Override
    public void backup(Path to) {
        shared.backup(to);
    }

    @Override
    public void syncSoon() {
        shared.syncSoon();
    }

    @Override
    public void close() {
        try (stores) {
            shared.close();
            stores.sync();
        }
    }
}
