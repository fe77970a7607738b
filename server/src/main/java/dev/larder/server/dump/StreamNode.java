package dev.larder.server.dump;

import dev.larder.resp.ReplyException;
import dev.larder.server.store.Bytes;
import dev.larder.server.stream.EntryFrame;
import dev.larder.server.stream.StreamId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Some entries of a stream, which a dump keeps together as a listpack.
 *
 * <pre>
 * first      count of entries, count of deleted ones, count of fields, the fields, 0
 * entry      flags, milliseconds and number of the id beside the first one's,
 *            the values of the same fields; or a count of fields, and each with its value
 *            how many elements of the listpack the entry has
 * </pre>
 */
final class StreamNode {

    static final int FLAG_SAME_FIELDS = 2;
    static final int ELEMENTS = 3;
    private static final int FLAG_DELETED = 1;

    private final StreamId first;
    private final long from;
    private final long to;
    private final int count;
    private final byte[] listpack;

    /**
     * Creates a node.
     *
     * @param from the message of the first entry
     * @param to the message behind the last entry's
     * @param count how many entries there are
     */
    StreamNode(StreamId first, long from, long to, int count, byte[] listpack) {
        this.first = first;
        this.from = from;
        this.to = to;
        this.count = count;
        this.listpack = listpack;
    }

    StreamId first() {
        return first;
    }

    long from() {
        return from;
    }

    long to() {
        return to;
    }

    int count() {
        return count;
    }

    byte[] listpack() {
        return listpack;
    }

    /** Returns the id in 16 bytes. */
    static StreamId id(Bytes bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes.array(), bytes.offset(), bytes.length());
        return new StreamId(in.getLong(), in.getLong());
    }

    /**
     * Passes on the entries that are not deleted.
     *
     * @param entryMost how many bytes an entry of a stream may have. Reading stops there: the parts of an entry are objects,
     *     each of many times the bytes that it has in the listpack
     */
    static void read(StreamId first, Bytes listpack, int entryMost, BiConsumer<StreamId, List<Bytes>> handler) {
        ListpackReader in = new ListpackReader(listpack);
        long count = in.integer();
        long deleted = in.integer();
        List<Bytes> fields = new Parts(in, entryMost).add(in.integer()).parts;
        if (in.integer() != 0) {
            throw DumpReader.bad();
        }
        long live = 0;
        long gone = 0;
        while (!in.isAtEnd()) {
            long flags = in.integer();
            StreamId id = new StreamId(first.millis() + in.integer(), first.number() + in.integer());
            boolean same = (flags & FLAG_SAME_FIELDS) != 0;
            Parts read = new Parts(in, entryMost);
            List<Bytes> parts = same ? read.addValues(fields).parts : read.add(2 * pairs(in)).parts;
            long elements = same ? ELEMENTS + fields.size() : ELEMENTS + 1L + parts.size();
            if (in.integer() != elements || parts.isEmpty()) {
                throw DumpReader.bad();
            }
            if ((flags & FLAG_DELETED) != 0) {
                gone++;
            } else {
                live++;
                handler.accept(id, parts);
            }
        }
        if (live != count || gone != deleted) {
            throw DumpReader.bad();
        }
    }

    private static long pairs(ListpackReader in) {
        long count = in.integer();
        if (count < 0 || count > Integer.MAX_VALUE) {
            throw DumpReader.bad();
        }
        return count;
    }

    /** The fields and values of an entry. */
    private static final class Parts {

        private final ListpackReader in;
        private final int entryMost;
        private final List<Bytes> parts = new ArrayList<>();
        private long bytes;

        Parts(ListpackReader in, int entryMost) {
            this.in = in;
            this.entryMost = entryMost;
        }

        Parts add(long count) {
            for (long i = 0; i < count; i++) {
                add(in.string());
            }
            return this;
        }

        Parts addValues(List<Bytes> fields) {
            for (Bytes field : fields) {
                add(field);
                add(in.string());
            }
            return this;
        }

        private void add(Bytes part) {
            parts.add(part);
            bytes += part.length();
            if (EntryFrame.lengthBytes(parts.size(), bytes) > entryMost) {
                throw new ReplyException("ERR an entry of the dump is too large: an entry of a stream has at most "
                        + entryMost + " bytes");
            }
        }
    }
}
