package dev.larder.server.dump;

import dev.larder.log.layer.DiskWaits;
import dev.larder.resp.ReplyException;
import dev.larder.server.stream.EntryFrame;
import dev.larder.server.stream.Group;
import dev.larder.server.stream.GroupConsumer;
import dev.larder.server.stream.Pending;
import dev.larder.server.stream.Stream;
import dev.larder.server.stream.StreamId;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The dump of a stream, which clients use and change while the dump is made.
 *
 * <pre>
 * stream   first ........................... end     trimmed and added to meanwhile
 * dump     |- add -|- add -|- add -|- finish         each holds the lock of the stream for a moment
 * </pre>
 *
 * <p>Entries that the stream has lost meanwhile are dropped at the end. So the dump is of one moment, at which no change of
 * several steps is under way.
 */
@SuppressWarnings("exports") // callers do not need the nullness annotations
public final class LongDump {

    private static final int DUMP_MAX_BYTES = 512 << 20;

    /** How many bytes a thread that serves many clients dumps itself: that blocks it for about a millisecond. */
    private static final int FEW_BYTES = 256 << 10;

    /** How many bytes an entry, or a pending entry, costs beside its own. */
    private static final int ENTRY_BYTES = 64;

    private static final int ENTRIES_AT_ONCE = 256;
    private static final long BYTES_AT_ONCE = 1 << 20;

    private static final int ID_BYTES = 2 * Long.BYTES;

    /** The length and the id in front of a node, and the listpack's length. */
    private static final int NODE_HEAD_BYTES = 32;

    private final List<StreamNode> nodes = new ArrayList<>();
    private long nodesBytes;

    /** The node that gets the next entry; null before the first entry and at the end. */
    private @Nullable StreamNodeWriter open;

    private long entries;

    /** The message of the stream that is added next. */
    private long next;

    /** The stream whose dump is made. It has this version if it has not changed since. */
    private @Nullable Stream source;

    private long version;

    private volatile byte @Nullable [] made;

    private volatile boolean stopped;

    /** Creates a dump that is not made yet. */
    public LongDump() {}

    /** Returns the dump; null if it was not made because the stream is gone. */
    @SuppressWarnings("MutableArrayReturned") // it is long, and the caller passes it on
    public byte @Nullable [] made() {
        return made;
    }

    /** Ends the making of the dump, which nobody needs any more. Any thread may call this. */
    public void stop() {
        stopped = true;
    }

    /** Returns the dump if it is that of a stream, which the caller has locked, as the stream is now; else null. */
    byte @Nullable [] madeOf(Stream stream) {
        byte[] whole = made;
        return whole != null && stream.equals(source) && stream.version() == version ? whole : null;
    }

    boolean isOfSameStream(LongDump other) {
        return made != null && other.made != null && Objects.equals(source, other.source);
    }

    /** Returns whether the dump of a stream, which the caller has locked, is too long for a thread that serves many clients. */
    static boolean isLong(Stream stream) {
        return !new LongDump().addAll(stream, true);
    }

    /**
     * Returns the dump of a stream, which the caller has locked.
     *
     * @throws LongDumpException if this thread must not block, and the dump is long
     */
    static byte[] of(Stream stream) {
        LongDump dump = new LongDump();
        if (!dump.addAll(stream, DiskWaits.areForbidden())) {
            throw new LongDumpException();
        }
        return dump.end(rest(stream));
    }

    /** Adds all entries; returns false if there are only to be a few, and there are more. */
    private boolean addAll(Stream stream, boolean few) {
        if (few && pending(stream) > FEW_BYTES / ENTRY_BYTES) {
            return false;
        }
        while (!add(stream, atOnce())) {
            if (few && bytes() + entries * ENTRY_BYTES > FEW_BYTES) {
                return false;
            }
        }
        return true;
    }

    private static long pending(Stream stream) {
        return stream.groups().all().values().stream()
                .mapToLong(group -> group.pending().size())
                .sum();
    }

    /**
     * Makes the dump in this thread, which may wait.
     *
     * @param slot held by a thread that changes several things, of which the stream is one
     * @param isThere whether the key that is dumped has this stream
     */
    public void make(Stream stream, ReentrantLock slot, BooleanSupplier isThere) {
        stream.openings(
                1); // this thread reads the disk under the lock: a thread that may not wait does not wait for it
        try {
            makeWaiting(stream, slot, isThere);
        } finally {
            stream.openings(-1);
        }
    }

    private void makeWaiting(Stream stream, ReentrantLock slot, BooleanSupplier isThere) {
        boolean atEnd = false;
        while (!atEnd && !stopped && !Thread.currentThread().isInterrupted() && stream.use()) {
            try (stream) {
                atEnd = add(stream, atOnce());
            }
        }
        DumpWriter rest = atEnd ? finish(stream, slot, isThere) : null;
        if (rest != null) {
            made = end(rest);
        }
    }

    /** Returns how many entries make about a megabyte, from the size of those that were added. */
    private int atOnce() {
        return entries == 0 ? 1 : Math.clamp(BYTES_AT_ONCE * entries / (bytes() + 1), 1, ENTRIES_AT_ONCE);
    }

