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

/** A way to serve the files of an index, as the experiment compares them. Only this class knows how to open each. */
public enum SearchDirectory {
    /** Mapped files, loaded as they are read. */
    MMAP("MMapDirectory"),
    /** Mapped files, completely loaded at opening. */
    MMAP_PRELOADED("MMapDirectory, preloaded"),
    /** Mapped files whose pages are locked in memory. */
    MMAP_LOCKED("MMapDirectory, locked"),
    /** Copies of the files on the heap. */
    BYTEBUFFERS("ByteBuffersDirectory"),
    /** Larder's directory, outside the heap. */
    LARDER("LarderDirectory");

    private final String title;

    SearchDirectory(String title) {
        this.title = title;
    }

    /** Returns one by name, ignoring case. */
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
     * @param memoryBytes the memory besides the heap, if it is scarce; null if it is the machine's
     */
    Directory open(Path files, @Nullable Long memoryBytes) throws IOException {
        return switch (this) {
            case MMAP, MMAP_LOCKED -> new MMapDirectory(files);
            case MMAP_PRELOADED -> preloaded(files);
            case BYTEBUFFERS -> onHeap(files);
            case LARDER -> LarderDirectory.open(files, options(memoryBytes));
        };
    }

    /** If memory is short, the rest stays on the disk. */
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

    /** Waits until everything is loaded; most directories are ready when open. */
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
