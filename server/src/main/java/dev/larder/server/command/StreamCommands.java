package dev.larder.server.command;

import dev.larder.resp.ReplyException;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeyEvent;
import dev.larder.server.stream.Fields;
import dev.larder.server.stream.Producers;
import dev.larder.server.stream.Stream;
import dev.larder.server.stream.StreamId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Commands on the entries of streams. Semantics and errors are those of Redis 7.0. */
final class StreamCommands {

    private static final long NO_COUNT = -1;

    /** The limits for how long and how many numbers of a producer are known, as in Redis 8.6. */
    private static final long SECONDS_MAX = 86_400;

    private static final long NUMBERS_MAX = 10_000;

    private StreamCommands() {}

    static Map<String, Handler> all() {
        return Map.of(
                "xadd", StreamCommands::add,
                "xcfgset", StreamCommands::configure,
                "xdel", StreamCommands::delete,
                "xlen", StreamCommands::length,
                "xrange", execution -> range(execution, false),
                "xrevrange", execution -> range(execution, true),
                "xsetid", StreamCommands::setId,
                "xtrim", StreamCommands::trim);
    }

    private static void add(Execution execution) {
        StreamAdd add = StreamAdd.parse(execution);
        Bytes key = execution.argument(1);
        Fields fields = Fields.of(execution.request(), add.firstField());
        try (@Nullable Stream there = execution.store().stream(key)) {
            if (there == null && add.onlyIfPresent()) {
                execution.reply().nil();
                return;
            }
            requireFit(execution, fields);
            if (there != null) {
                add(execution, add, there, fields);
                return;
            }
        }
        long now = execution.store().nowMillis();
        StreamId[] id = new StreamId[1];
        try (Stream made =
                execution.store().createStream(key, stream -> id[0] = append(execution, add, stream, fields, now))) {
            added(execution, add, made, id[0]);
        }
    }

    private static void requireFit(Execution execution, Fields fields) {
        if (!execution.store().streams().fits(fields)) {
            throw new ReplyException("ERR Elements are too large to be stored");
        }
    }

    private static void add(Execution execution, StreamAdd add, Stream stream, Fields fields) {
        long now = execution.store().nowMillis();
        StreamId before = known(execution, add, stream, now);
        if (before != null) {
            StreamReply.id(execution, before);
            return;
        }
        added(execution, add, stream, append(execution, add, stream, fields, now));
    }

    private static StreamId append(Execution execution, StreamAdd add, Stream stream, Fields fields, long now) {
        StreamId id = add.id(stream, now);
        if (add.production().isGiven()) {
            Production production = add.production();
            String number = production.numberOf(execution, add.firstField());
            stream.add(id, fields, production.producerName(execution), number, now);
        } else {
            stream.add(id, fields);
        }
        return id;
    }

    /** Reports an entry that was added, trims the stream and replies. */
    private static void added(Execution execution, StreamAdd add, Stream stream, StreamId id) {
        Bytes key = execution.argument(1);
        execution.tell(key, KeyEvent.XADD);
        stream.ifThereIsRoom(
                () -> { // the entry is there: an error would make the client add it again
                    if (add.trim().apply(stream, execution.store().streamNodeEntries()) > 0) {
                        execution.tell(key, KeyEvent.XTRIM);
                    }
                });
        StreamReply.id(execution, id);
    }

    /** Returns the id of the entry that a producer has added before. */
    private static @Nullable StreamId known(Execution execution, StreamAdd add, Stream stream, long now) {
        Production production = add.production();
        if (!production.isGiven()) {
            return null;
        }
        String number = production.numberOf(execution, add.firstField());
        return stream.producers().find(production.producerName(execution), number, now, stream.last());
    }

    private static void configure(Execution execution) {
        long seconds = 0;
        long most = 0;
        for (int i = 2; i < execution.count(); i += 2) {
            boolean more = i + 1 < execution.count();
            if (more && execution.is(i, "idmp-duration")) {
                seconds = execution.integer(
                        i + 1, 1, SECONDS_MAX, "ERR IDMP-DURATION must be between 1 and " + SECONDS_MAX + " seconds");
            } else if (more && execution.is(i, "idmp-maxsize")) {
                most = execution.integer(
                        i + 1, 1, NUMBERS_MAX, "ERR IDMP-MAXSIZE must be between 1 and " + NUMBERS_MAX + " entries");
            } else {
                throw ReplyException.syntax();
            }
        }
        try (@Nullable Stream stream = execution.store().stream(execution.argument(1))) {
            if (stream == null) {
                throw new ReplyException("ERR no such key");
            }
            Producers producers = stream.producers();
            producers.configure(
                    seconds == 0 ? producers.seconds() : seconds, most == 0 ? producers.most() : (int) most);
            stream.changed();
            execution.reply().ok();
        }
    }

