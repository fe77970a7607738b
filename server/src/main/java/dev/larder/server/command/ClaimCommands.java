package dev.larder.server.command;

import dev.larder.resp.ReplyException;
import dev.larder.server.store.Bytes;
import dev.larder.server.stream.Group;
import dev.larder.server.stream.GroupConsumer;
import dev.larder.server.stream.Pending;
import dev.larder.server.stream.Stream;
import dev.larder.server.stream.StreamId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code XCLAIM} and {@code XAUTOCLAIM}: a consumer takes over entries that others have not acknowledged. */
final class ClaimCommands {

    /** How many entries XAUTOCLAIM takes over by default. */
    static final long COUNT = 100;

    private static final long COUNT_MAX = Long.MAX_VALUE / 16;

    /** How many pending entries it looks at for each that it takes over. */
    static final int ATTEMPTS_FACTOR = 10;

    private ClaimCommands() {}

    static Map<String, Handler> all() {
        return Map.of("xautoclaim", ClaimCommands::claimAny, "xclaim", ClaimCommands::claim);
    }

    /** A consumer that claims entries; it is made with the first entry that it gets. */
    private static final class Claimant {

        private final Execution execution;
        private final Stream stream;
        private final Group group;
        private final String name;
        private final long idleMillis;
        private final long nowMillis;
        private @Nullable GroupConsumer consumer;

        Claimant(Execution execution, Stream stream, Group group, long idleMillis) {
            this.execution = execution;
            this.stream = stream;
            this.group = group;
            this.name = GroupNames.mayBeNew(execution, 3, "consumer");
            this.idleMillis = idleMillis;
            this.nowMillis = execution.store().nowMillis();
        }

        boolean mayTake(Pending entry) {
            return idleMillis == 0 || nowMillis - entry.deliveredMillis() >= idleMillis;
        }

        void take(StreamId id, long deliveredMillis, long deliveries) {
            if (consumer == null) {
                Bytes key = execution.argument(1);
                consumer = GroupCommands.consumer(execution, stream, group, name, key);
            }
            group.give(id, Objects.requireNonNull(consumer), deliveredMillis, deliveries);
            stream.changed();
        }

        /** Removes a pending entry that is not in the stream any more. */
        void drop(StreamId id) {
            if (group.acknowledge(id)) {
                stream.changed();
            }
        }

        void reply(List<StreamId> claimed, boolean justIds) {
            execution.reply().array(claimed.size());
            for (StreamId id : claimed) {
                if (justIds) {
                    StreamReply.id(execution, id);
                } else {
                    StreamReply.entryOf(execution, stream, id);
                }
            }
        }
    }

    /** The options of XCLAIM. */
    private record Options(
            List<StreamId> ids, boolean force, boolean justIds, long deliveredMillis, long deliveries, StreamId last) {

        static Options parse(Execution execution) {
            List<StreamId> ids = new ArrayList<>();
            int at = 5;
            while (at < execution.count()) {
                StreamId id = StreamIds.tryStrict(execution.argument(at).toString(), 0);
                if (id == null) {
                    break;
                }
                ids.add(id);
                at++;
            }
            long now = execution.store().nowMillis();
            boolean force = false;
            boolean justIds = false;
            long delivered = -1;
            long deliveries = -1;
            StreamId last = StreamId.ZERO;
            while (at < execution.count()) {
                boolean more = at + 1 < execution.count();
                if (execution.is(at, "force")) {
                    force = true;
                    at++;
                } else if (execution.is(at, "justid")) {
                    justIds = true;
                    at++;
                } else if (more && execution.is(at, "idle")) {
                    delivered = now - number(execution, at + 1, "IDLE");
                    at += 2;
                } else if (more && execution.is(at, "time")) {
                    delivered = number(execution, at + 1, "TIME");
                    at += 2;
                } else if (more && execution.is(at, "retrycount")) {
                    deliveries = number(execution, at + 1, "RETRYCOUNT");
                    at += 2;
                } else if (more && execution.is(at, "lastid")) {
                    last = StreamIds.strict(execution, at + 1, 0);
                    at += 2;
                } else {
                    throw new ReplyException("ERR Unrecognized XCLAIM option '" + execution.argument(at) + "'");
                }
            }
            long time = delivered < 0 || delivered > now ? now : delivered;
            return new Options(ids, force, justIds, time, deliveries, last);
        }

        private static long number(Execution execution, int argument, String option) {
            return execution.integer(
                    argument, Long.MIN_VALUE, Long.MAX_VALUE, "ERR Invalid " + option + " option argument for XCLAIM");
        }
    }

