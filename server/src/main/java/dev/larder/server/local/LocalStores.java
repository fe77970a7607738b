package dev.larder.server.local;

import dev.larder.server.command.Databases;
import dev.larder.server.store.ChangeListener;
import dev.larder.server.store.Store;
import dev.larder.server.store.StoreOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The stores of a node, a folder for each database:
 *
 * <pre>
 * DIRECTORY/0/...     database 0
 * DIRECTORY/1/...     database 1, once it is used
 * </pre>
 */
public final class LocalStores implements Databases, AutoCloseable {

    private final Path directory;
    private final StoreOptions options;
    private final AtomicReferenceArray<@Nullable Store> stores;
    private volatile ChangeListener listener = (store, key, event) -> {};

    private LocalStores(Path directory, int count, StoreOptions options) {
        this.directory = directory;
        this.options = options;
        this.stores = new AtomicReferenceArray<>(count);
    }

    /** Opens the databases of a folder that have been used before, and the first. */
    public static LocalStores open(Path directory, int count, StoreOptions options) {
        LocalStores all = new LocalStores(directory, count, options);
        try {
            for (int i = 0; i < count; i++) {
                if (i == 0 || Files.isDirectory(all.folder(i))) {
                    all.store(i);
                }
            }
            return all;
        } catch (RuntimeException | Error e) {
            all.close();
            throw e;
        }
    }

    private Path folder(int index) {
        return directory.resolve(Integer.toString(index));
    }

    /** Sets who hears of events from now on, of all databases. */
    public void listener(ChangeListener other) {
        listener = other;
        opened().forEach(store -> store.listener(other));
    }

    /** Returns the databases that are open. */
    public List<Store> opened() {
        List<Store> open = new ArrayList<>();
        for (int i = 0; i < stores.length(); i++) {
            Store store = stores.get(i);
            if (store != null) {
                open.add(store);
            }
        }
        return open;
    }

    @Override
    public int count() {
        return stores.length();
    }

    @Override
    public Store store(int index) {
        Store store = stores.get(index);
        return store == null ? openStore(index) : store;
    }

    private synchronized Store openStore(int index) {
        Store store = stores.get(index);
        if (store == null) {
            store = Store.open(index, folder(index), options);
            store.listener(listener);
            stores.set(index, store);
        }
        return store;
    }

    @Override
    public synchronized void swap(int one, int other) {
        throw new UnsupportedOperationException("databases cannot be exchanged");
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
