package dev.larder.server.command;

import dev.larder.resp.Command;
import dev.larder.server.store.Bytes;
import dev.larder.server.stream.EntryHandler;
import dev.larder.server.stream.Group;
import dev.larder.server.stream.GroupConsumer;
import dev.larder.server.stream.Pending;
import dev.larder.server.stream.Stream;
import dev.larder.server.stream.StreamId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks at what a command reads of streams: the same entries, and it changes nothing. An event loop looks before a command
 * that changes something, so that it finds out in time what is not in memory. Other threads look to bring that in.
 */
@SuppressWarnings("exports") // who uses this does not need the annotations of nullness
public final class StreamLooks {

    private static final EntryHandler ENTRY = (id, segment, offset) -> {};

    private static final Map<String, Handler> ALL = Map.ofEntries(
            Map.entry("copy", execution -> open(execution, 1)),
            Map.entry("dump", StreamLooks::all),
            Map.entry("move", execution -> open(execution, 1)),
            Map.entry("xack", execution -> open(execution, 1)),
            Map.entry("xadd", StreamLooks::add),
            Map.entry("xautoclaim", StreamLooks::claimAny),
            Map.entry("xcfgset", execution -> open(execution, 1)),
            Map.entry("xclaim", execution -> entries(execution, 5)),
            Map.entry("xdel", execution -> entries(execution, 2)),
            Map.entry("xgroup|create", execution -> open(execution, 2)),
            Map.entry("xgroup|createconsumer", execution -> open(execution, 2)),
            Map.entry("xgroup|delconsumer", execution -> open(execution, 2)),
            Map.entry("xgroup|destroy", execution -> open(execution, 2)),
            Map.entry("xgroup|setid", execution -> open(execution, 2)),
            Map.entry("xinfo|consumers", ownHandler(StreamInfoCommands.all(), "xinfo|consumers")),
            Map.entry("xinfo|groups", ownHandler(StreamInfoCommands.all(), "xinfo|groups")),
            Map.entry("xinfo|stream", ownHandler(StreamInfoCommands.all(), "xinfo|stream")),
            Map.entry("xlen", execution -> open(execution, 1)),
            Map.entry("xpending", execution -> open(execution, 1)),
            Map.entry("xrange", ownHandler(StreamCommands.all(), "xrange")),
            Map.entry("xread", ownHandler(ReadCommands.all(), "xread")),
            Map.entry("xreadgroup", StreamLooks::group),
            Map.entry("xrevrange", ownHandler(StreamCommands.all(), "xrevrange")),
            Map.entry("xsetid", StreamLooks::last),
            Map.entry("xtrim", StreamLooks::trim));

    /** Commands that change something after they have read entries. */
    private static final Set<String> READ_FIRST =
            Set.of("xautoclaim", "xclaim", "xdel", "xreadgroup", "xsetid", "xtrim");

    private StreamLooks() {}

    /** Returns whether a command always needs a look before it runs: it reads entries, and then changes something. */
    public static boolean isNeeded(Command command) {
        return READ_FIRST.contains(command.name());
    }

    /** A command that reads and no more is its own look. */
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

    private static void last(Execution execution) {
        try (@Nullable Stream stream = stream(execution, 1)) {
            if (stream != null) {
                stream.lastId();
            }
        }
    }

    private static void add(Execution execution) {
        lookUp(execution, StreamAdd.parse(execution).trim().least());
    }

    private static void trim(Execution execution) {
        StreamTrim.Options options = new StreamTrim.Options(execution);
        int at = 2;
        int next = options.take(at);
        while (next > at && next < execution.count()) {
            at = next;
            next = options.take(at);
        }
        lookUp(execution, options.end().least());
    }

    private static void lookUp(Execution execution, @Nullable StreamId least) {
        try (@Nullable Stream stream = stream(execution, 1)) {
            if (stream != null && least != null) {
                stream.ceiling(least);
            }
        }
    }

    /** Looks at the entries of all arguments that are ids. */
    private static void entries(Execution execution, int first) {
        try (@Nullable Stream stream = stream(execution, 1)) {
            for (int i = first; i < execution.count() && stream != null; i++) {
                StreamId id = StreamIds.tryStrict(execution.argument(i).toString(), 0);
                if (id == null) {
                    return;
                }
                stream.read(id, ENTRY);
            }
        }
    }

    private static void claimAny(Execution execution) {
        StreamId start = StreamIds.start(execution, 5);
        long most = ClaimCommands.COUNT;
        for (int i = 6; i + 1 < execution.count(); i++) {
            if (execution.is(i, "count")) {
                most = execution.integer(i + 1);
            }
        }
        long idle = Math.max(0, execution.integer(4));
        long now = execution.store().nowMillis();
        try (@Nullable Stream stream = stream(execution, 1)) {
            Group group = GroupNames.find(execution, stream, 2);
            if (stream == null || group == null) {
                return;
            }
            long taken = 0;
            long looked = 0;
            for (Pending entry : group.pending().tailMap(start, true).values()) {
                if (taken >= most || looked++ / ClaimCommands.ATTEMPTS_FACTOR >= most) {
                    return;
                }
                boolean there = stream.read(entry.id(), ENTRY);
                taken += !there || now - entry.deliveredMillis() >= idle ? 1 : 0;
            }
        }
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
                if (id.toString().equals(StreamRead.NEW)) {
                    stream.forEach(stream.ceiling(group.last().next()), stream.end(), most, ENTRY);
                } else {
                    history(stream, group.consumer(name), StreamIds.any(id, 0), most);
                }
            }
        }
    }

    private static void history(Stream stream, @Nullable GroupConsumer consumer, StreamId behind, long most) {
        if (consumer != null) {
            List<StreamId> ids = consumer.pending().tailMap(behind, false).keySet().stream()
                    .limit(most)
                    .toList();
            ids.forEach(id -> stream.read(id, ENTRY));
        }
    }
}
