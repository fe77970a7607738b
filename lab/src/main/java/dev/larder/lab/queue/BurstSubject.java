package dev.larder.lab.queue;

import dev.larder.cli.Figures;
import dev.larder.lab.result.LabException;
import java.nio.file.Path;

/**
 * A store of messages under test, which writes bursts and reads them back. Larder and its rivals implement it.
 *
 * <p>One thread calls it, in the order create, then for each burst: begin, prepare, write, sync, read, readCopied, verify.
 */
public interface BurstSubject extends AutoCloseable {

    /** Creates an empty store in a directory that does not exist yet. Not timed. */
    void create(Path directory);

    /** Prepares for a burst; not timed. A store that starts empty for each burst does so here. */
    default void begin(int burst) {}

    /** Makes the space for so many messages present ahead of the writer; timed separately. */
    default void prepare(long count) {
        throw new LabException("this store cannot prepare space ahead of the writer");
    }

    /** Writes the messages 0 to {@code count} of a burst. */
    void write(int burst, long count);

    /** Makes the messages durable, as far as the store promises it. */
    void sync();

    /** Reads the burst just written, and returns the sum of all its words ({@link dev.larder.lab.run.Records#sumWords}). */
    long read(long count);

    /** As above, but copies each message into the reader's memory first, and sums it there. */
    long readCopied(long count);

    /** Reads the burst just written again, and checks every byte. Not timed. */
    void verify(int burst, long count);

    /** Returns the store's own counters since the start of the burst; nothing if it has none. */
    default Figures counted() {
        return new Figures();
    }

    /** Returns the bytes of the store's files. */
    long fileBytes();

    /** Closes the store; its files stay. */
    @Override
    void close();
}
