package dev.larder.lucene;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.store.AlreadyClosedException;
import org.jspecify.annotations.Nullable;

/**
 * Loads existing files of the folder into memory: small files at once, others in its own threads.
 *
 * <pre>
 *   opened   opened  opened ...        first query          quiet for half a second: loading begins
 * -----|-------|-------|-----------------|----------------------|====================================
 * </pre>
 *
 * <p>With {@link Loading#LAZY} the first readers have disk and processors to themselves: their reads through mappings took
 * twice as long beside the loading. A call that waits for the loading starts it.
 */
final class Loader {

    private static final long AT_ONCE_BYTES = 256L << 10; // no slower than a mapping, and saves one
    private static final long QUIET_NANOS = 500_000_000;

    private final Folder folder;
    private final FileMemory memory;
    private final DirectoryOptions options;
    private final Counters counters;
    private final Background background;
    private final AtomicLong loadedBytes = new AtomicLong();
    private final AtomicLong totalBytes = new AtomicLong();
    private final Set<Thread> telling = ConcurrentHashMap.newKeySet(); // threads in which the listener runs
    private final List<FileLoad> waiting = new ArrayList<>(); // this and below guarded by this
    private long quietUntilNanos;
    private boolean isStarting;
    private boolean isClosed;
    private int hurrying;
    private int running;
    private @Nullable IOException failure;

    Loader(Folder folder, FileMemory memory, DirectoryOptions options, Counters counters) {
        this.folder = folder;
        this.memory = memory;
        this.options = options;
        this.counters = counters;
        this.background = new Background("load", options.loadThreads());
    }

    /** Loads a file or starts its loading, if that is wanted and not yet done, and there is room. */
    void load(IndexFile file) throws IOException {
        if (!options.loads(file.name()) || !file.tryStartLoading()) {
            return;
        }
        Block block = take(file);
        if (block == null) {
            return;
        }
        FileLoad load = new FileLoad(file, folder, block);
        if (load.lengthBytes() <= AT_ONCE_BYTES) {
            loadHere(load);
        } else {
            start(load);
        }
    }

    private @Nullable Block take(IndexFile file) throws IOException {
        Block block = null;
        try {
            block = memory.take(file);
            return block;
        } finally {
            if (block == null) {
                file.loadingFailed();
            }
        }
    }

    private void loadHere(FileLoad load) throws IOException {
        totalBytes.addAndGet(load.lengthBytes());
        long start = System.nanoTime();
        try {
            publishAfter(load, () -> {
                load.readHere();
                report(load.lengthBytes(), start);
            });
        } catch (ListenerException e) { // the file is sound, and is read from the disk
            keep(load.file(), new IOException(load.file().name() + ": cannot load", e));
        } catch (IOException e) {
            if (isStillThere(load.file())) {
                throw e;
            }
        }
    }

