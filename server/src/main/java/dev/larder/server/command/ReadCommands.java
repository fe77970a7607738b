package dev.larder.server.command;

import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.WrongTypeException;
import dev.larder.server.stream.Group;
import dev.larder.server.stream.GroupConsumer;
import dev.larder.server.stream.Pending;
import dev.larder.server.stream.ReadCounts;
import dev.larder.server.stream.Stream;
import dev.larder.server.stream.StreamId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code XREAD} and {@code XREADGROUP}: the entries behind an id in several streams, at once or when there are some. */
final class ReadCommands {

    private ReadCommands() {}

    static Map<String, Handler> all() {
        return Map.of(
                "xread", execution -> read(execution, false),
                "xreadgroup", execution -> read(execution, true));
    }

    private static void read(Execution execution, boolean ofGroup) {
        StreamRead read = StreamRead.parse(execution, ofGroup);
        List<StreamId> ids = ids(execution, read);
        List<Integer> served = served(execution, read, ids, execution.hasWaited());
        if (!served.isEmpty()) {
            reply(execution, read, ids, served);
        } else {
            awaitOrNil(execution, read, ids);
        }
    }

    /** Checks whether XREADGROUP has entries to deliver, and delivers none. */
    static void look(Execution execution) {
        StreamRead read = StreamRead.parse(execution, true);
        List<StreamId> ids = ids(execution, read);
        if (served(execution, read, ids, false).isEmpty()) {
            awaitOrNil(execution, read, ids);
        } else {
            execution.reply().status(GroupLook.READY);
        }
    }

    private static List<StreamId> ids(Execution execution, StreamRead read) {
        List<StreamId> ids = new ArrayList<>();
        for (int i = 0; i < read.keys(); i++) {
            ids.add(id(execution, read, i));
        }
        return ids;
    }

    /**
     * Returns the indexes of the streams with entries to reply.
     *
     * @param past whether entries count too that were added and are gone already, as for a client that has waited for them.
     *     Redis replies an empty array then
     */
    private static List<Integer> served(Execution execution, StreamRead read, List<StreamId> ids, boolean past) {
        List<Integer> served = new ArrayList<>();
        Map<Bytes, Integer> ofNew = new HashMap<>(); // how often new entries of the same key are delivered before
        for (int i = 0; i < read.keys(); i++) {
            boolean isNew = read.ofGroup() && ids.get(i).equals(StreamId.MAX);
            Bytes key = read.key(execution, i);
            if (isServed(execution, read, i, ids.get(i), isNew ? ofNew.getOrDefault(key, 0) : 0, past)) {
                served.add(i);
                if (isNew) {
                    ofNew.merge(key, 1, Integer::sum);
                }
            }
        }
        return served;
    }

    private static void awaitOrNil(Execution execution, StreamRead read, List<StreamId> ids) {
        if (read.timeoutMillis() >= 0 && execution.mayWait()) {
            execution.await(read.waiting(execution, ids));
        } else {
            execution.reply().nilArray();
        }
    }

    /** Returns the id behind which a stream is read; the greatest id stands for entries that are new to a group. */
    private static StreamId id(Execution execution, StreamRead read, int index) {
        int argument = read.idArgument(index);
        String text = execution.argument(argument).toString();
        try (@Nullable Stream stream = stream(execution, read, index)) {
            if (read.ofGroup() && GroupNames.find(execution, stream, read.group()) == null) {
                throw noGroup(execution, read, index, stream != null);
            }
            if (text.equals(StreamRead.LAST)) {
                if (read.ofGroup()) {
                    throw new ReplyException(
                            "ERR The $ ID is meaningless in the context of XREADGROUP: you want to read the history of"
                                + " this consumer by specifying a proper ID, or use the > ID to get new messages. The"
                                + " $ ID would just return an empty result set.");
                }
                return stream == null ? StreamId.ZERO : stream.last();
            }
        }
        if (text.equals(StreamRead.NEW)) {
            if (!read.ofGroup()) {
                throw new ReplyException("ERR The > ID can be specified only when calling XREADGROUP using the GROUP"
                        + " <group> <consumer> option.");
            }
            return StreamId.MAX;
        }
        return StreamIds.strict(execution, argument, 0);
    }

    /** Returns a stream. For a client that has waited, a key of another type counts as missing. */
    private static @Nullable Stream stream(Execution execution, StreamRead read, int index) {
        try {
            return execution.lookUpStream(read.key(execution, index));
        } catch (WrongTypeException e) {
            if (execution.hasWaited()) {
                return null;
            }
            throw e;
        }
    }

