package dev.larder.array.ratis;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/** Entries that only the log of a leader has, since it has reached no other member. None of them can be applied. */
public final class PlantedEntries {

    private PlantedEntries() {}

    /**
     * Appends entries to the log of a member that does not run, in the term of its last entry. So no other member may have led on
     * in that term: the next leader must have a later one.
     *
     * @return the last entry before them
     */
    public static long append(RaftOptions options, UUID stripe, int count) throws IOException {
        LogPart part = LogPart.of(options.directory(), stripe).getLast();
        if (!part.isOpen()) {
            throw new IOException(part.file() + " is written no further");
        }
        try (FileChannel file = FileChannel.open(part.file(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer log = OpenSegment.read(file);
            int begin = OpenSegment.HEADER_BYTES;
            LogEntryProto last = LogEntryProto.getDefaultInstance();
            for (int end = OpenSegment.end(log, begin);
                    end != OpenSegment.NONE && OpenSegment.isWhole(log, begin, end);
                    end = OpenSegment.end(log, begin)) {
                last = LogEntryProto.parseFrom(OpenSegment.entry(log, begin, end));
                begin = end;
            }
            for (int i = 1; i <= count; i++) {
                begin += file.write(entry(last.getTerm(), last.getIndex() + i), begin);
            }
            return last.getIndex();
        }
    }

    /** Returns the bytes of an entry in a segment. */
    static ByteBuffer entry(long term, long index) {
        byte[] entry = LogEntryProto.newBuilder()
                .setTerm(term)
                .setIndex(index)
                .setStateMachineLogEntry(
                        StateMachineLogEntryProto.newBuilder().setLogData(ByteString.copyFromUtf8("of nobody")))
                .build()
                .toByteArray();
        ByteBuffer bytes = ByteBuffer.allocate(1 + entry.length + OpenSegment.CHECKSUM_BYTES)
                .put((byte) entry.length) // below 128: a varint of one byte
                .put(entry);
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.duplicate().flip());
        return bytes.putInt((int) checksum.getValue()).flip();
    }
}
