package dev.larder.lucene;

import java.util.Objects;
import java.util.Set;

/**
 * How a {@link LarderDirectory} uses memory and its folder. Immutable; each {@code with} returns a changed copy.
 *
 * @param budget how much memory the files may take; directories that are given the same object share it
 * @param whenFull what the directory does with a file for which there is no room
 * @param loading when the files that are already in the folder are loaded into memory
 * @param extensions the files to load into memory, by the part of their name after its last dot ({@code "tim"}); empty for all.
 *     New files are in memory whatever their name
 * @param loadThreads how many threads load, 1 to 64
 * @param progress the listener of the loading
 * @param pageLocking whether the memory is locked
 * @param readOnly whether every call that would change the directory is refused
 */
public record DirectoryOptions(
        MemoryBudget budget,
        WhenFull whenFull,
        Loading loading,
        Set<String> extensions,
        int loadThreads,
        LoadProgress progress,
        PageLocking pageLocking,
        boolean readOnly) {

    /** The most threads that load. */
    public static final int MOST_LOAD_THREADS = 64;

    /** Checks the ranges. */
    public DirectoryOptions {
        Objects.requireNonNull(budget, "budget");
        Objects.requireNonNull(whenFull, "whenFull");
        Objects.requireNonNull(loading, "loading");
        Objects.requireNonNull(progress, "progress");
        Objects.requireNonNull(pageLocking, "pageLocking");
        extensions = Set.copyOf(Objects.requireNonNull(extensions, "extensions"));
        if (loadThreads < 1 || loadThreads > MOST_LOAD_THREADS) {
            throw new IllegalArgumentException("loadThreads " + loadThreads + ": expected 1 to " + MOST_LOAD_THREADS);
        }
        for (String extension : extensions) {
            if (extension.isEmpty() || extension.contains(".")) {
                throw new IllegalArgumentException("extension \"" + extension
                        + "\": expected the part of a file name after its last dot, as in \"tim\"");
            }
        }
    }

    /**
     * Returns the defaults: the budget of all directories of this JVM, {@link MemoryBudget#ofProcess}. Files that do not fit
     * stay on the disk. Two threads load files lazily.
     */
    public static DirectoryOptions defaults() {
        return new DirectoryOptions(
                MemoryBudget.ofProcess(),
                WhenFull.LEAVE_ON_DISK,
                Loading.LAZY,
                Set.of(),
                2,
                LoadProgress.NONE,
                PageLocking.NEVER,
                false);
    }

    /** Returns a copy with another {@link #budget}. */
    public DirectoryOptions withBudget(MemoryBudget other) {
        return new DirectoryOptions(other, whenFull, loading, extensions, loadThreads, progress, pageLocking, readOnly);
    }

    /** Returns a copy with another {@link #whenFull}. */
    public DirectoryOptions withWhenFull(WhenFull policy) {
        return new DirectoryOptions(budget, policy, loading, extensions, loadThreads, progress, pageLocking, readOnly);
    }

    /** Returns a copy with another {@link #loading}. */
    public DirectoryOptions withLoading(Loading when) {
        return new DirectoryOptions(budget, whenFull, when, extensions, loadThreads, progress, pageLocking, readOnly);
    }

    /** Returns a copy with other {@link #extensions}. */
    public DirectoryOptions withExtensions(Set<String> loaded) {
        return new DirectoryOptions(budget, whenFull, loading, loaded, loadThreads, progress, pageLocking, readOnly);
    }

    /** Returns a copy with other {@link #loadThreads}. */
    public DirectoryOptions withLoadThreads(int threads) {
        return new DirectoryOptions(budget, whenFull, loading, extensions, threads, progress, pageLocking, readOnly);
    }

    /** Returns a copy with another {@link #progress}. */
    public DirectoryOptions withProgress(LoadProgress listener) {
        return new DirectoryOptions(
                budget, whenFull, loading, extensions, loadThreads, listener, pageLocking, readOnly);
    }

    /** Returns a copy with another {@link #pageLocking}. */
    public DirectoryOptions withPageLocking(PageLocking locking) {
        return new DirectoryOptions(budget, whenFull, loading, extensions, loadThreads, progress, locking, readOnly);
    }

    /** Returns a copy with another {@link #readOnly}. */
    public DirectoryOptions withReadOnly(boolean only) {
        return new DirectoryOptions(budget, whenFull, loading, extensions, loadThreads, progress, pageLocking, only);
    }

    boolean loads(String name) {
        return extensions.isEmpty() || extensions.contains(name.substring(name.lastIndexOf('.') + 1));
    }
}
