package dev.larder.array.ratis;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.ratis.thirdparty.com.google.protobuf.WireFormat;

/**
 * Finds the last entry of a Ratis log whose node died as it wrote the entry. Ratis takes it for damage, and would not start.
 *
 * <pre>
 * | RaftLog1 | length, entry, checksum | length, entry, checksum | length, ent 0 0 0 0 0 0 0 0 ...
 *                                                                              ^ the file's zeros, or its end
 * </pre>
 *
 * Such an entry was never synced, so this member has never acknowledged it, and it is cut off. An entry counts as torn only if
 * its end was not written, and the written part of its checksum is right. All after it must be zeros, and no whole entry may
 * begin within it. Other damage is left for Ratis to report.
 *
 * <p>The file grows by zeros, and a sync covers its size. So after a power loss the file may end within the entry. A changed
 * length looks the same, but then it does not agree with the length of the last field.
 *
 * <p>A sync writes pages in any order. So a power loss during a sync may leave zeros in front of what was written. If an entry
 * fails its check and a whole sector of it is zeros, it was not synced, and neither were the entries after it. All these are cut
 * off with it, whole or not. Disks that rot do not write zeros. But a value may hold a sector of zeros, and another of its bytes
 * may rot. If that cuts off an entry that the state has, {@link MemberFiles#requireReaching} refuses the member.
 *
 * <pre>
 * | whole | length, ent 0 0 0 0 0 0 0 0 0 0 ry, checksum | length, entry, checksum | 0 0 0 ...
 *         ^ cut here   | a sector of zeros |
 * </pre>
 */
final class TornTail {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");
    private static final int NONE = OpenSegment.NONE;

    /** The least that a disk writes as a unit. */
    private static final int SECTOR_BYTES = 512;

    private TornTail() {}

    /**
     * Cuts off the torn entries of a member's logs, and makes the rest durable. After a kill, entries may be in the system's
     * cache alone. Ratis 3.3.0 reads them, and takes all that it has read for durable.
     */
    static void cutOff(Path folder, DiskSync disk) throws IOException {
        try (DirectoryStream<Path> open = Files.newDirectoryStream(folder, "log_inprogress_*")) {
            for (Path log : open) {
                cutOffEntry(log);
                disk.sync(log);
            }
        }
        disk.sync(folder);
    }

    private static void cutOffEntry(Path log) throws IOException {
        try (FileChannel file = FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            int begin = find(OpenSegment.read(file));
            if (begin != NONE) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        log + ": the entry at " + begin + " was not completely written: the member cuts it off");
                file.truncate(begin);
            }
        }
    }

    /** Returns where the torn entry of a log begins; {@link #NONE} if it has none. */
    static int find(ByteBuffer log) {
        int begin = OpenSegment.HEADER_BYTES;
        int end = OpenSegment.end(log, begin);
        while (end != NONE && OpenSegment.isWhole(log, begin, end)) {
            begin = end;
            end = OpenSegment.end(log, begin);
        }
        int written = written(log);
        boolean isEntryCut =
                end != NONE && (written <= end - OpenSegment.CHECKSUM_BYTES || isChecksumCut(log, begin, end, written));
        boolean isTorn = begin < written
                && (isLengthCut(log, begin, written) || isEntryCut || endsBeyondFile(log, begin, written));
        boolean isCut = isTorn && !holdsWhole(log, begin + 1, written);
        return isCut || hasHole(log, begin, end, written) ? begin : NONE;
    }

    /**
     * Returns whether a sector of an incomplete entry has only zeros, and something was written after it.
     *
     * @param end where the entry ends by its length; {@link #NONE} if the length is invalid
     */
    private static boolean hasHole(ByteBuffer log, int begin, int end, int written) {
        int next = begin / SECTOR_BYTES * SECTOR_BYTES + SECTOR_BYTES;
        if (next <= written && isZero(log, begin, next)) { // the sector is as it was before the entry
            return true;
        }
        int last = end == NONE ? begin + OpenSegment.VARINT_MAX_BYTES : end - OpenSegment.CHECKSUM_BYTES;
        for (int sector = next; sector < last && sector + SECTOR_BYTES <= written; sector += SECTOR_BYTES) {
            if (isZero(log, sector, sector + SECTOR_BYTES)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isZero(ByteBuffer log, int from, int to) {
        for (int at = from; at < to; at++) {
            if (log.get(at) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the bytes of a log without the zeros at its end. */
    private static int written(ByteBuffer log) {
        int written = log.limit();
        while (written > 0 && log.get(written - 1) == 0) {
            written--;
        }
        return written;
    }

    /**
     * Returns whether the file is shorter than its last entry, and the lengths of the entry agree.
     *
     * <pre>
     * | length | term | index | tag, length of the last field, the field
     * |<--------------------- length --------------------------------->|
     * </pre>
     */
    private static boolean endsBeyondFile(ByteBuffer log, int begin, int written) {
        CodedInputStream entry = CodedInputStream.newInstance(log.slice(begin, written - begin));
        try {
            long end = entry.readUInt32() + (long) entry.getTotalBytesRead();
            if (end + OpenSegment.CHECKSUM_BYTES <= log.limit() - begin) {
                return false;
            }
            int tag = entry.readTag();
            while (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_VARINT) {
                entry.readRawVarint64();
                tag = entry.readTag();
            }
            return WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED
                    && entry.readUInt32() + (long) entry.getTotalBytesRead() == end;
        } catch (IOException e) { // no entry, or nothing was written from the length of the last field on
            return entry.getTotalBytesRead() == written - begin;
        }
    }

    /** Returns whether all written bytes are the first bytes of a length. */
    private static boolean isLengthCut(ByteBuffer log, int begin, int written) {
        for (int at = begin; at < written; at++) {
            if (at - begin == OpenSegment.VARINT_MAX_BYTES || log.get(at) >= 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether an entry is whole except for its checksum, which begins correctly and continues with zeros. */
    private static boolean isChecksumCut(ByteBuffer log, int begin, int end, int written) {
        int cutBits = (end - written) * Byte.SIZE;
        int checksum = OpenSegment.checksum(log, begin, end);
        return cutBits > 0 && log.getInt(end - OpenSegment.CHECKSUM_BYTES) == (checksum >>> cutBits) << cutBits;
    }

    private static boolean holdsWhole(ByteBuffer log, int from, int written) {
        for (int begin = from; begin < written; begin++) {
            int end = OpenSegment.end(log, begin);
            if (end != NONE && end <= written && OpenSegment.isWhole(log, begin, end)) {
                return true;
            }
        }
        return false;
    }
}
