package dev.larder.server.dump;

import dev.larder.resp.ReplyException;
import dev.larder.server.store.Bytes;
import dev.larder.server.stream.Fields;
import dev.larder.server.stream.Group;
import dev.larder.server.stream.GroupConsumer;
import dev.larder.server.stream.ReadCounts;
import dev.larder.server.stream.Stream;
import dev.larder.server.stream.StreamId;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * A stream in the form of Redis' {@code DUMP}. Larder writes the form of Redis 7.0, and reads that and the one before.
 *
 * <pre>
 * 13           the type: a stream; 0F in the form before
 * nodes        count; each with the id of its first entry, and a listpack: see StreamNode
 * head         count of entries, last id
 *              not in the form before: first id, greatest deleted id, count of added entries
 * groups       count; each with
 *                name, last id, count of read entries (not in the form before)
 *                pending entries: count; each with id, time, count of deliveries
 *                consumers: count; each with name, time, count of pending entries, their ids
 * footer       see DumpReader
 * </pre>
 *
 * <p>Producers' numbers are not in it. Source: "Redis RDB file format", stream encoding.
 */
public final class StreamDump {

    static final int TYPE = 19;

    private static final int TYPE_BEFORE = 15;
    private static final int ID_BYTES = 2 * Long.BYTES;

    private final Bytes dump;
    private final int stringMost;
    private final int entryMost;
    private long entries;
    private final List<GroupPart> groups = new ArrayList<>();
    private final Set<String> groupNames = new HashSet<>();
    private StreamId last = StreamId.ZERO;
    private StreamId greatestDeleted = StreamId.ZERO;
    private long added;

    /** Whether the dump says how many entries each group has read. */
    private final boolean tellsReads;

    private record Entry(StreamId id, Fields fields) {}

    private record GroupPart(String name, StreamId last, long read, List<ConsumerPart> consumers) {}

    private record ConsumerPart(String name, long seenMillis, List<PendingPart> pending) {}

    private record PendingPart(StreamId id, long deliveredMillis, long deliveries) {}

    private StreamDump(Bytes dump, int stringMost, int entryMost) {
        this.dump = dump;
        this.stringMost = stringMost;
        this.entryMost = entryMost;
        this.tellsReads = reader().type() == TYPE;
    }

    private DumpReader reader() {
        return DumpReader.open(dump, stringMost);
    }

    /** Returns whether a dump holds a stream, by its first byte. */
    public static boolean isStream(Bytes dump) {
        int type = dump.length() == 0 ? -1 : dump.array()[dump.offset()];
        return type == TYPE || type == TYPE_BEFORE;
    }

    /**
     * Returns the dump of a stream, which the caller has locked.
     *
     * @throws LongDumpException if this thread must not block, and the dump is long
     */
    public static byte[] of(Stream stream) {
        return LongDump.of(stream);
    }

    /**
     * Returns the stream of a dump. Its entries are checked now, and read again when they are needed, node by node. Unpacked,
     * they may be a hundred times as long as the dump.
     *
     * @param dump the dump, whose bytes must not change
     * @param stringMost how many bytes a string may have
     * @param entryMost how many bytes an entry of a stream may have
     * @throws ReplyException if it is not complete, its ids do not grow, or a part is too long
     */
    public static StreamDump read(Bytes dump, int stringMost, int entryMost) {
        StreamDump stream = new StreamDump(dump, stringMost, entryMost);
        DumpReader in = stream.reader();
        stream.readNodes(in, (id, parts) -> stream.check(id), () -> {});
        if (in.number() != stream.entries) {
            throw DumpReader.bad();
        }
        stream.readHead(in);
        for (int left = in.count(1); left > 0; left--) {
            stream.readGroup(in);
        }
        return stream;
    }

    /** Passes on all entries, and tells the end of each node, whose bytes its entries share. */
    private void readNodes(DumpReader in, BiConsumer<StreamId, List<Bytes>> handler, Runnable nodeEnd) {
        for (int nodes = in.count(2 + ID_BYTES); nodes > 0; nodes--) {
            Bytes id = in.string();
            if (id.length() != ID_BYTES) {
                throw DumpReader.bad();
            }
            StreamNode.read(StreamNode.id(id), in.string(), entryMost, handler);
            nodeEnd.run();
        }
    }

    private void check(StreamId id) {
        if (!id.isAfter(last)) {
            throw DumpReader.bad();
        }
        last = id;
        entries++;
    }

