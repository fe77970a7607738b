package dev.larder.server.command;

import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import dev.larder.server.stream.Group;
import dev.larder.server.stream.GroupConsumer;
import dev.larder.server.stream.Pending;
import dev.larder.server.stream.ReadCounts;
import dev.larder.server.stream.Stream;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** {@code XINFO}: the properties of streams, groups and consumers. */
final class StreamInfoCommands {

    private static final int COUNT = 10;
    private static final int FULL_PAIRS = 9;
    private static final int SHORT_PAIRS = 10;

    private StreamInfoCommands() {}

    static Map<String, Handler> all() {
        return Map.of(
                "xinfo|consumers", StreamInfoCommands::consumers,
                "xinfo|groups", StreamInfoCommands::groups,
                "xinfo|stream", StreamInfoCommands::stream);
    }

    private static Stream require(@Nullable Stream stream) {
        if (stream == null) {
            throw new ReplyException("ERR no such key");
        }
        return stream;
    }

    private static void consumers(Execution execution) {
        try (@Nullable Stream stream = execution.lookUpStream(execution.argument(2))) {
            Group group = GroupNames.find(execution, require(stream), 3);
            if (group == null) {
                throw GroupNames.noGroupOfKey(execution, 2, 3);
            }
            long now = execution.store().nowMillis();
            execution.reply().array(group.consumers().size());
            for (GroupConsumer consumer : group.consumers().values()) {
                execution.reply().map(3);
                name(execution, "name", consumer.name());
                number(execution, "pending", consumer.pending().size());
                number(execution, "idle", Math.max(0, now - consumer.seenMillis()));
            }
        }
    }

    private static void number(Execution execution, String field, long value) {
        execution.reply().text(field);
        execution.reply().integer(value);
    }

    private static void name(Execution execution, String field, String value) {
        execution.reply().text(field);
        GroupNames.reply(execution, value);
    }

    private static void text(Execution execution, String field, Object value) {
        execution.reply().text(field);
        execution.reply().text(value.toString());
    }

    private static void count(Execution execution, String field, long value) {
        execution.reply().text(field);
        if (value == Group.UNKNOWN) {
            execution.reply().nil();
        } else {
            execution.reply().integer(value);
        }
    }

    private static void groups(Execution execution) {
        try (@Nullable Stream there = execution.lookUpStream(execution.argument(2))) {
            Stream stream = require(there);
            ReadCounts counts = new ReadCounts(stream);
            execution.reply().array(stream.groups().all().size());
            for (Group group : stream.groups().all().values()) {
                execution.reply().map(6);
                name(execution, "name", group.name());
                number(execution, "consumers", group.consumers().size());
                number(execution, "pending", group.pending().size());
                progress(execution, group, counts);
            }
        }
    }

    private static void progress(Execution execution, Group group, ReadCounts counts) {
        text(execution, "last-delivered-id", group.last());
        count(execution, "entries-read", group.read());
        count(execution, "lag", counts.lag(group));
    }

    private static void stream(Execution execution) {
        try (@Nullable Stream there = execution.lookUpStream(execution.argument(2))) {
            Stream stream = require(there);
            boolean full = execution.count() > 3;
            long most = full ? entriesMost(execution) : COUNT;
            summary(execution, stream, full);
            if (full) {
                entries(execution, stream, most);
            } else {
                ends(execution, stream);
            }
        }
    }

    private static long entriesMost(Execution execution) {
        int count = execution.count();
        boolean known = (count == 4 || count == 6) && execution.is(3, "full");
        if (!known || (count == 6 && !execution.is(4, "count"))) {
            throw new ReplyException("ERR unknown subcommand or wrong number of arguments for '" + execution.argument(1)
                    + "'. Try XINFO HELP.");
        }
        long asked = count == 6 ? execution.integer(5) : COUNT;
        return asked < 0 ? COUNT : asked == 0 ? Long.MAX_VALUE : asked;
    }

    private static void summary(Execution execution, Stream stream, boolean full) {
        long node = Math.max(1, execution.store().streamNodeEntries());
        long nodes = stream.length() == 0 ? 0 : (stream.end() - 1) / node - stream.first() / node + 1;
        boolean strange = stream.foreign() > 0;
        execution.reply().map((full ? FULL_PAIRS : SHORT_PAIRS) + (strange ? 1 : 0));
        number(execution, "length", stream.length());
        number(execution, "radix-tree-keys", nodes);
        number(execution, "radix-tree-nodes", nodes + 1);
        text(execution, "last-generated-id", stream.last());
        text(execution, "max-deleted-entry-id", stream.greatestDeleted());
        number(execution, "entries-added", stream.added());
        text(execution, "recorded-first-entry-id", stream.firstId());
        if (strange) {
            text(
                    execution,
                    "error",
                    stream.foreign() + " messages of the queue are not entries: another program appended them");
        }
    }

    private static void ends(Execution execution, Stream stream) {
        ReplyEncoder reply = execution.reply();
        number(execution, "groups", stream.groups().all().size());
        for (boolean last : new boolean[] {false, true}) {
            reply.text(last ? "last-entry" : "first-entry");
            if (stream.length() == 0) {
                reply.nil();
            } else {
                StreamReply.entryOf(execution, stream, last ? stream.lastId() : stream.firstId());
            }
        }
    }

    private static void entries(Execution execution, Stream stream, long most) {
        ReadCounts counts = new ReadCounts(stream);
        execution.reply().text("entries");
        StreamReply.entries(execution, stream, stream.first(), stream.end(), most);
        execution.reply().text("groups");
        execution.reply().array(stream.groups().all().size());
        for (Group group : stream.groups().all().values()) {
            execution.reply().map(7);
            name(execution, "name", group.name());
            progress(execution, group, counts);
            number(execution, "pel-count", group.pending().size());
            pending(execution, group.pending(), most, true);
            execution.reply().text("consumers");
            execution.reply().array(group.consumers().size());
            for (GroupConsumer consumer : group.consumers().values()) {
                execution.reply().map(4);
                name(execution, "name", consumer.name());
                number(execution, "seen-time", consumer.seenMillis());
                number(execution, "pel-count", consumer.pending().size());
                pending(execution, consumer.pending(), most, false);
            }
        }
    }

    private static void pending(
            Execution execution, NavigableMap<?, Pending> pending, long most, boolean withConsumer) {
        List<Pending> shown = pending.values().stream().limit(most).toList();
        execution.reply().text("pending");
        execution.reply().array(shown.size());
        for (Pending entry : shown) {
            execution.reply().array(withConsumer ? 4 : 3);
            StreamReply.id(execution, entry.id());
            if (withConsumer) {
                GroupNames.reply(execution, entry.consumer().name());
            }
            execution.reply().integer(entry.deliveredMillis());
            execution.reply().integer(entry.deliveries());
        }
    }
}
