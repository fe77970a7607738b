package dev.larder.server.stream;

import dev.larder.log.NotInMemoryException;
import java.io.Serial;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Thrown where a thread that may not wait for the disk looks at records of a stream that are not in memory. It knows them:
 * another thread calls {@link #bringIn}, and the look is repeated.
 */
public final class RecordsNotInMemoryException extends NotInMemoryException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient StreamRecords records;
    private final transient List<byte[]> keys;

    /** An error about the record of the first key; the others were not looked at. */
    RecordsNotInMemoryException(StreamRecords records, List<byte[]> keys, NotInMemoryException met) {
        super(String.valueOf(met.getMessage()));
        this.records = records;
        this.keys = keys;
    }

    /** Returns what was missing first, to be compared. */
    public ByteBuffer first() {
        return ByteBuffer.wrap(keys.getFirst()).asReadOnlyBuffer();
    }

    /** Reads the records into memory, without the lock of the stream. */
    public void bringIn() {
        keys.forEach(records::bringIn);
    }
}
