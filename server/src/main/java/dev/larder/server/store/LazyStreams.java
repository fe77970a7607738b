package dev.larder.server.store;

import dev.larder.server.stream.StreamFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The streams of a store. Their maps are opened with the first stream, so a store with only strings does not pay for them. */
final class LazyStreams {

    private final Path directory;
    private final StoreOptions options;
    private final Predicate<Bytes> isString;
    private final Consumer<Bytes> expired;
    private final @Nullable Keeper keeper;
    private volatile @Nullable StreamNames names;
    private @Nullable Executor files;
    private @Nullable Executor flushes;
    private boolean journals;
    private volatile int nodeEntries = StreamFolder.NODE_ENTRIES;

    LazyStreams(
            Path directory,
            StoreOptions options,
            @Nullable Keeper keeper,
            Predicate<Bytes> isString,
            Consumer<Bytes> expired) {
        this.keeper = keeper;
        this.directory = directory;
        this.options = options;
        this.isString = isString;
        this.expired = expired;
    }

    /** Returns the names; null if there was never a stream. */
    @Nullable
    StreamNames ifOpen() {
        return names;
    }

    void openIfThere() {
        if (Files.isDirectory(directory) || (keeper != null && keeper.point().names() > 0)) {
            open();
        }
    }

    synchronized StreamNames open() {
        StreamNames opened = names;
        if (opened == null) {
            opened = StreamNames.open(directory, options, keeper, isString, expired);
            if (files != null && flushes != null) {
                opened.background(files, flushes);
            }
            journal(opened);
            names = opened;
        }
        return opened;
    }

    private void journal(StreamNames opened) {
        try {
            opened.folder().setJournals(journals);
        } catch (RuntimeException | Error e) {
            opened.close();
            throw e;
        }
    }

    int nodeEntries() {
        return nodeEntries;
    }

    void setNodeEntries(int count) {
        nodeEntries = count;
    }

    synchronized void setJournals(boolean now) {
        journals = now;
        StreamNames opened = names;
        if (opened != null) {
            opened.folder().setJournals(now);
        }
    }

    synchronized void background(Executor forFiles, Executor forFlushes) {
        files = forFiles;
        flushes = forFlushes;
        StreamNames opened = names;
        if (opened != null) {
            opened.background(forFiles, forFlushes);
        }
    }
}
