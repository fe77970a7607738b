package dev.larder.lucene;

/**
 * Hears how far the loading of a folder has come, after each step of a few MiB. The threads that load call it, and go on when
 * it returns. A large file has several of them: calls may overlap, and arrive out of order.
 *
 * <p>It may open, read and write files of the directory. It cannot wait for the loading, nor close the directory: both throw an
 * {@link IllegalStateException}. What it throws ends the loading of that file, which stays on the disk, and
 * {@link LarderDirectory#awaitLoaded} tells.
 */
@FunctionalInterface
public interface LoadProgress {

    /** Hears nothing. */
    LoadProgress NONE = (loadedBytes, totalBytes) -> {};

    /**
     * So much is loaded.
     *
     * @param loadedBytes what is in memory by now
     * @param totalBytes what is to be loaded, as far as it is known
     */
    void loaded(long loadedBytes, long totalBytes);
}
