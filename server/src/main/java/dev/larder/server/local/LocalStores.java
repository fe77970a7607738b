package dev.larder.server.local;

import dev.larder.log.layer.ClosingSteps;
import dev.larder.server.command.Databases;
import dev.larder.server.store.ChangeListener;
import dev.larder.server.store.EvictionPolicy;
import dev.larder.server.store.Store;
import dev.larder.server.store.StoreOptions;
import dev.larder.server.stream.StreamFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
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

    private static final int REST_SECONDS = 5;

    private final StoreOptions options;
    private final DatabaseFolders folders;

    /** Replaced as a whole, so that a command sees two databases either before an exchange or after. */
    private volatile @Nullable Store[] stores;

    /** Held while a database is opened. */
    private final Object opening = new Object();

    private volatile ChangeListener listener = (store, key, event) -> {};
    private volatile int streamNodeEntries = StreamFolder.NODE_ENTRIES;
    private volatile boolean streamJournals;
    private volatile EvictionPolicy policy = EvictionPolicy.NOEVICTION;
    private volatile boolean limited;
    private volatile ChangeListener waiters = (store, key, event) -> {};

    /** Deletes the files of removed streams. */
    private final ThreadPoolExecutor remover = thread("larder-remover");

    /** Syncs the queues whose entries are in journals, even while the other thread is blocked. */
    private final ThreadPoolExecutor flusher = thread("larder-flusher");

    private LocalStores(Path directory, int count, StoreOptions options) {
        this.options = options;
        this.folders = DatabaseFolders.open(directory);
        this.stores = new @Nullable Store[count];
    }

    private static ThreadPoolExecutor thread(String name) {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                1,
                1,
                REST_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().name(name).daemon().factory(),
                new ThreadPoolExecutor.DiscardPolicy());
        executor.allowCoreThreadTimeOut(true);
        return executor;
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

    /** Sets the listener for events of all databases from now on. */
    public void listener(ChangeListener other) {
        listener = other;
        opened().forEach(store -> store.listener(other));
    }

    /** Tells the listener that it may miss changes of keys from now on, because they are made elsewhere. */
    public void unheard() {
        listener.onUnheard();
    }

    /** Sets the listener that serves clients waiting for keys. It gets each event after the other listener. */
    void waiters(ChangeListener other) {
        waiters = other;
        opened().forEach(store -> store.waiters(other));
    }

    /** Sets how many entries approximate trimming of a stream removes at once, in all databases. */
    public void setStreamNodeEntries(int count) {
        streamNodeEntries = count;
        opened().forEach(store -> store.setStreamNodeEntries(count));
    }

    /**
     * Sets whether entries of streams are written to a journal as well, in all databases. This suits a server that syncs after
     * each change.
     */
    void setStreamJournals(boolean now) {
        synchronized (opening) {
            streamJournals = now;
            opened().forEach(store -> store.setStreamJournals(now));
        }
    }

    /** Sets the eviction policy, and whether there is a limit, in all databases. */
    void follow(EvictionPolicy next, boolean isLimited) {
        policy = next;
        limited = isLimited;
        opened().forEach(store -> store.memory().follow(next, isLimited));
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

    /** Returns whether a database is open, so that {@link #store} neither reads nor makes files. */
    boolean isOpen(int index) {
        return stores[index] != null;
    }

    @Override
    public Store store(int index) {
        Store store = stores[index];
        return store == null ? openStore(index) : store;
    }

    private Store openStore(int index) {
        synchronized (opening) {
            Store store = stores[index];
            if (store == null) {
                store = Store.open(index, folders.of(index), options);
                store.listener(listener);
                store.waiters(waiters);
                store.setStreamNodeEntries(streamNodeEntries);
                store.setStreamJournals(streamJournals);
                store.memory().follow(policy, limited);
                store.background(remover, flusher);
                Store opened = store;
                replace(more -> more[index] = opened);
            }
            return store;
        }
    }

    /** Replaces stores by others; no thread waits for a file meanwhile. */
    private synchronized void replace(Consumer<@Nullable Store[]> change) {
        @Nullable Store[] others = stores.clone();
        change.accept(others);
        stores = others;
    }

    /** Returns which folder holds which database. */
    DatabaseFolders folders() {
        return folders;
    }

    @Override
    public void swap(int one, int other) {
        Store first = store(one);
        Store second = store(other);
        if (one != other) {
            folders.swap(one, other);
            first.moveTo(other);
            second.moveTo(one);
            replace(exchanged -> {
                exchanged[one] = second;
                exchanged[other] = first;
            });
            remover.execute(folders::sync);
            waiters.onClear(first); // a client that waits for a key of either finds another key there now
            waiters.onClear(second);
        }
    }

    @Override
    public void clearAll() {
        opened().forEach(Store::clear);
    }

    /** While it is open, no file of a removed or trimmed stream is deleted. */
    static final class Hold implements AutoCloseable {

        private static final long PAUSE_MILLIS = 100;

        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch end = new CountDownLatch(1);

        private void run() {
            begun.countDown();
            awaitQuietly(end);
        }

        /** Waits until the thread has come here. Gives up if it never will, because the stores are closed. */
        private void awaitBegin(BooleanSupplier closed) {
            boolean interrupted = false;
            boolean waits = true;
            while (waits) {
                try {
                    boolean ended = closed.getAsBoolean(); // before the last look
                    waits = !begun.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS) && !ended;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            if (begun.getCount() > 0) {
                close();
                throw new IllegalStateException("the server stops");
            }
        }

        private static void awaitQuietly(CountDownLatch latch) {
            boolean interrupted = false;
            while (true) {
                try {
                    latch.await();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            end.countDown();
        }
    }

    /** Blocks the thread that deletes files, once that thread has done its earlier tasks. */
    Hold holdFiles() {
        Hold hold = new Hold();
        remover.execute(hold::run);
        hold.awaitBegin(remover::isShutdown);
        return hold;
    }

    /** Waits until the files that were released before the call are deleted. */
    public void awaitDeletions() {
        try (Hold _ = holdFiles()) {
            assert stores.length > 0; // the thread that deletes has come here, behind its earlier tasks
        }
    }

    /** Makes all changes durable. */
    public void sync() {
        folders.sync();
        opened().forEach(Store::sync);
    }

    /** Closes each store, even if others fail; the first error is thrown at the end. */
    @Override
    public void close() {
        ClosingSteps closing = new ClosingSteps();
        remover.getQueue().clear(); // the next start removes what has no name
        flusher.getQueue().clear(); // the close of the stores does it
        closing.take("remover", remover::close);
        closing.take("flusher", flusher::close);
        closing.take("folders", folders::sync);
        opened().forEach(store -> closing.take("store", store::close));
        closing.end();
    }
}
