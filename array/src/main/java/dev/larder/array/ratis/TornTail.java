package dev.larder.array.ratis;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * The last entry of a log of Ratis, where its node died as it wrote it. Ratis takes it for damage, and would not start.
 *
 * <pre>
 * | RaftLog1 | length, entry, checksum | length, entry, checksum | length, ent 0 0 0 0 0 0 0 0 ...
 *              length: a varint, counts the entry. checksum: CRC-32C of both, big-endian       ^ the file's zeros
 * </pre>
 *
 * Such an entry was never synced, so this member has acknowledged it to nobody, and it is cut off. It is one only if its end was
 * not written, all behind it is zeros, and no whole entry begins within it. Whatever else is wrong is left, for Ratis to tell.
 */
final class TornTail {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");
    private static final int HEADER_BYTES = 8;
    private static final int CHECKSUM_BYTES = Integer.BYTES;
    private static final int VARINT_MAX_BYTES = 5;
    private static final int NONE = -1;

    private TornTail() {}

    /** Cuts off the torn entries of a member's logs. */
    static void cutOff(Path folder) throws IOException {
        try (DirectoryStream<Path> open = Files.newDirectoryStream(folder, "log_inprogress_*")) {
            for (Path log : open) {
                cutOffEntry(log);
            }
        }
    }

    private static void cutOffEntry(Path log) throws IOException {
        try (FileChannel file = FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            int begin = find(read(file));
            if (begin != NONE) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        log + ": the entry at " + begin + " was not written to its end, and is cut off");
                file.truncate(begin);
                file.force(true);
            }
        }
    }

    private static ByteBuffer read(FileChannel file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.size()));
        while (bytes.hasRemaining() && file.read(bytes) >= 0) {
            // until all is there
        }
        return bytes.flip();
    }

    /** Returns where the torn entry of a log begins; {@link #NONE} if it has none. */
    static int find(ByteBuffer log) {
        int begin = HEADER_BYTES;
        int end = end(log, begin);
        while (end != NONE && isWhole(log, begin, end)) {
            begin = end;
            end = end(log, begin);
        }
        int written = written(log);
        boolean isTorn = end != NONE && begin < written && written <= end - CHECKSUM_BYTES;
        return isTorn && !holdsWhole(log, begin + 1, written) ? begin : NONE;
    }

    /** Returns how many bytes of a log there are without the zeros at its end. */
    private static int written(ByteBuffer log) {
        int written = log.limit();
        while (written > 0 && log.get(written - 1) == 0) {
            written--;
        }
        return written;
    }

    /** Returns the end of an entry by its length; {@link #NONE} if none begins there, or the log is shorter. */
    private static int end(ByteBuffer log, int begin) {
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

    private static boolean isWhole(ByteBuffer log, int begin, int end) {
        CRC32C checksum = new CRC32C();
        checksum.update(log.slice(begin, end - CHECKSUM_BYTES - begin));
        return (int) checksum.getValue() == log.getInt(end - CHECKSUM_BYTES);
    }

    private static boolean holdsWhole(ByteBuffer log, int from, int written) {
        for (int begin = from; begin < written; begin++) {
            int end = end(log, begin);
            if (end != NONE && end <= written && isWhole(log, begin, end)) {
                return true;
            }
        }
        return false;
    }
}
