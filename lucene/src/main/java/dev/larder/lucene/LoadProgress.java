package dev.larder.lucene;

/** Hears how far the loading of a folder has come, after each step of a few MiB; called by the threads that load. */
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