    private static ReplyException noGroup(Execution execution, StreamRead read, int index, boolean isStream) {
        if (execution.hasWaited()) {
            return new ReplyException(
                    isStream
                            ? "NOGROUP the consumer group this client was blocked on no longer exists"
                            : "UNBLOCKED the stream key no longer exists");
        }
        return new ReplyException("NOGROUP No such key '" + read.key(execution, index) + "' or consumer group '"
                + execution.argument(read.group()) + "' in XREADGROUP with GROUP option");
    }

    private static boolean isServed(
            Execution execution, StreamRead read, int index, StreamId id, long timesBefore, boolean past) {
        try (@Nullable Stream stream = stream(execution, read, index)) {
            if (stream == null) {
                return false;
            }
            StreamId last = past ? stream.last() : stream.lastId();
            if (!read.ofGroup()) {
                return last.isAfter(id);
            }
            Group group = Objects.requireNonNull(GroupNames.find(execution, stream, read.group()));
            if (!id.equals(StreamId.MAX)) {
                return true;
            }
            return timesBefore == 0 ? last.isAfter(group.last()) : isMoreNew(stream, group, read.count(), timesBefore);
        }
    }

    /** Returns whether a group will still have entries to read after it has read {@code count} entries {@code times} times. */
    private static boolean isMoreNew(Stream stream, Group group, long count, long times) {
        long left = stream.count(stream.ceiling(group.last().next()), stream.end());
        return count > 0 && left > times * count;
    }

    private static void reply(Execution execution, StreamRead read, List<StreamId> ids, List<Integer> served) {
        ReplyEncoder reply = execution.reply();
        boolean pairs = reply.version() == 2;
        if (pairs) {
            reply.array(served.size());
        } else {
            reply.map(served.size());
        }
        for (int index : served) {
            if (pairs) {
                reply.array(2);
            }
            Bytes key = read.key(execution, index);
            reply.bulk(key.toArray());
            try (Stream stream = Objects.requireNonNull(execution.store().stream(key))) {
                replyStream(execution, read, stream, index, ids.get(index));
            }
        }
    }

    private static void replyStream(Execution execution, StreamRead read, Stream stream, int index, StreamId id) {
        long most = read.count() == 0 ? Long.MAX_VALUE : read.count();
        if (!read.ofGroup()) {
            StreamReply.entries(execution, stream, stream.ceiling(id.next()), stream.end(), most);
            return;
        }
        Group group = Objects.requireNonNull(GroupNames.find(execution, stream, read.group()));
        GroupConsumer consumer = GroupCommands.consumer(
                execution, stream, group, GroupNames.of(execution, read.group() + 1), read.key(execution, index));
        try {
            if (id.equals(StreamId.MAX)) {
                deliver(execution, read, stream, group, consumer, most);
            } else {
                history(execution, stream, group, consumer, id, most);
            }
        } finally { // on a full disk, some entries may be pending
            stream.changed();
        }
    }

    /** Delivers entries that no consumer of the group has got yet. They are pending before the group counts as further. */
    private static void deliver(
            Execution execution, StreamRead read, Stream stream, Group group, GroupConsumer consumer, long most) {
        long now = execution.store().nowMillis();
        long from = stream.ceiling(group.last().next());
        ReadCounts counts = new ReadCounts(stream);
        long[] count = {group.read()};
        StreamId[] last = {group.last()};
        execution.reply().array(Math.min(most, stream.count(from, stream.end())));
        stream.forEach(from, stream.end(), most, (id, segment, offset) -> {
            count[0] = counts.behind(count[0], id);
            last[0] = id;
            StreamReply.entry(execution, id, segment, offset);
            if (!read.unacknowledged()) {
                group.give(id, consumer, now, 1);
            }
        });
        group.setLast(last[0], count[0]);
    }

    /** Delivers the entries again that the consumer has not acknowledged. */
    private static void history(
            Execution execution, Stream stream, Group group, GroupConsumer consumer, StreamId id, long most) {
        List<Pending> pending = consumer.pending().tailMap(id, false).values().stream()
                .limit(most)
                .toList();
        execution.reply().array(pending.size());
        for (Pending entry : pending) {
            if (stream.contains(entry.id())) {
                StreamReply.entryOf(execution, stream, entry.id());
                group.give(entry.id(), consumer, execution.store().nowMillis(), entry.deliveries() + 1);
            } else {
                execution.reply().array(2);
                StreamReply.id(execution, entry.id());
                execution.reply().nilArray();
            }
        }
    }
}
