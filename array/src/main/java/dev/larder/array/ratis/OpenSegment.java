package dev.larder.array.ratis;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The bytes of the log segment that is being written, in the format of Ratis:
 *
 * <pre>
 * | RaftLog1 | length, entry, checksum | length, entry, checksum | 0 0 0 ...
 *              length: a varint, counts the entry. checksum: CRC-32C of both, big-endian
 * </pre>
 */
final class OpenSegment {

    static final int HEADER_BYTES = 8;
    static final int CHECKSUM_BYTES = Integer.BYTES;
    static final int VARINT_MAX_BYTES = 5;
    static final int NONE = -1;

    private OpenSegment() {}

    static ByteBuffer read(FileChannel file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.size()));
        while (bytes.hasRemaining() && file.read(bytes) >= 0) {
            // until all bytes are read
        }
        return bytes.flip();
    }

    /** Returns the end of an entry by its length; {@link #NONE} if no entry begins there, or the log is shorter. */
    static int end(ByteBuffer log, int begin) {
        long length = 0;
        for (int i = 0; i < VARINT_MAX_BYTES && begin + i < log.limit(); i++) {
            byte part = log.get(begin + i);
            length |= (part & 0x7FL) << (7 * i);
            if (part >= 0) {
                long end = begin + i + 1 + length + CHECKSUM_BYTES;
                return length == 0 || end > log.limit() ? NONE : (int) end;
            }
        }
        return NONE;
    }

    /** Returns the bytes of an entry, as Ratis has encoded it. */
    static ByteBuffer entry(ByteBuffer log, int begin, int end) {
        int from = begin;
        while (log.get(from) < 0) {
            from++;
        }
        return log.slice(from + 1, end - CHECKSUM_BYTES - from - 1);
    }

    static boolean isWhole(ByteBuffer log, int begin, int end) {
        return checksum(log, begin, end) == log.getInt(end - CHECKSUM_BYTES);
    }

    /** Returns the checksum that an entry must have. */
    static int checksum(ByteBuffer log, int begin, int end) {
        CRC32C checksum = new CRC32C();
        checksum.update(log.slice(begin, end - CHECKSUM_BYTES - begin));
        return (int) checksum.getValue();
    }

    /**
     * Returns an entry of a segment, as Ratis has encoded it; empty if the segment has too few whole entries.
     *
     * @param number how many entries come before it
     */
    static Optional<ByteBuffer> entry(Path segment, long number) throws IOException {
        try (FileChannel file = FileChannel.open(segment, StandardOpenOption.READ)) {
            ByteBuffer log = read(file);
            long before = 0;
            int begin = HEADER_BYTES;
            int end = end(log, begin);
            while (end != NONE && isWhole(log, begin, end)) {
                if (before == number) {
                    return Optional.of(entry(log, begin, end));
                }
                before++;
                begin = end;
                end = end(log, begin);
            }
            return Optional.empty();
        }
    }

    /** Returns how many whole entries a segment begins with. */
    static int wholeEntries(Path segment) throws IOException {
        try (FileChannel file = FileChannel.open(segment, StandardOpenOption.READ)) {
            ByteBuffer log = read(file);
            int count = 0;
            int begin = HEADER_BYTES;
            int end = end(log, begin);
            while (end != NONE && isWhole(log, begin, end)) {
                count++;
                begin = end;
                end = end(log, begin);
            }
            return count;
        }
    }
}
