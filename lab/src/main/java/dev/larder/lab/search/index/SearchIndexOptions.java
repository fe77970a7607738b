package dev.larder.lab.search.index;

/**
 * What an index is to be.
 *
 * @param documents 1 to 1,000,000,000
 * @param seed of the documents
 * @param vectorDimensions of the vector of each document, 2 to 1024; 0 for none
 * @param segments that the index is merged to at the end, 1 to 1000; 0 leaves it as the merges left it
 * @param ramBufferMebibytes of what is indexed before it is written, 1 to 2047
 * @param threads that index, 1 to 64
 * @param commitEvery so many documents, at least 1; an interrupted build goes on at the last commit
 */
public record SearchIndexOptions(
        long documents,
        long seed,
        int vectorDimensions,
        int segments,
        int ramBufferMebibytes,
        int threads,
        long commitEvery) {

    /** Checks the ranges; the text names the option, the value and the range. */
    public SearchIndexOptions {
        checkRange("documents", documents, 1, 1_000_000_000);
        if (vectorDimensions != 0) {
            checkRange("vector dimensions", vectorDimensions, 2, 1024);
        }
        checkRange("segments", segments, 0, 1000);
        checkRange("MiB of RAM buffer", ramBufferMebibytes, 1, 2047);
        checkRange("threads", threads, 1, 64);
        checkRange("documents of a commit", commitEvery, 1, Long.MAX_VALUE);
    }

    private static void checkRange(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + " of an index: " + value + " is not from " + least + " to " + most);
        }
    }

    /** An index without vectors, as the merges leave it, built by one thread with a commit every 100,000 documents. */
    public static SearchIndexOptions of(long documents, long seed) {
        return new SearchIndexOptions(documents, seed, 0, 0, 64, 1, 100_000);
    }

    /** The same with vectors. */
    public SearchIndexOptions withVectorDimensions(int dimensions) {
        return new SearchIndexOptions(documents, seed, dimensions, segments, ramBufferMebibytes, threads, commitEvery);
    }

    /** The same, merged to so many segments. */
    public SearchIndexOptions withSegments(int count) {
        return new SearchIndexOptions(
                documents, seed, vectorDimensions, count, ramBufferMebibytes, threads, commitEvery);
    }

    /** The same, built by so many threads. */
    public SearchIndexOptions withThreads(int count) {
        return new SearchIndexOptions(
                documents, seed, vectorDimensions, segments, ramBufferMebibytes, count, commitEvery);
    }

    /** The same, built with another buffer. */
    public SearchIndexOptions withRamBuffer(int mebibytes) {
        return new SearchIndexOptions(documents, seed, vectorDimensions, segments, mebibytes, threads, commitEvery);
    }

    /** The same, with a commit every so many documents. */
    public SearchIndexOptions withCommitEvery(long count) {
        return new SearchIndexOptions(documents, seed, vectorDimensions, segments, ramBufferMebibytes, threads, count);
    }
}