    /**
     * Returns whether the name still belongs to the file. If not, the disk is fine: the next call that opens the file finds
     * out.
     */
    private boolean isStillThere(IndexFile file) {
        try {
            return file.isStillIn(folder);
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private void start(FileLoad load) {
        totalBytes.addAndGet(load.lengthBytes());
        if (!tryEnqueue(load)) {
            giveUp(load);
            throw new AlreadyClosedException(load.file().name() + ": cannot load: the directory is closed");
        }
        if (tryBegin()) {
            begin();
        }
    }

    private synchronized boolean tryEnqueue(FileLoad load) {
        if (!isClosed) {
            running++;
            waiting.add(load);
            quietUntilNanos = System.nanoTime() + (options.loading() == Loading.LAZY ? QUIET_NANOS : 0);
        }
        return !isClosed;
    }

    private synchronized boolean tryBegin() {
        boolean isFirst = !isStarting;
        isStarting = true;
        return isFirst;
    }

    /**
     * Starts the loading. If no thread can be started, the files stay on the disk, and the next opening of one of them tries
     * again.
     */
    private void begin() {
        try {
            background.execute(() -> awaitQuiet().forEach(this::read));
        } catch (RuntimeException | Error e) {
            takeWaiting().forEach(load -> {
                giveUp(load);
                ended(
                        load.file(),
                        new IOException(load.file().name() + ": no thread to load it: " + e.getMessage(), e));
            });
        }
    }

    /** Waits until no file was opened for some time, or a thread waits for the loading. */
    private synchronized List<FileLoad> awaitQuiet() {
        try {
            for (long left = untilQuiet(); left > 0; left = untilQuiet()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // then at once
        }
        return takeWaiting();
    }

    private synchronized List<FileLoad> takeWaiting() {
        isStarting = false;
        List<FileLoad> taken = List.copyOf(waiting);
        waiting.clear();
        return taken;
    }

    private long untilQuiet() {
        return hurrying > 0 ? 0 : quietUntilNanos - System.nanoTime();
    }

    private void read(FileLoad load) {
        AtomicLong since = new AtomicLong(System.nanoTime());
        load.readBy(background, bytes -> report(bytes, since.getAndSet(System.nanoTime())), () -> end(load));
    }

    private void report(long bytes, long startNanos) {
        counters.loadedBytes.add(bytes);
        counters.loadNanos.add(System.nanoTime() - startNanos);
        Thread self = Thread.currentThread();
        boolean isOutermost = telling.add(self); // a listener may open a small file, which calls it again within
        try {
            options.progress().loaded(loadedBytes.addAndGet(bytes), totalBytes.get());
        } catch (RuntimeException | Error e) {
            throw new ListenerException(e);
        } finally {
            if (isOutermost) {
                telling.remove(self);
            }
        }
    }

    /** A failure of the listener, which says nothing about the file. */
    private static final class ListenerException extends RuntimeException {

        private static final long serialVersionUID = 1;

        ListenerException(Throwable cause) {
            super("the listener of loads failed: " + cause.getMessage(), cause);
        }
    }

    /**
     * Throws if the listener itself would wait for the loading that calls it.
     *
     * @param what the operation to refuse, for the error text
     */
    void requireOutsideOfListener(String what) {
        if (telling.contains(Thread.currentThread())) {
            throw new IllegalStateException(folder.path() + ": a listener of loads cannot " + what
                    + ": loading continues when the listener returns");
        }
    }

    Background background() {
        return background;
    }

    private void end(FileLoad load) {
        IOException failed = null;
        try {
            publishAfter(load, load::throwFailure);
        } catch (IOException e) {
            failed = e;
        } catch (RuntimeException e) {
            failed = new IOException(load.file().name() + ": cannot load", e);
        } finally {
            ended(load.file(), failed);
        }
    }

    /** A step that a file's memory needs before other threads see it. */
    @FunctionalInterface
    private interface Preparation {
        void run() throws IOException;
    }

    /** Ensures that the memory ends up with the file or is given back, whatever fails; the user's listener may throw. */
    private void publishAfter(FileLoad load, Preparation preparation) throws IOException {
        boolean isPublished = false;
        try {
            preparation.run();
            publish(load);
            isPublished = true;
        } finally {
            if (!isPublished) {
                giveUp(load);
            }
        }
    }

    private void publish(FileLoad load) throws IOException {
        if (!load.file().isStillIn(folder)) {
            throw new NoSuchFileException(
                    folder.path(load.file().name()).toString(), null, "another file has its name");
        }
        memory.lock(load.file(), load.block());
        load.file().loaded(load.block());
        counters.loads.increment();
    }

    private static void giveUp(FileLoad load) {
        load.file().loadingFailed();
        load.block().release();
    }

    private void ended(IndexFile file, @Nullable IOException failed) {
        try {
            if (failed != null) {
                keep(file, failed);
            }
        } finally {
            ended(); // whatever a logger throws
        }
    }

    private synchronized void ended() {
        running--;
        notifyAll();
    }

    /** Keeps a failure for the next thread that waits for the loading, unless the file is gone. */
    private void keep(IndexFile file, IOException failed) {
        if (!file.isDeleted() && isStillThere(file)) {
            keep(failed);
            System.getLogger("dev.larder.lucene")
                    .log(Level.WARNING, file.name() + ": cannot load the file; reads use the disk", failed);
        }
    }

    private synchronized void keep(IOException failed) {
        failure = failure == null ? failed : failure;
    }

    /**
     * Waits until no file is being loaded. Throws the errors since the last call.
     *
     * @throws IllegalStateException if the listener of the loading calls this
     */
    synchronized void await() throws IOException, InterruptedException {
        requireOutsideOfListener("wait for it");
        hurry();
        try {
            while (running > 0) {
                wait();
            }
        } finally {
            hurrying--;
        }
        IOException failed = failure;
        failure = null;
        if (failed != null) {
            throw new IOException("not all files were loaded: " + failed.getMessage(), failed);
        }
    }

    private synchronized void hurry() {
        hurrying++;
        notifyAll();
    }

    /** Closes the loader after the last load. Files that were deleted meanwhile are no longer read. */
    void close() {
        awaitEnd(); // starting the waiting loads needs threads
        background.finish();
    }

    private synchronized void awaitEnd() {
        isClosed = true;
        hurry();
        boolean interrupted = false;
        while (running > 0) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