    private void readHead(DumpReader dump) {
        StreamId greatest = dump.idOfNumbers();
        if (last.isAfter(greatest)) {
            throw DumpReader.bad();
        }
        last = greatest;
        added = entries;
        if (dump.type() == TYPE) {
            dump.idOfNumbers();
            greatestDeleted = dump.idOfNumbers();
            added = dump.number();
            if (added < entries) {
                throw DumpReader.bad();
            }
        }
    }

    private void readGroup(DumpReader dump) {
        String name = name(dump.string());
        StreamId read = dump.idOfNumbers();
        long count = dump.type() == TYPE ? dump.number() : Group.UNKNOWN;
        Map<StreamId, PendingPart> pending = new HashMap<>();
        for (int left = dump.count(ID_BYTES + Long.BYTES + 1); left > 0; left--) {
            StreamId id = dump.id();
            if (pending.put(id, new PendingPart(id, dump.millis(), dump.number())) != null) {
                throw DumpReader.bad();
            }
        }
        List<ConsumerPart> consumers = new ArrayList<>();
        Set<String> consumerNames = new HashSet<>();
        for (int left = dump.count(1 + Long.BYTES + 1); left > 0; left--) {
            ConsumerPart consumer = readConsumer(dump, pending);
            if (!consumerNames.add(consumer.name())) {
                throw DumpReader.bad();
            }
            consumers.add(consumer);
        }
        if (!groupNames.add(name) || !pending.isEmpty() || count < Group.UNKNOWN) {
            throw DumpReader.bad();
        }
        groups.add(new GroupPart(name, read, count, consumers));
    }

    /** Reads a consumer, and takes its entries from the pending entries of its group. */
    private static ConsumerPart readConsumer(DumpReader dump, Map<StreamId, PendingPart> pending) {
        ConsumerPart consumer = new ConsumerPart(name(dump.string()), dump.millis(), new ArrayList<>());
        for (int left = dump.count(ID_BYTES); left > 0; left--) {
            PendingPart part = pending.remove(dump.id());
            if (part == null) {
                throw DumpReader.bad();
            }
            consumer.pending().add(part);
        }
        return consumer;
    }

    /** Returns the name of a group or a consumer. */
    private static String name(Bytes bytes) {
        if (bytes.length() > Group.NAME_MAX_BYTES) {
            throw new ReplyException("ERR a name of a group or consumer of " + bytes.length()
                    + " bytes is too long: it has at most " + Group.NAME_MAX_BYTES + " bytes");
        }
        return new String(bytes.array(), bytes.offset(), bytes.length(), StandardCharsets.ISO_8859_1);
    }

    /** Fills a new stream, some entries of a node at each use: entries of many nodes would keep all of their bytes. */
    void fill(Supplier<Stream> uses, int entriesAtOnce) {
        List<Entry> some = new ArrayList<>();
        readNodes(
                reader(),
                (id, parts) -> {
                    some.add(new Entry(id, new ListedFields(parts)));
                    if (some.size() == entriesAtOnce) {
                        add(some, uses);
                    }
                },
                () -> add(some, uses));
        try (Stream stream = uses.get()) {
            fillHead(stream);
        }
    }

    private static void add(List<Entry> some, Supplier<Stream> uses) {
        if (some.isEmpty()) {
            return;
        }
        try (Stream stream = uses.get()) {
            some.forEach(entry -> stream.add(entry.id(), entry.fields()));
        }
        some.clear();
    }

    private void fillHead(Stream stream) {
        stream.setLast(last, added, greatestDeleted);
        ReadCounts counts = new ReadCounts(stream);
        for (GroupPart part : groups) {
            long read = tellsReads ? part.read() : counts.upTo(part.last());
            Group group = stream.groups().add(part.name(), part.last(), read);
            for (ConsumerPart owner : part.consumers()) {
                GroupConsumer consumer = group.addConsumer(owner.name(), owner.seenMillis());
                owner.pending()
                        .forEach(
                                entry -> group.give(entry.id(), consumer, entry.deliveredMillis(), entry.deliveries()));
            }
        }
    }

    /** The fields and values of an entry of the dump. */
    private record ListedFields(List<Bytes> parts) implements Fields {

        @Override
        public int count() {
            return parts.size();
        }

        @Override
        public int lengthBytes(int index) {
            return parts.get(index).length();
        }

        @Override
        public void copy(int index, MemorySegment target, long offset) {
            Bytes part = parts.get(index);
            MemorySegment.copy(part.array(), part.offset(), target, ValueLayout.JAVA_BYTE, offset, part.length());
        }
    }
}