    private static void claim(Execution execution) {
        try (@Nullable Stream stream = execution.lookUpStream(execution.argument(1))) {
            Group group = GroupNames.find(execution, stream, 2);
            if (stream == null || group == null) {
                throw GroupNames.noKeyOrGroup(execution, 1, 2);
            }
            long idle = idle(execution, "XCLAIM");
            Options options = Options.parse(execution);
            Claimant claimant = new Claimant(execution, stream, group, idle); // it may refuse the name of the consumer
            if (options.last().isAfter(group.last())) {
                group.setLast(options.last(), group.read());
                stream.changed();
            }
            List<StreamId> claimed = new ArrayList<>();
            for (StreamId id : options.ids()) {
                if (claim(claimant, options, id)) {
                    claimed.add(id);
                }
            }
            claimant.reply(claimed, options.justIds());
        }
    }

    private static long idle(Execution execution, String command) {
        return Math.max(
                0,
                execution.integer(
                        4, Long.MIN_VALUE, Long.MAX_VALUE, "ERR Invalid min-idle-time argument for " + command));
    }

    private static boolean claim(Claimant claimant, Options options, StreamId id) {
        if (!claimant.stream.contains(id)) {
            claimant.drop(id);
            return false;
        }
        Pending entry = claimant.group.pending().get(id);
        if (entry == null ? !options.force() : !claimant.mayTake(entry)) {
            return false;
        }
        long before = entry == null ? 1 : entry.deliveries();
        long deliveries = options.deliveries() >= 0 ? options.deliveries() : options.justIds() ? before : before + 1;
        claimant.take(id, options.deliveredMillis(), deliveries);
        return true;
    }

    private static void claimAny(Execution execution) {
        long idle = idle(execution, "XAUTOCLAIM");
        StreamId start = StreamIds.start(execution, 5);
        long count = COUNT;
        boolean justIds = false;
        int at = 6;
        while (at < execution.count()) {
            if (execution.is(at, "count") && at + 1 < execution.count()) {
                count = count(execution, at + 1);
                at += 2;
            } else if (execution.is(at, "justid")) {
                justIds = true;
                at++;
            } else {
                throw ReplyException.syntax();
            }
        }
        try (@Nullable Stream stream = execution.lookUpStream(execution.argument(1))) {
            Group group = GroupNames.find(execution, stream, 2);
            if (stream == null || group == null) {
                throw GroupNames.noKeyOrGroup(execution, 1, 2);
            }
            claimFrom(new Claimant(execution, stream, group, idle), start, count, justIds);
        }
    }

    private static long count(Execution execution, int argument) {
        return execution.integer(argument, 1, COUNT_MAX, "ERR COUNT must be > 0");
    }

    private static void claimFrom(Claimant claimant, StreamId start, long count, boolean justIds) {
        List<StreamId> claimed = new ArrayList<>();
        List<StreamId> dropped = new ArrayList<>();
        long attempts = count * ATTEMPTS_FACTOR;
        Map.Entry<StreamId, Pending> entry = claimant.group.pending().ceilingEntry(start);
        while (entry != null && attempts-- > 0 && claimed.size() + dropped.size() < count) {
            StreamId id = entry.getKey();
            if (!claimant.stream.contains(id)) {
                claimant.drop(id);
                dropped.add(id);
            } else if (claimant.mayTake(entry.getValue())) {
                long deliveries = entry.getValue().deliveries();
                claimant.take(id, claimant.nowMillis, justIds ? deliveries : deliveries + 1);
                claimed.add(id);
            }
            entry = claimant.group.pending().higherEntry(id);
        }
        claimant.execution.reply().array(3);
        StreamReply.id(claimant.execution, entry == null ? StreamId.ZERO : entry.getKey());
        claimant.reply(claimed, justIds);
        claimant.execution.reply().array(dropped.size());
        dropped.forEach(id -> StreamReply.id(claimant.execution, id));
    }
}
