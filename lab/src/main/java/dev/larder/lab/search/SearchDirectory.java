package dev.larder.lab.search;

import dev.larder.lucene.DirectoryOptions;
import dev.larder.lucene.LarderDirectory;
import dev.larder.lucene.MemoryBudget;
import dev.larder.lucene.WhenFull;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;
import org.jspecify.annotations.Nullable;

/** A way to serve the files of an index: what the experiment compares. The one place that knows how each is opened. */
public enum SearchDirectory {
    /** Mapped files, brought in as they are read. */
    MMAP("MMapDirectory"),
    /** Mapped files, all of them brought in when they are opened. */
    MMAP_PRELOADED("MMapDirectory, preloaded"),
    /** Mapped files whose pages are locked in memory. */
    MMAP_LOCKED("MMapDirectory, locked"),
    /** Copies of the files on the heap. */
    BYTEBUFFERS("ByteBuffersDirectory"),
    /** Larder's, in memory outside the heap. */
    LARDER("LarderDirectory");

    private final String title;

    SearchDirectory(String title) {
        this.title = title;
    }

    /** Returns the one of a name, in any case. */
    public static SearchDirectory named(String name) {
        return Stream.of(values())
                .filter(directory -> directory.toString().equalsIgnoreCase(name.strip()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no subject '" + name + "'; there are: " + names()));
    }

    static List<String> names() {
        return Stream.of(values()).map(SearchDirectory::toString).toList();
    }

    String title() {
        return title;
    }

    boolean onHeap() {
        return this == BYTEBUFFERS;
    }

    /** Returns whether it takes memory of its own, neither heap nor page cache. */
    boolean takesMemory() {
        return this == LARDER;
    }

    boolean locked() {
        return this == MMAP_LOCKED;
    }

    /**
     * Opens the files of a directory.
     *
     * @param memoryBytes what there is beside the heap, where that is little; null where it is the machine's
     */
    Directory open(Path files, @Nullable Long memoryBytes) throws IOException {
        return switch (this) {
            case MMAP, MMAP_LOCKED -> new MMapDirectory(files);
            case MMAP_PRELOADED -> preloaded(files);
            case BYTEBUFFERS -> onHeap(files);
            case LARDER -> LarderDirectory.open(files, options(memoryBytes));
        };
    }

    /** Where memory is short, what does not fit stays on the disk. */
    private static DirectoryOptions options(@Nullable Long memoryBytes) {
        return memoryBytes == null
                ? DirectoryOptions.defaults()
                : DirectoryOptions.defaults()
                        .withBudget(MemoryBudget.of(memoryBytes))
                        .withWhenFull(WhenFull.LEAVE_ON_DISK);
    }

    private static Directory preloaded(Path files) throws IOException {
        MMapDirectory directory = new MMapDirectory(files);
        directory.setPreload(MMapDirectory.ALL_FILES);
        return directory;
    }

    private static Directory onHeap(Path files) throws IOException {
        Directory heap = new ByteBuffersDirectory();
        try (Directory disk = new NIOFSDirectory(files)) {
            for (String file : disk.listAll()) {
                heap.copyFrom(disk, file, file, IOContext.READONCE);
            }
        }
        return heap;
    }

    /** Waits until everything is where it is to be; for most it is when they are open. */
    static void awaitLoaded(Directory directory) throws IOException {
        if (directory instanceof LarderDirectory larder) {
            larder.awaitLoaded();
        }
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
