package dev.larder.lab.search.index;

/** Is told how far a build is; from any thread, one at a time. What it throws stops the build, which can be resumed. */
@FunctionalInterface
public interface IndexProgress {

    /** One that nobody looks at. */
    IndexProgress SILENT = (indexed, documents, step) -> {};

    /**
     * Tells how far the build is.
     *
     * @param indexed documents, those of earlier builds included
     * @param documents in all
     * @param step what is done now: indexing, committing, merging
     */
    void at(long indexed, long documents, String step);
}
