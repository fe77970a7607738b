package dev.larder.lab.search;

import dev.larder.cli.Figures;
import java.nio.file.Path;

/**
 * The initial index of every server.
 *
 * @param place of the index, never written to
 * @param queries the file of the tasks
 * @param bytes of its files
 * @param documents in the index
 * @param facts about it and its build, for the result
 */
record SearchFiles(IndexPlace place, Path queries, long bytes, long documents, Figures facts) {

    /** Returns the directory of Lucene's files. */
    Path directory() {
        return place.index();
    }
}
