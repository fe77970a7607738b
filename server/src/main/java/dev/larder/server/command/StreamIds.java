package dev.larder.server.command;

import dev.larder.resp.ReplyException;
import dev.larder.server.store.Bytes;
import dev.larder.server.stream.StreamId;
import org.jspecify.annotations.Nullable;

/** Ids of entries as clients write them. */
final class StreamIds {

    private static final int TEXT_MAX_CHARACTERS = 127;
    private static final long MAX = -1;

    private StreamIds() {}

    /** Returns the id of an argument; a missing number is replaced by the given one. {@code -} and {@code +} are no ids. */
    static StreamId strict(Execution execution, int argument, long missingNumber) {
        return orInvalid(tryStrict(execution.argument(argument).toString(), missingNumber));
    }

    /** Returns an id as {@link #strict} does; null if the text is no id. */
    static @Nullable StreamId tryStrict(String text, long missingNumber) {
        if (text.equals("-") || text.equals("+")) {
            return null;
        }
        return parse(text, missingNumber);
    }

    private static StreamId orInvalid(@Nullable StreamId id) {
        if (id == null) {
            throw invalid();
        }
        return id;
    }

    static ReplyException invalid() {
        return new ReplyException("ERR Invalid stream ID specified as stream command argument");
    }

    /** Returns the id of an argument, which may be {@code -} or {@code +}. */
    static StreamId any(Bytes argument, long missingNumber) {
        String text = argument.toString();
        if (text.equals("-")) {
            return StreamId.ZERO;
        }
        return text.equals("+") ? StreamId.MAX : orInvalid(parse(text, missingNumber));
    }

    /** Returns the first id of an interval: behind a bracket, the next one. */
    static StreamId start(Execution execution, int argument) {
        Bytes text = execution.argument(argument);
        if (!isExclusive(text)) {
            return any(text, 0);
        }
        StreamId id = orInvalid(tryStrict(text.toString().substring(1), 0));
        if (id.equals(StreamId.MAX)) {
            throw new ReplyException("ERR invalid start ID for the interval");
        }
        return id.next();
    }

    /** Returns the last id of an interval: behind a bracket, the previous one. */
    static StreamId end(Execution execution, int argument) {
        Bytes text = execution.argument(argument);
        if (!isExclusive(text)) {
            return any(text, MAX);
        }
        StreamId id = orInvalid(tryStrict(text.toString().substring(1), MAX));
        if (id.isZero()) {
            throw new ReplyException("ERR invalid end ID for the interval");
        }
        return id.previous();
    }

    private static boolean isExclusive(Bytes text) {
        return text.length() > 1 && text.at(0) == '(';
    }

    private static @Nullable StreamId parse(String text, long missingNumber) {
        if (text.length() > TEXT_MAX_CHARACTERS) {
            return null;
        }
        int dash = text.indexOf('-');
        Long millis = unsigned(dash < 0 ? text : text.substring(0, dash));
        Long number = dash < 0 ? Long.valueOf(missingNumber) : unsigned(text.substring(dash + 1));
        return millis == null || number == null ? null : new StreamId(millis, number);
    }

    /** Returns an unsigned number as C reads one: blanks, a plus and zeros may come first. */
    static @Nullable Long unsigned(String text) {
        String digits = text.stripLeading();
        try {
            boolean signed = digits.startsWith("-");
            return signed ? null : Long.valueOf(Long.parseUnsignedLong(digits));
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