    private static void length(Execution execution) {
        try (@Nullable Stream stream = execution.lookUpStream(execution.argument(1))) {
            execution.reply().integer(stream == null ? 0 : stream.length());
        }
    }

    private static void range(Execution execution, boolean backward) {
        StreamId start = StreamIds.start(execution, backward ? 3 : 2);
        StreamId end = StreamIds.end(execution, backward ? 2 : 3);
        long count = count(execution);
        try (@Nullable Stream stream = execution.lookUpStream(execution.argument(1))) {
            if (stream == null) {
                execution.reply().array(0);
            } else if (count == 0) {
                execution.reply().nilArray();
            } else {
                long most = count == NO_COUNT ? Long.MAX_VALUE : count;
                long from = stream.ceiling(start);
                long to = end.equals(StreamId.MAX) ? stream.end() : stream.ceiling(end.next());
                if (backward) {
                    StreamReply.entriesBackward(execution, stream, from, to, most);
                } else {
                    StreamReply.entries(execution, stream, from, to, most);
                }
            }
        }
    }

    private static long count(Execution execution) {
        long count = NO_COUNT;
        for (int i = 4; i < execution.count(); i += 2) {
            if (!execution.is(i, "count") || i + 1 == execution.count()) {
                throw ReplyException.syntax();
            }
            count = Math.max(0, execution.integer(i + 1));
        }
        return count;
    }

    private static void delete(Execution execution) {
        Bytes key = execution.argument(1);
        try (@Nullable Stream stream = execution.store().stream(key)) {
            if (stream == null) {
                execution.reply().integer(0);
                return;
            }
            List<StreamId> ids = new ArrayList<>();
            for (int i = 2; i < execution.count(); i++) {
                ids.add(StreamIds.strict(execution, i, 0));
            }
            long before = stream.length();
            try {
                stream.delete(ids);
            } finally { // on a full disk, some may be deleted
                if (stream.length() < before) {
                    execution.tell(key, KeyEvent.XDEL);
                }
            }
            execution.reply().integer(before - stream.length());
        }
    }

    private static void trim(Execution execution) {
        StreamTrim.Options options = new StreamTrim.Options(execution);
        int at = 2;
        while (at < execution.count()) {
            int next = options.take(at);
            if (next == at) {
                throw ReplyException.syntax();
            }
            at = next;
        }
        StreamTrim trim = options.endRequired();
        Bytes key = execution.argument(1);
        try (@Nullable Stream stream = execution.store().stream(key)) {
            long removed =
                    stream == null ? 0 : trim.apply(stream, execution.store().streamNodeEntries());
            if (removed > 0) {
                execution.tell(key, KeyEvent.XTRIM);
            }
            execution.reply().integer(removed);
        }
    }

    private static void setId(Execution execution) {
        StreamId id = StreamIds.strict(execution, 2, 0);
        long added = -1;
        StreamId deleted = StreamId.ZERO;
        for (int i = 3; i < execution.count(); i += 2) {
            boolean more = i + 1 < execution.count();
            if (more && execution.is(i, "entriesadded")) {
                added = execution.integer(i + 1);
                if (added < 0) {
                    throw new ReplyException("ERR entries_added must be positive");
                }
            } else if (more && execution.is(i, "maxdeletedid")) {
                deleted = StreamIds.strict(execution, i + 1, 0);
                if (deleted.isAfter(id)) {
                    throw new ReplyException(
                            "ERR The ID specified in XSETID is smaller than the provided" + " max_deleted_entry_id");
                }
            } else {
                throw ReplyException.syntax();
            }
        }
        setId(execution, id, added, deleted);
    }

    private static void setId(Execution execution, StreamId id, long added, StreamId deleted) {
        Bytes key = execution.argument(1);
        try (@Nullable Stream stream = execution.store().stream(key)) {
            if (stream == null) {
                throw new ReplyException("ERR no such key");
            }
            if (stream.length() > 0 && stream.lastId().isAfter(id)) {
                throw new ReplyException("ERR The ID specified in XSETID is smaller than the target stream top item");
            }
            if (added >= 0 && stream.length() > added) {
                throw new ReplyException(
                        "ERR The entries_added specified in XSETID is smaller than the target stream length");
            }
            stream.setLast(id, added, deleted);
            execution.tell(key, KeyEvent.XSETID);
            execution.reply().ok();
        }
    }
}
