package dev.larder.server.command;

import dev.larder.resp.ReplyException;
import dev.larder.server.stream.Stream;
import dev.larder.server.stream.StreamId;
import org.jspecify.annotations.Nullable;

/**
 * The options of XADD.
 *
 * @param given the id, or its time; null: the next one
 * @param anyNumber whether the id's number is the next one of its time
 * @param onlyIfPresent whether a missing stream is not made
 * @param production the producer and the number of the entry, so that a retry adds nothing
 * @param trim how the stream is trimmed afterwards
 * @param firstField the argument that is the first field
 */
record StreamAdd(
        @Nullable StreamId given,
        boolean anyNumber,
        boolean onlyIfPresent,
        Production production,
        StreamTrim trim,
        int firstField) {

    static StreamAdd parse(Execution execution) {
        StreamTrim.Options trim = new StreamTrim.Options(execution);
        boolean onlyIfPresent = false;
        Production production = Production.NONE;
        int at = 2;
        boolean options = true;
        while (options && at < execution.count()) {
            int next = trim.take(at);
            Production producing = next == at ? Production.parse(execution, at) : null;
            if (producing != null) {
                production = producing;
                next = at + producing.arguments();
            }
            if (next == at && execution.is(at, "nomkstream")) {
                onlyIfPresent = true;
                next = at + 1;
            }
            options = next > at;
            at = next;
        }
        String id = at < execution.count() ? execution.argument(at).toString() : "*";
        boolean anyNumber = id.endsWith("-*");
        StreamId given = id.equals("*") ? null : parse(id, anyNumber);
        StreamTrim end = trim.end();
        int fields = execution.count() - at - 1;
        if (fields < 2 || fields % 2 == 1) {
            throw new ReplyException("ERR wrong number of arguments for 'xadd' command");
        }
        if (given != null && !anyNumber && given.isZero()) {
            throw new ReplyException("ERR The ID specified in XADD must be greater than 0-0");
        }
        if (given != null && production.isGiven()) {
            throw new ReplyException("ERR IDMP and IDMPAUTO can be used only with auto-generated IDs");
        }
        return new StreamAdd(given, anyNumber, onlyIfPresent, production, end, at + 1);
    }

    private static StreamId parse(String text, boolean anyNumber) {
        StreamId id = StreamIds.tryStrict(anyNumber ? text.substring(0, text.length() - 2) + "-0" : text, 0);
        if (id == null) {
            throw StreamIds.invalid();
        }
        return id;
    }

    /** Returns the id of the new entry. */
    StreamId id(Stream stream, long nowMillis) {
        StreamId last = stream.last();
        if (last.equals(StreamId.MAX)) {
            throw new ReplyException("ERR The stream has exhausted the last possible ID, unable to add more items");
        }
        StreamId id = given == null ? last.nextAt(nowMillis) : given;
        if (given != null && anyNumber && given.millis() == last.millis()) {
            id = last.number() == -1 ? StreamId.ZERO : last.next();
        }
        if (!id.isAfter(last)) {
            throw new ReplyException(
                    "ERR The ID specified in XADD is equal or smaller than the target stream top item");
        }
        return id;
    }
}
