package dev.larder.server.command;

import dev.larder.resp.Command;
import dev.larder.server.store.Bytes;
import dev.larder.server.stream.ChangedRecords;
import dev.larder.server.stream.EntryHandler;
import dev.larder.server.stream.Group;
import dev.larder.server.stream.GroupConsumer;
import dev.larder.server.stream.Pending;
import dev.larder.server.stream.Stream;
import dev.larder.server.stream.StreamId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a command reads of streams, and changes nothing: the same entries, and the records that the command will change.
 * An event loop looks before a command that changes something, to find out in time what is not in memory. Other threads look
 * to load that.
 */
@SuppressWarnings("exports") // callers do not need the nullness annotations
public final class StreamLooks {

    private static final EntryHandler ENTRY = (id, segment, offset) -> {};

    private static final Map<String, Handler> ALL = Map.ofEntries(
            Map.entry("copy", execution -> open(execution, 1)),
            Map.entry("dump", StreamLooks::all),
            Map.entry("move", execution -> open(execution, 1)),
            Map.entry("xack", StreamLooks::acknowledge),
            Map.entry("xadd", StreamLooks::add),
            Map.entry("xautoclaim", StreamLooks::claimAny),
            Map.entry("xcfgset", StreamLooks::configure),
            Map.entry("xclaim", StreamLooks::claim),
            Map.entry("xdel", StreamLooks::delete),
            Map.entry("xgroup|create", execution -> open(execution, 2)),
            Map.entry("xgroup|createconsumer", execution -> open(execution, 2)),
            Map.entry("xgroup|delconsumer", StreamLooks::removeConsumer),
            Map.entry("xgroup|destroy", StreamLooks::destroy),
            Map.entry("xgroup|setid", StreamLooks::setGroup),
            Map.entry("xinfo|consumers", ownHandler(StreamInfoCommands.all(), "xinfo|consumers")),
            Map.entry("xinfo|groups", ownHandler(StreamInfoCommands.all(), "xinfo|groups")),
            Map.entry("xinfo|stream", ownHandler(StreamInfoCommands.all(), "xinfo|stream")),
            Map.entry("xlen", execution -> open(execution, 1)),
            Map.entry("xpending", execution -> open(execution, 1)),
            Map.entry("xrange", ownHandler(StreamCommands.all(), "xrange")),
            Map.entry("xread", ownHandler(ReadCommands.all(), "xread")),
            Map.entry("xreadgroup", StreamLooks::group),
            Map.entry("xrevrange", ownHandler(StreamCommands.all(), "xrevrange")),
            Map.entry("xsetid", StreamLooks::setId),
            Map.entry("xtrim", StreamLooks::trim));

    /** Commands that change something after they have read entries. */
    private static final Set<String> READ_FIRST =
            Set.of("xautoclaim", "xclaim", "xdel", "xreadgroup", "xsetid", "xtrim");

    private StreamLooks() {}

    /** Returns whether a command always needs a look before it runs: it reads entries, and then changes something. */
    public static boolean isNeeded(Command command) {
        return READ_FIRST.contains(command.name());
    }

    /** A command that only reads is its own look. */
    private static Handler ownHandler(Map<String, Handler> family, String name) {
        return Objects.requireNonNull(family.get(name));
    }

    /** Returns the look of a command, whose reply is of no use; null if it reads nothing of streams. */
    public static @Nullable Handler of(Call call) {
        return ALL.get(call.command().name());
    }

    private static @Nullable Stream stream(Execution execution, int argument) {
        return execution.store().stream(execution.argument(argument));
    }

    private static void open(Execution execution, int argument) {
        try (@Nullable Stream stream = stream(execution, argument)) {
            assert stream == null || stream.length() >= 0;
        }
    }

    private static void all(Execution execution) {
        try (@Nullable Stream stream = stream(execution, 1)) {
            if (stream != null) {
                stream.forEach(stream.first(), stream.end(), Long.MAX_VALUE, ENTRY);
            }
        }
    }

    private static void setId(Execution execution) {
        last(execution);
        configure(execution); // numbers of greater ids are forgotten
    }

    private static void last(Execution execution) {
        try (@Nullable Stream stream = stream(execution, 1)) {
            if (stream != null) {
                stream.lastId();
                ChangedRecords.look(stream, ChangedRecords::head);
            }
        }
    }

    private static void add(Execution execution) {
        StreamAdd add = StreamAdd.parse(execution);
        try (@Nullable Stream stream = stream(execution, 1)) {
            if (stream != null) {
                trim(execution, stream, add.trim());
                produce(execution, stream, add);
            }
        }
    }

    private static void produce(Execution execution, Stream stream, StreamAdd add) {
        Production production = add.production();
        if (production.isGiven()) {
            String producer = production.producerName(execution);
            String number = production.numberOf(execution, add.firstField());
            long now = execution.store().nowMillis();
            ChangedRecords.look(stream, changed -> changed.production(producer, number, now));
        }
    }

    private static void configure(Execution execution) {
        try (@Nullable Stream stream = stream(execution, 1)) {
            if (stream != null) {
                ChangedRecords.look(stream, ChangedRecords::productions);
            }
        }
    }

    private static void trim(Execution execution) {
        StreamTrim.Options options = new StreamTrim.Options(execution);
        int at = 2;
        int next = options.take(at);
        while (next > at && next < execution.count()) {
            at = next;
            next = options.take(at);
        }
        StreamTrim trim = options.endRequired();
        try (@Nullable Stream stream = stream(execution, 1)) {
            if (stream != null) {
                trim(execution, stream, trim);
            }
        }
    }

