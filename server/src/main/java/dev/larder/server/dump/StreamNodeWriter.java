package dev.larder.server.dump;

import dev.larder.server.stream.StreamId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes a {@link StreamNode}, entry by entry. Each entry is encoded at once: as objects, the entries of a long stream need
 * many times the memory of its dump.
 */
final class StreamNodeWriter {

    private static final int ENTRIES_MAX = 100;
    private static final int BYTES_MAX = 4096;

    private final StreamId first;
    private final long from;
    private final List<byte[]> fields = new ArrayList<>();
    private final ListpackWriter out = new ListpackWriter();
    private long to;
    private int count;

    /** Creates a node with its first entry. */
    StreamNodeWriter(StreamId first, long sequence, List<byte[]> parts) {
        this.first = first;
        this.from = sequence;
        for (int i = 0; i < parts.size(); i += 2) {
            fields.add(parts.get(i));
        }
        out.integer(0); // the count of entries, which is known at the end
        out.integer(0);
        out.integer(fields.size());
        fields.forEach(out::string);
        out.integer(0);
        add(first, sequence, parts);
    }

    boolean isFull() {
        return count == ENTRIES_MAX || out.lengthBytes() >= BYTES_MAX;
    }

    int lengthBytes() {
        return out.lengthBytes();
    }

    void add(StreamId id, long sequence, List<byte[]> parts) {
        boolean same = hasSameFields(parts);
        out.integer(same ? StreamNode.FLAG_SAME_FIELDS : 0);
        out.integer(id.millis() - first.millis());
        out.integer(id.number() - first.number());
        int pairs = parts.size() / 2;
        if (!same) {
            out.integer(pairs);
        }
        for (int i = same ? 1 : 0; i < parts.size(); i += same ? 2 : 1) {
            out.string(parts.get(i));
        }
        out.integer(same ? StreamNode.ELEMENTS + pairs : StreamNode.ELEMENTS + 1 + 2 * pairs);
        to = sequence + 1;
        count++;
    }

    private boolean hasSameFields(List<byte[]> parts) {
        if (parts.size() != 2 * fields.size()) {
            return false;
        }
        for (int i = 0; i < fields.size(); i++) {
            if (!Arrays.equals(fields.get(i), parts.get(2 * i))) {
                return false;
            }
        }
        return true;
    }

    StreamNode end() {
        out.setFirst(count);
        return new StreamNode(first, from, to, count, out.end());
    }
}
