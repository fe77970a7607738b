package dev.larder.server.command;

import dev.larder.resp.ReplyEncoder;
import dev.larder.server.stream.EntryFrame;
import dev.larder.server.stream.Stream;
import dev.larder.server.stream.StreamId;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Entries of streams as replies: an array of the id and the fields with their values. */
final class StreamReply {

    private StreamReply() {}

    static void id(Execution execution, StreamId id) {
        execution.reply().text(id.toString());
    }

    /** Writes an entry from its place in memory. */
    static void entry(Execution execution, StreamId id, MemorySegment segment, long offset) {
        ReplyEncoder reply = execution.reply();
        reply.array(2);
        id(execution, id);
        int count = EntryFrame.count(segment, offset);
        reply.array(count);
        byte[] part = execution.second().array();
        long at = EntryFrame.first(offset);
        for (int i = 0; i < count; i++) {
            int length = EntryFrame.length(segment, at);
            reply.beginBulk(length);
            write(reply, segment, EntryFrame.bytes(at), length, part);
            reply.endBulk();
            at = EntryFrame.next(segment, at);
        }
    }

    private static void write(ReplyEncoder reply, MemorySegment segment, long from, int length, byte[] part) {
        int written = 0;
        while (written < length) {
            int bytes = Math.min(part.length, length - written);
            MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, from + written, part, 0, bytes);
            reply.output().write(part, 0, bytes);
            written += bytes;
        }
    }

    /** Writes an array of at most {@code most} entries, from a sequence up to another, exclusive. */
    static void entries(Execution execution, Stream stream, long from, long to, long most) {
        execution.reply().array(Math.min(most, stream.count(from, to)));
        stream.forEach(from, to, most, (id, segment, offset) -> entry(execution, id, segment, offset));
    }

    /** Writes entries as {@link #entries}, the last first. */
    static void entriesBackward(Execution execution, Stream stream, long from, long to, long most) {
        execution.reply().array(Math.min(most, stream.count(from, to)));
        stream.forEachBackward(from, to, most, (id, segment, offset) -> entry(execution, id, segment, offset));
    }

    /** Writes the entry with an id, which must be there. */
    static void entryOf(Execution execution, Stream stream, StreamId id) {
        stream.read(id, (same, segment, offset) -> entry(execution, same, segment, offset));
    }
}
