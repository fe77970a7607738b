package dev.larder.server.command;

import dev.larder.resp.ReplyException;
import dev.larder.server.store.Bytes;
import dev.larder.server.stream.StreamId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The options of XREAD and XREADGROUP.
 *
 * @param ofGroup whether it is XREADGROUP
 * @param group the argument that names the group, followed by the consumer; 0: none
 * @param count how many entries of each stream at most; 0: all
 * @param timeoutMillis how long it waits for entries; 0: for ever; below 0: not at all
 * @param unacknowledged whether delivered entries do not count as pending
 * @param firstKey the argument that is the first key
 * @param keys how many keys there are, and as many ids behind them
 */
record StreamRead(
        boolean ofGroup, int group, long count, long timeoutMillis, boolean unacknowledged, int firstKey, int keys) {

    /** Stands for the entries that no consumer has got yet. */
    static final String NEW = ">";

    /** Stands for the last entry that there is. */
    static final String LAST = "$";

    private static final long COUNT_OF_WAITING = 1000;

    static StreamRead parse(Execution execution, boolean ofGroup) {
        int group = 0;
        long count = 0;
        long timeout = -1;
        boolean unacknowledged = false;
        int at = 1;
        while (at < execution.count()) {
            int more = execution.count() - at - 1;
            if (more > 0 && execution.is(at, "block")) {
                timeout = timeout(execution, at + 1);
                at += 2;
            } else if (more > 0 && execution.is(at, "count")) {
                count = Math.max(0, execution.integer(at + 1));
                at += 2;
            } else if (more > 0 && execution.is(at, "streams")) {
                requireGroup(ofGroup, group, more);
                if (ofGroup) {
                    GroupNames.mayBeNew(execution, group + 1, "consumer");
                }
                return new StreamRead(ofGroup, group, count, timeout, unacknowledged, at + 1, more / 2);
            } else if (more > 1 && execution.is(at, "group")) {
                requireGroupCommand(ofGroup, "GROUP");
                group = at + 1;
                at += 3;
            } else if (execution.is(at, "noack")) {
                requireGroupCommand(ofGroup, "NOACK");
                unacknowledged = true;
                at++;
            } else {
                throw ReplyException.syntax();
            }
        }
        throw ReplyException.syntax();
    }

    private static long timeout(Execution execution, int argument) {
        long timeout = execution.integer(
                argument, Long.MIN_VALUE, Long.MAX_VALUE, "ERR timeout is not an integer or out of range");
        if (timeout < 0) {
            throw new ReplyException("ERR timeout is negative");
        }
        return timeout;
    }

    private static void requireGroup(boolean ofGroup, int group, int arguments) {
        if (arguments % 2 != 0) {
            throw new ReplyException(
                    "ERR Unbalanced XREAD list of streams: for each stream key an ID or '$' must be" + " specified.");
        }
        if (ofGroup && group == 0) {
            throw new ReplyException("ERR Missing GROUP option for XREADGROUP");
        }
    }

    private static void requireGroupCommand(boolean ofGroup, String option) {
        if (!ofGroup) {
            throw new ReplyException(
                    "ERR The " + option + " option is only supported by XREADGROUP. You called XREAD" + " instead.");
        }
    }

    Bytes key(Execution execution, int index) {
        return execution.argument(firstKey + index);
    }

    int idArgument(int index) {
        return firstKey + keys + index;
    }

    /** Returns what to wait for: entries behind some ids. */
    Wait waiting(Execution execution, List<StreamId> ids) {
        Map<Bytes, Wait.OnKey> all = new LinkedHashMap<>();
        for (int i = 0; i < keys; i++) {
            Bytes key = key(execution, i).copy();
            all.putIfAbsent(key, new Wait.OnKey(key, ofGroup ? NEW : ids.get(i).toString()));
        }
        return new Wait(beginning(execution), List.copyOf(all.values()), timeoutMillis);
    }

    private List<byte[]> beginning(Execution execution) {
        List<byte[]> arguments = new ArrayList<>();
        arguments.add(ascii(ofGroup ? "XREADGROUP" : "XREAD"));
        if (ofGroup) {
            arguments.add(ascii("GROUP"));
            arguments.add(execution.argument(group).toArray());
            arguments.add(execution.argument(group + 1).toArray());
        }
        if (unacknowledged) {
            arguments.add(ascii("NOACK"));
        }
        arguments.add(ascii("COUNT"));
        arguments.add(ascii(Long.toString(count == 0 ? COUNT_OF_WAITING : count)));
        arguments.add(ascii("BLOCK"));
        arguments.add(ascii("0"));
        arguments.add(ascii("STREAMS"));
        return arguments;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
