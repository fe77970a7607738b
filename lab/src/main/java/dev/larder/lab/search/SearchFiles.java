package dev.larder.lab.search;

import dev.larder.cli.Figures;
import java.nio.file.Path;

/**
 * The index that every server starts from.
 *
 * @param place where it is kept, and written to by nobody
 * @param queries the file of the tasks
 * @param bytes of its files
 * @param documents in the index
 * @param facts about it and how it was made, for the result
 */
record SearchFiles(IndexPlace place, Path queries, long bytes, long documents, Figures facts) {

    /** Returns the directory of Lucene's files. */
    Path directory() {
        return place.index();
    }
}