    /** Adds the next entries of a stream, which the caller has locked; returns whether there are no more. */
    private boolean add(Stream stream, int most) {
        long[] sequences = new long[most];
        int count = stream.live(Math.max(next, stream.first()), sequences);
        if (count > 0) {
            int[] index = {0};
            next = sequences[count - 1] + 1;
            stream.forEach(
                    sequences[0],
                    next,
                    count,
                    (id, segment, offset) -> add(id, sequences[index[0]++], parts(segment, offset)));
        }
        return count < most;
    }

    private void add(StreamId id, long sequence, List<byte[]> parts) {
        StreamNodeWriter node = open;
        if (node != null && !node.isFull()) {
            node.add(id, sequence, parts);
        } else {
            endNode();
            open = new StreamNodeWriter(id, sequence, parts);
        }
        entries++;
        if (bytes() > DUMP_MAX_BYTES) {
            throw new ReplyException("ERR the dump is too long: a dump has at most 512 MiB");
        }
    }

    private long bytes() {
        StreamNodeWriter node = open;
        return nodesBytes + (node == null ? 0 : node.lengthBytes());
    }

    private void endNode() {
        StreamNodeWriter node = open;
        if (node != null) {
            open = null;
            StreamNode ended = node.end();
            nodes.add(ended);
            nodesBytes += ended.listpack().length;
        }
    }

    private static List<byte[]> parts(MemorySegment segment, long offset) {
        List<byte[]> parts = new ArrayList<>();
        long at = EntryFrame.first(offset);
        for (int i = 0; i < EntryFrame.count(segment, offset); i++) {
            byte[] part = new byte[EntryFrame.length(segment, at)];
            MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, EntryFrame.bytes(at), part, 0, part.length);
            parts.add(part);
            at = EntryFrame.next(segment, at);
        }
        return parts;
    }

    /**
     * Brings the entries up to the stream's state at a moment, and returns what follows them in the dump; null if the stream
     * is gone.
     */
    private @Nullable DumpWriter finish(Stream stream, ReentrantLock slot, BooleanSupplier isThere) {
        while (stream.use()) {
            try (stream) {
                if (slot.tryLock()) { // no thread changes several things, of which this stream is one
                    boolean there;
                    try {
                        there = isThere.getAsBoolean();
                    } finally {
                        slot.unlock();
                    }
                    return there ? finish(stream) : null;
                }
            }
            await(slot);
        }
        return null;
    }

    private static void await(Lock slot) {
        slot.lock();
        try {
            Thread.onSpinWait(); // the thread that held the lock is done: nothing more to do
        } finally {
            slot.unlock();
        }
    }

    private DumpWriter finish(Stream stream) {
        boolean atEnd = false;
        while (!atEnd) {
            atEnd = add(stream, atOnce());
        }
        endNode();
        nodes.replaceAll(node -> live(node, stream));
        nodes.removeIf(Objects::isNull);
        source = stream;
        version = stream.version();
        return rest(stream);
    }

    /** Returns a node without the entries that a stream, which the caller has locked, does not have any more; null if none is left. */
    private static @Nullable StreamNode live(StreamNode node, Stream stream) {
        long from = Math.max(node.from(), stream.first());
        long left = from < node.to() ? stream.count(from, node.to()) : 0;
        if (left == node.count() || left == 0) {
            return left == 0 ? null : node;
        }
        List<StreamNodeWriter> again = new ArrayList<>(1);
        stream.forEach(from, node.to(), left, (id, segment, offset) -> {
            if (again.isEmpty()) {
                again.add(new StreamNodeWriter(id, from, parts(segment, offset)));
            } else {
                again.getFirst().add(id, from, parts(segment, offset));
            }
        });
        return again.getFirst().end();
    }

    private static DumpWriter rest(Stream stream) {
        DumpWriter rest = new DumpWriter();
        rest.number(stream.length());
        rest.idOfNumbers(stream.last());
        rest.idOfNumbers(stream.firstId());
        rest.idOfNumbers(stream.greatestDeleted());
        rest.number(stream.added());
        rest.number(stream.groups().all().size());
        stream.groups().all().values().forEach(group -> write(group, rest));
        return rest;
    }

    private static void write(Group group, DumpWriter out) {
        out.string(group.name().getBytes(StandardCharsets.ISO_8859_1));
        out.idOfNumbers(group.last());
        out.number(group.read());
        out.number(group.pending().size());
        for (Pending entry : group.pending().values()) {
            out.id(entry.id());
            out.millis(entry.deliveredMillis());
            out.number(entry.deliveries());
        }
        out.number(group.consumers().size());
        for (GroupConsumer consumer : group.consumers().values()) {
            out.string(consumer.name().getBytes(StandardCharsets.ISO_8859_1));
            out.millis(consumer.seenMillis());
            out.number(consumer.pending().size());
            consumer.pending().keySet().forEach(out::id);
        }
    }

    /** Returns the whole dump. */
    private byte[] end(DumpWriter rest) {
        endNode();
        long most = nodesBytes + (long) NODE_HEAD_BYTES * (nodes.size() + 1) + rest.lengthBytes();
        DumpWriter dump = new DumpWriter(StreamDump.TYPE, Math.toIntExact(most));
        dump.number(nodes.size());
        for (StreamNode node : nodes) {
            dump.number(ID_BYTES);
            dump.id(node.first());
            dump.string(node.listpack());
        }
        nodes.clear();
        dump.append(rest);
        return dump.end();
    }
}