    private static void trim(Execution execution, Stream stream, StreamTrim trim) {
        if (trim.isGiven()) {
            long end = trim.end(stream, execution.store().streamNodeEntries());
            ChangedRecords.look(stream, changed -> {
                changed.head();
                changed.deletedUpTo(end);
            });
        }
    }

    /**
     * Returns the arguments that are ids, up to the first that is not one: then the command is an error, or that argument is
     * an option.
     */
    private static List<StreamId> ids(Execution execution, int first) {
        List<StreamId> ids = new ArrayList<>();
        for (int i = first; i < execution.count(); i++) {
            StreamId id = StreamIds.tryStrict(execution.argument(i).toString(), 0);
            if (id == null) {
                return ids;
            }
            ids.add(id);
        }
        return ids;
    }

    private static void delete(Execution execution) {
        List<StreamId> ids = ids(execution, 2);
        try (@Nullable Stream stream = stream(execution, 1)) {
            if (stream != null) {
                read(stream, ids);
                ChangedRecords.look(stream, changed -> {
                    changed.head();
                    ids.forEach(changed::deleted);
                });
            }
        }
    }

    private static void read(Stream stream, List<StreamId> ids) {
        for (StreamId id : ids) {
            stream.read(id, ENTRY);
        }
    }

    /** Looks at a stream and one of its groups. */
    @FunctionalInterface
    private interface GroupLooker {
        void look(Stream stream, Group group);
    }

    private static void withGroup(Execution execution, int key, GroupLooker looker) {
        try (@Nullable Stream stream = stream(execution, key)) {
            Group group = GroupNames.find(execution, stream, key + 1);
            if (stream != null && group != null) {
                looker.look(stream, group);
            }
        }
    }

    private static void acknowledge(Execution execution) {
        List<StreamId> ids = ids(execution, 3);
        withGroup(execution, 1, (stream, group) -> pending(stream, group, null, ids));
    }

    /** Looks at the records of pending entries, and at the record of the consumer that gets them. */
    private static void pending(
            Stream stream, Group group, @Nullable GroupConsumer consumer, Collection<StreamId> ids) {
        ChangedRecords.look(stream, changed -> {
            if (consumer != null) {
                changed.consumer(group, consumer);
            }
            ids.forEach(id -> changed.pending(group, id));
        });
    }

    private static void setGroup(Execution execution) {
        withGroup(execution, 2, StreamLooks::setLast);
    }

    private static void destroy(Execution execution) {
        withGroup(execution, 2, (stream, group) -> ChangedRecords.look(stream, changed -> changed.all(group)));
    }

    private static void removeConsumer(Execution execution) {
        withGroup(execution, 2, (stream, group) -> {
            GroupConsumer consumer = group.consumer(GroupNames.of(execution, 4));
            if (consumer != null) {
                pending(stream, group, consumer, consumer.pending().keySet());
            }
        });
    }

    private static void claim(Execution execution) {
        List<StreamId> ids = ids(execution, 5);
        withGroup(execution, 1, (stream, group) -> {
            read(stream, ids);
            pending(stream, group, group.consumer(GroupNames.of(execution, 3)), ids);
        });
    }

    private static void claimAny(Execution execution) {
        StreamId start = StreamIds.start(execution, 5);
        long most = ClaimCommands.COUNT;
        for (int i = 6; i + 1 < execution.count(); i++) {
            if (execution.is(i, "count")) {
                most = execution.integer(i + 1);
            }
        }
        long taken = most;
        withGroup(execution, 1, (stream, group) -> claimAny(execution, stream, group, start, taken));
    }

    private static void claimAny(Execution execution, Stream stream, Group group, StreamId start, long most) {
        long idle = Math.max(0, execution.integer(4));
        long now = execution.store().nowMillis();
        List<StreamId> ids = new ArrayList<>();
        long taken = 0;
        for (Pending entry : group.pending().tailMap(start, true).values()) {
            if (taken >= most || ids.size() / ClaimCommands.ATTEMPTS_FACTOR >= most) {
                break;
            }
            ids.add(entry.id());
            boolean there = stream.read(entry.id(), ENTRY);
            taken += !there || now - entry.deliveredMillis() >= idle ? 1 : 0;
        }
        pending(stream, group, group.consumer(GroupNames.of(execution, 3)), ids);
    }

    private static void group(Execution execution) {
        StreamRead read = StreamRead.parse(execution, true);
        long most = read.count() == 0 ? Long.MAX_VALUE : read.count();
        String name = GroupNames.of(execution, read.group() + 1);
        for (int i = 0; i < read.keys(); i++) {
            Bytes id = execution.argument(read.idArgument(i));
            try (@Nullable Stream stream = execution.store().stream(read.key(execution, i))) {
                Group group = GroupNames.find(execution, stream, read.group());
                if (stream == null || group == null) {
                    return; // the command is an error
                }
                stream.firstId();
                stream.lastId();
                GroupConsumer consumer = group.consumer(name);
                List<StreamId> history = List.of();
                if (id.toString().equals(StreamRead.NEW)
                        || StreamIds.any(id, 0).equals(StreamId.MAX)) { // as the command takes it
                    stream.forEach(stream.ceiling(group.last().next()), stream.end(), most, ENTRY);
                    setLast(stream, group);
                } else if (consumer != null) {
                    history = consumer.pending().tailMap(StreamIds.any(id, 0), false).keySet().stream()
                            .limit(most)
                            .toList();
                    read(stream, history);
                }
                pending(stream, group, consumer, history);
            }
        }
    }

    private static void setLast(Stream stream, Group group) {
        ChangedRecords.look(stream, changed -> changed.group(group));
    }
}
