package dev.larder.server.command;

import dev.larder.resp.ReplyException;
import dev.larder.server.store.Store;
import dev.larder.server.stream.Stream;
import dev.larder.server.stream.StreamId;
import org.jspecify.annotations.Nullable;

/**
 * How a command trims a stream. Exact trimming leaves what was asked for. Approximate trimming leaves more, because it removes
 * only whole nodes of {@code stream-node-max-entries} entries.
 *
 * @param maxLength how many entries are left; below 0: not by length
 * @param least the least id that is left; null: not by id
 * @param about whether only whole nodes are removed
 * @param limit how many entries are removed at most; 0: no limit
 */
record StreamTrim(long maxLength, @Nullable StreamId least, boolean about, long limit) {

    private static final long NODES_MAX = 100;
    private static final long LIMIT_DEFAULT = 10_000;
    private static final long LIMIT_MAX = 1_000_000;

    /** The options of XADD and XTRIM that are about trimming, while they are parsed. */
    static final class Options {

        private final Execution execution;
        private boolean given;
        private long maxLength = -1;
        private @Nullable StreamId least;
        private boolean about;
        private long limit;
        private boolean limited;

        Options(Execution execution) {
            this.execution = execution;
        }

        /** Takes an option if it is one of these; returns the index of the next argument, or the same index. */
        int take(int at) {
            int more = execution.count() - 1 - at;
            if (more > 0 && execution.is(at, "maxlen")) {
                int value = strategy(at);
                maxLength = execution.integer(value);
                if (maxLength < 0) {
                    throw new ReplyException("ERR The MAXLEN argument must be >= 0.");
                }
                return value + 1;
            }
            if (more > 0 && execution.is(at, "minid")) {
                int value = strategy(at);
                least = StreamIds.strict(execution, value, 0);
                return value + 1;
            }
            if (more > 0 && execution.is(at, "limit")) {
                limit = execution.integer(at + 1);
                if (limit < 0) {
                    throw new ReplyException("ERR The LIMIT argument must be >= 0.");
                }
                limited = true;
                return at + 2;
            }
            return at;
        }

        private int strategy(int at) {
            if (given) {
                throw new ReplyException(
                        "ERR syntax error, MAXLEN and MINID options at the same time are not compatible");
            }
            given = true;
            boolean more = execution.count() - 1 - at >= 2;
            about = more && execution.is(at + 1, "~");
            return about || (more && execution.is(at + 1, "=")) ? at + 2 : at + 1;
        }

        /** Returns the options of XTRIM, which must say how much is left. */
        StreamTrim endRequired() {
            if (!given && limit == 0) {
                throw new ReplyException("ERR syntax error, XTRIM must be called with a trimming strategy");
            }
            return end();
        }

        /** Returns the combined options. */
        StreamTrim end() {
            if (limit > 0 && !given) {
                throw new ReplyException(
                        "ERR syntax error, LIMIT cannot be used without specifying a trimming strategy");
            }
            if (limited && !about) {
                throw new ReplyException("ERR syntax error, LIMIT cannot be used without the special ~ option");
            }
            return new StreamTrim(maxLength, least, about, limited ? limit : about ? limit(execution.store()) : 0);
        }

        private static long limit(Store store) {
            long most = NODES_MAX * store.streamNodeEntries();
            return most <= 0 ? LIMIT_DEFAULT : Math.min(most, LIMIT_MAX);
        }
    }

    /** Returns whether the command trims at all. */
    boolean isGiven() {
        return maxLength >= 0 || least != null;
    }

    /** Trims a stream; returns how many entries were removed. */
    long apply(Stream stream, int nodeEntries) {
        return isGiven() ? stream.trim(end(stream, nodeEntries)) : 0;
    }

    /** Returns the sequence before which entries would be removed. */
    long end(Stream stream, int nodeEntries) {
        long to = exact(stream);
        return about ? wholeNodes(stream, to, nodeEntries) : to;
    }

    private long exact(Stream stream) {
        if (least != null) {
            return stream.ceiling(least);
        }
        return stream.length() <= maxLength ? stream.first() : stream.sequenceBehind(stream.length() - maxLength);
    }

    /** Returns the end of the last node that is removed: nodes begin at multiples of their size. */
    private long wholeNodes(Stream stream, long to, int nodeEntries) {
        long node = nodeEntries <= 0 ? Long.MAX_VALUE : nodeEntries;
        long at = stream.first();
        long removed = 0;
        while (at < to && node < Long.MAX_VALUE) {
            long next = Math.min((at / node + 1) * node, stream.end());
            long entries = stream.count(at, next);
            if (stream.count(to, next) > 0 || (limit > 0 && removed + entries > limit)) {
                return at;
            }
            removed += entries;
            at = next;
        }
        return at;
    }
}
