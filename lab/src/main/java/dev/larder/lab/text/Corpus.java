package dev.larder.lab.text;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The documents of a source, one after the other, always in the same order; at most one of them is in memory.
 *
 * <p>Text is UTF-8. Other bytes become U+FFFD.
 */
public interface Corpus extends Closeable {

    /** Returns the source of the documents, for people: a file's name without its directory. */
    String name();

    /**
     * Returns the next document, or null after the last one.
     *
     * @throws dev.larder.lab.result.LabException if the source is damaged or has another form, with file and position
     * @throws IOException if it cannot be read
     */
    @Nullable
    TextDocument next() throws IOException;
}
