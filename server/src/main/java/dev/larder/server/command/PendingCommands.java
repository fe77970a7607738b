package dev.larder.server.command;

import dev.larder.resp.ReplyException;
import dev.larder.server.stream.Group;
import dev.larder.server.stream.GroupConsumer;
import dev.larder.server.stream.Pending;
import dev.larder.server.stream.Stream;
import dev.larder.server.stream.StreamId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** {@code XPENDING}: the entries that the consumers of a group have not acknowledged. */
final class PendingCommands {

    private static final int RANGE_ARGUMENTS = 6;
    private static final int MOST_ARGUMENTS = 9;

    private PendingCommands() {}

    static Map<String, Handler> all() {
        return Map.of("xpending", PendingCommands::pending);
    }

    /** The range of these entries: {@code [IDLE least] start end count [consumer]}. */
    private record Range(long idleMillis, StreamId start, StreamId end, long count, int consumer) {

        static Range parse(Execution execution) {
            int at = 3;
            long idle = 0;
            if (execution.is(3, "idle")) {
                idle = execution.integer(4);
                if (execution.count() < 8) {
                    throw ReplyException.syntax();
                }
                at = 5;
            }
            long count = Math.max(0, execution.integer(at + 2));
            StreamId start = StreamIds.start(execution, at);
            StreamId end = StreamIds.end(execution, at + 1);
            return new Range(idle, start, end, count, at + 3 < execution.count() ? at + 3 : 0);
        }
    }

    private static void pending(Execution execution) {
        int count = execution.count();
        if (count != 3 && (count < RANGE_ARGUMENTS || count > MOST_ARGUMENTS)) {
            throw ReplyException.syntax();
        }
        @Nullable Range range = count == 3 ? null : Range.parse(execution);
        try (@Nullable Stream stream = execution.lookUpStream(execution.argument(1))) {
            Group group = GroupNames.find(execution, stream, 2);
            if (group == null) {
                throw GroupNames.noKeyOrGroup(execution, 1, 2);
            }
            if (range == null) {
                summary(execution, group);
            } else {
                list(execution, group, range);
            }
        }
    }

    private static void summary(Execution execution, Group group) {
        execution.reply().array(4);
        execution.reply().integer(group.pending().size());
        if (group.pending().isEmpty()) {
            execution.reply().nil();
            execution.reply().nil();
            execution.reply().nilArray();
            return;
        }
        StreamReply.id(execution, group.pending().firstKey());
        StreamReply.id(execution, group.pending().lastKey());
        List<GroupConsumer> busy = group.consumers().values().stream()
                .filter(consumer -> !consumer.pending().isEmpty())
                .toList();
        execution.reply().array(busy.size());
        for (GroupConsumer consumer : busy) {
            execution.reply().array(2);
            GroupNames.reply(execution, consumer.name());
            execution.reply().text(Integer.toString(consumer.pending().size()));
        }
    }

    private static void list(Execution execution, Group group, Range range) {
        NavigableMap<StreamId, Pending> pending = group.pending();
        if (range.consumer() > 0) {
            GroupConsumer consumer = group.consumer(GroupNames.of(execution, range.consumer()));
            if (consumer == null) {
                execution.reply().array(0);
                return;
            }
            pending = consumer.pending();
        }
        long now = execution.store().nowMillis();
        List<Pending> found = new ArrayList<>();
        for (Pending entry : pending.tailMap(range.start(), true).values()) {
            if (found.size() >= range.count() || entry.id().isAfter(range.end())) {
                break;
            }
            if (range.idleMillis() == 0 || now - entry.deliveredMillis() >= range.idleMillis()) {
                found.add(entry);
            }
        }
        execution.reply().array(found.size());
        for (Pending entry : found) {
            execution.reply().array(4);
            StreamReply.id(execution, entry.id());
            GroupNames.reply(execution, entry.consumer().name());
            execution.reply().integer(Math.max(0, now - entry.deliveredMillis()));
            execution.reply().integer(entry.deliveries());
        }
    }
}
