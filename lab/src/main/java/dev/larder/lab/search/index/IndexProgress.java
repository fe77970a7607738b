package dev.larder.lab.search.index;

/** Receives a build's progress, from any thread, one call at a time. An exception stops the build, which can resume. */
@FunctionalInterface
public interface IndexProgress {

    /** Ignores the progress. */
    IndexProgress SILENT = (indexed, documents, step) -> {};

    /**
     * Reports the progress.
     *
     * @param indexed documents, those of earlier builds included
     * @param documents in all
     * @param step the current step: indexing, committing, merging
     */
    void at(long indexed, long documents, String step);
}
