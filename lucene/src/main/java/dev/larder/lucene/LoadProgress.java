package dev.larder.lucene;

/**
 * A listener of the loading of a folder, called after each step of a few MiB. The thread that has read the bytes calls it, and
 * continues when it returns. For a small file, that is the thread that opens the file. Several threads load a large file, so
 * calls may overlap and arrive out of order.
 *
 * <p>The listener may open, read and write files of the directory. It cannot wait for the loading or close the directory: both
 * throw an {@link IllegalStateException}. An exception from the listener ends the loading of that file, which stays on the
 * disk; {@link LarderDirectory#awaitLoaded} reports it.
 */
@FunctionalInterface
public interface LoadProgress {

    /** A listener that does nothing. */
    LoadProgress NONE = (loadedBytes, totalBytes) -> {};

    /**
     * Called after some bytes were loaded.
     *
     * @param loadedBytes the bytes that are in memory by now
     * @param totalBytes the bytes to be loaded, as far as known
     */
    void loaded(long loadedBytes, long totalBytes);
}
