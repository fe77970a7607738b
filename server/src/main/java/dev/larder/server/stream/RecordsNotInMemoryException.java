package dev.larder.server.stream;

import dev.larder.log.NotInMemoryException;
import java.io.Serial;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Thrown when a thread that may not wait for the disk reads records of a stream that are not in memory. The exception knows
 * them: another thread calls {@link #bringIn}, and the read is repeated.
 */
public final class RecordsNotInMemoryException extends NotInMemoryException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient StreamRecords records;
    private final transient List<byte[]> keys;

    /** Creates an error about the record of the first key; the others were not read. */
    RecordsNotInMemoryException(StreamRecords records, List<byte[]> keys, NotInMemoryException met) {
        super(String.valueOf(met.getMessage()));
        this.records = records;
        this.keys = keys;
    }

    /** Returns the first missing key, for comparison. */
    public ByteBuffer first() {
        return ByteBuffer.wrap(keys.getFirst()).asReadOnlyBuffer();
    }

    /** Loads the records into memory, without the lock of the stream. */
    public void bringIn() {
        keys.forEach(records::bringIn);
    }
}
