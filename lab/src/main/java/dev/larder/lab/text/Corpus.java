package dev.larder.lab.text;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Documents of a source, one after the other, in the same order each time; never more than one of them in memory.
 *
 * <p>Text is UTF-8. What is not becomes U+FFFD.
 */
public interface Corpus extends Closeable {

    /** Returns what the documents come from, for people: a file's name without its directory. */
    String name();

    /**
     * Returns the next document, or null after the last one.
     *
     * @throws dev.larder.lab.result.LabException if the source is damaged or of another form, with file and position
     * @throws IOException if it cannot be read
     */
    @Nullable
    TextDocument next() throws IOException;
}
