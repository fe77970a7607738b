package dev.larder.server.local;

import dev.larder.server.command.Databases;
import dev.larder.server.store.ChangeListener;
import dev.larder.server.store.Store;
import dev.larder.server.store.StoreOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stores of a node, a folder for each database:
 *
 * <pre>
 * DIRECTORY/0/...     database 0
 * DIRECTORY/1/...     database 1, once it is used
 * DIRECTORY/databases which folder holds which, once two were exchanged
 * </pre>
 */
public final class LocalStores implements Databases, AutoCloseable {

    private final StoreOptions options;
    private final DatabaseFolders folders;

    /** Replaced as a whole, so that a command sees two databases either before an exchange or after. */
    private volatile @Nullable Store[] stores;

    private volatile ChangeListener listener = (store, key, event) -> {};

    private LocalStores(Path directory, int count, StoreOptions options) {
        this.options = options;
        this.folders = DatabaseFolders.open(directory);
        this.stores = new @Nullable Store[count];
    }

    /** Opens the databases of a folder that have been used before, and the first. */
    public static LocalStores open(Path directory, int count, StoreOptions options) {
        LocalStores all = new LocalStores(directory, count, options);
        try {
            for (int i = 0; i < count; i++) {
                if (i == 0 || Files.isDirectory(all.folders.of(i))) {
                    all.store(i);
                }
            }
            return all;
        } catch (RuntimeException | Error e) {
            all.close();
            throw e;
        }
    }

    /** Sets who hears of events from now on, of all databases. */
    public void listener(ChangeListener other) {
        listener = other;
        opened().forEach(store -> store.listener(other));
    }

    /** Returns the databases that are open. */
    public List<Store> opened() {
        List<Store> open = new ArrayList<>();
        for (Store store : stores) {
            if (store != null) {
                open.add(store);
            }
        }
        return open;
    }

    @Override
    public int count() {
        return stores.length;
    }

    @Override
    public Store store(int index) {
        Store store = stores[index];
        return store == null ? openStore(index) : store;
    }

    private synchronized Store openStore(int index) {
        Store store = stores[index];
        if (store == null) {
            store = Store.open(index, folders.of(index), options);
            store.listener(listener);
            @Nullable Store[] more = stores.clone();
            more[index] = store;
            stores = more;
        }
        return store;
    }

    @Override
    public synchronized void swap(int one, int other) {
        Store first = store(one);
        Store second = store(other);
        if (one != other) {
            folders.swap(one, other);
            first.moveTo(other);
            second.moveTo(one);
            @Nullable Store[] exchanged = stores.clone();
            exchanged[one] = second;
            exchanged[other] = first;
            stores = exchanged;
        }
    }

    @Override
    public void clearAll() {
        opened().forEach(Store::clear);
    }

    /** Makes all changes durable. */
    public void sync() {
        opened().forEach(Store::sync);
    }

    @Override
    public void close() {
        RuntimeException failure = null;
        for (Store store : opened()) {
            try {
                store.close();
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
