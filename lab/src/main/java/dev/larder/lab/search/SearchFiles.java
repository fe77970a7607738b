package dev.larder.lab.search;

import dev.larder.lab.result.Figures;
import java.nio.file.Path;

/**
 * The index that every server starts from, as plain files.
 *
 * @param directory that holds them, and is written to by nobody
 * @param bytes of all files
 * @param documents in the index
 * @param facts about it and how it was made, for the result
 */
record SearchFiles(Path directory, long bytes, long documents, Figures facts) {}
