package dev.larder.server.command;

import dev.larder.memory.ClosedException;
import dev.larder.resp.Decimal;
import dev.larder.resp.ReplyException;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeyEvent;
import dev.larder.server.store.KeyType;
import dev.larder.server.store.Store;
import dev.larder.server.store.ValueBuffer;
import dev.larder.server.stream.CopiedStream;
import dev.larder.server.stream.Stream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Commands on keys of any type. Semantics and errors are those of Redis 7.0. */
final class KeyCommands {

    private static final String NOT_INT = "ERR value is out of range, value must between -2147483648 and 2147483647";

    private static final String SWITCHED =
            " Please note that when switching between policies at runtime LRU and LFU data"
                    + " will take some time to adjust.";

    /** Redis keeps a string of up to this many bytes beside the key's record. */
    private static final int EMBEDDED_MAX_BYTES = 44;

    /** Redis shares integers of up to this many digits. */
    private static final int SHARED_MAX_DIGITS = 4;

    private KeyCommands() {}

    static Map<String, Handler> all() {
        return Map.ofEntries(
                Map.entry("copy", KeyCommands::copy),
                Map.entry(
                        "dbsize",
                        execution -> execution.reply().integer(execution.store().size())),
                Map.entry("del", KeyCommands::delete),
                Map.entry("exists", KeyCommands::exists),
                Map.entry("flushall", KeyCommands::flushAll),
                Map.entry("flushdb", KeyCommands::flush),
                Map.entry("move", KeyCommands::move),
                Map.entry("object|encoding", KeyCommands::encoding),
                Map.entry("object|freq", KeyCommands::frequency),
                Map.entry("object|idletime", KeyCommands::idleTime),
                Map.entry("object|refcount", KeyCommands::references),
                Map.entry("persist", KeyCommands::persist),
                Map.entry("rename", execution -> rename(execution, false)),
                Map.entry("renamenx", execution -> rename(execution, true)),
                Map.entry("swapdb", KeyCommands::swap),
                Map.entry("touch", KeyCommands::touch),
                Map.entry("type", KeyCommands::type),
                Map.entry("unlink", KeyCommands::delete));
    }

    private static void delete(Execution execution) {
        int count = 0;
        for (int i = 1; i < execution.count(); i++) {
            Bytes key = execution.argument(i);
            if (execution.store().remove(key)) {
                execution.tell(key, KeyEvent.DEL);
                count++;
            }
        }
        execution.reply().integer(count);
    }

    private static void exists(Execution execution) {
        count(execution, execution.store()::exists);
    }

    private static void touch(Execution execution) {
        count(execution, execution.store()::touch);
    }

    private static void count(Execution execution, Predicate<Bytes> look) {
        int count = 0;
        for (int i = 1; i < execution.count(); i++) {
            Bytes key = execution.argument(i);
            boolean present = look.test(key);
            execution.lookedUp(key, present);
            count += present ? 1 : 0;
        }
        execution.reply().integer(count);
    }

    private static void type(Execution execution) {
        Bytes key = execution.argument(1);
        KeyType type = execution.store().type(key);
        execution.lookedUp(key, type != KeyType.NONE);
        execution.reply().status(type.text());
    }

    private static void rename(Execution execution, boolean onlyIfAbsent) {
        Store store = execution.store();
        Bytes from = execution.argument(1);
        Bytes to = execution.argument(2);
        if (!store.exists(from)) {
            throw noSuchKey();
        }
        boolean taken = onlyIfAbsent && store.exists(to);
        if (!taken && !from.equals(to)) {
            store.rename(from, to, execution.value());
            execution.tell(from, KeyEvent.RENAME_FROM);
            execution.tell(to, KeyEvent.RENAME_TO);
        }
        if (onlyIfAbsent) {
            execution.reply().integer(taken ? 0 : 1);
        } else {
            execution.reply().ok();
        }
    }

    private static ReplyException noSuchKey() {
        return new ReplyException("ERR no such key");
    }

    /** The options of {@code COPY}. */
    record CopyOptions(Store target, boolean replace) {

        static CopyOptions parse(Execution execution) {
            boolean replace = false;
            Store target = execution.store();
            for (int i = 3; i < execution.count(); i++) {
                if (execution.is(i, "replace")) {
                    replace = true;
                } else if (execution.is(i, "db") && i + 1 < execution.count()) {
                    target = otherStore(execution, ++i);
                } else {
                    throw ReplyException.syntax();
                }
            }
            return new CopyOptions(target, replace);
        }
    }

    private static void copy(Execution execution) {
        CopyOptions options = CopyOptions.parse(execution);
        Store target = options.target();
        Store store = execution.store();
        Bytes from = execution.argument(1);
        Bytes to = execution.argument(2);
        if (store == target && from.equals(to)) {
            throw new ReplyException("ERR source and destination objects are the same");
        }
        boolean present = store.exists(from);
        execution.lookedUp(from, present);
        boolean copied = present && (options.replace() || !target.exists(to));
        if (copied) {
            copy(execution, from, target, to);
            target.tell(to, KeyEvent.COPY_TO);
        }
        execution.reply().integer(copied ? 1 : 0);
    }

    private static void copy(Execution execution, Bytes from, Store target, Bytes to) {
        Store store = execution.store();
        if (store.type(from) != KeyType.STREAM) {
            store.copy(from, target, to, execution.value());
            return;
        }
        long deadline = store.deadline(from);
        try (@Nullable Stream source = store.stream(from)) {
            if (source != null) {
                target.putStream(to, deadline, copyOf(execution, source, target));
            }
        }
    }

    private static CopiedStream copyOf(Execution execution, Stream source, Store target) {
        CopiedStream copy = (CopiedStream)
                execution.stream(target, source, () -> new CopiedStream(target, target::streams, source));
        if (!copy.finish()) {
            execution.makeOn(copy);
            if (!copy.finish()) { // its thread was interrupted
                throw new ClosedException("a stream is not copied: the server stops");
            }
        }
        return copy;
    }

    static Store otherStore(Execution execution, int argument) {
        execution.integer(argument);
        long index = execution.integer(argument, Integer.MIN_VALUE, Integer.MAX_VALUE, NOT_INT);
        if (index < 0 || index >= execution.databases().count()) {
            throw new ReplyException("ERR DB index is out of range");
        }
        return execution.databases().store((int) index);
    }

    private static void move(Execution execution) {
        Store store = execution.store();
        Store target = otherStore(execution, 2);
        if (store == target) {
            throw new ReplyException("ERR source and destination objects are the same");
        }
        Bytes key = execution.argument(1);
        boolean moved = store.exists(key) && !target.exists(key);
        if (moved) {
            copy(execution, key, target, key);
            target.syncMoved(key);
            store.remove(key);
            store.tell(key, KeyEvent.MOVE_FROM);
            target.tell(key, KeyEvent.MOVE_TO);
        }
        execution.reply().integer(moved ? 1 : 0);
    }

    private static void swap(Execution execution) {
        long one = execution.integer(1, Integer.MIN_VALUE, Integer.MAX_VALUE, "ERR invalid first DB index");
        long other = execution.integer(2, Integer.MIN_VALUE, Integer.MAX_VALUE, "ERR invalid second DB index");
        int count = execution.databases().count();
        if (one < 0 || one >= count || other < 0 || other >= count) {
            throw new ReplyException("ERR DB index is out of range");
        }
        execution.databases().swap((int) one, (int) other);
        execution.reply().ok();
    }

    private static void flush(Execution execution) {
        requireFlushMode(execution);
        execution.store().clear();
        execution.reply().ok();
    }

    private static void flushAll(Execution execution) {
        requireFlushMode(execution);
        execution.databases().clearAll();
        execution.reply().ok();
    }

    private static void requireFlushMode(Execution execution) {
        boolean known = execution.count() == 1
                || (execution.count() == 2 && (execution.is(1, "sync") || execution.is(1, "async")));
        if (!known) {
            throw ReplyException.syntax();
        }
    }

    private static void persist(Execution execution) {
        Bytes key = execution.argument(1);
        boolean had = execution.store().deadline(key) >= 0;
        if (had) {
            execution.store().setDeadline(key, Store.ENDLESS, execution.value());
            execution.tell(key, KeyEvent.PERSIST);
        }
        execution.reply().integer(had ? 1 : 0);
    }

    private static void encoding(Execution execution) {
        KeyType type = typeOfObject(execution);
        if (type == KeyType.NONE) {
            execution.reply().nil();
        } else if (type == KeyType.STREAM) {
            execution.reply().text("stream");
        } else {
            execution.store().look(execution.argument(2), execution.value());
            execution.reply().text(encoding(execution.value()));
        }
    }

    /** Returns the type of the key that OBJECT asks for. This is no use of the key, and a missing key is not reported. */
    private static KeyType typeOfObject(Execution execution) {
        KeyType type = execution.store().type(execution.argument(2));
        execution.lookedUpQuietly(type != KeyType.NONE);
        return type;
    }

    /** Returns the encoding in which Redis would keep a string that was set at once. */
    private static String encoding(ValueBuffer value) {
        if (Decimal.isInteger(ByteBuffer.wrap(value.array()), 0, value.length())) {
            return "int";
        }
        return value.length() <= EMBEDDED_MAX_BYTES ? "embstr" : "raw";
    }

    /** Replies 1 for a string that was used since eviction last checked it: more is not counted. */
    private static void frequency(Execution execution) {
        if (typeOfObject(execution) == KeyType.NONE) {
            execution.reply().nil();
            return;
        }
        if (!execution.store().memory().policy().isByFrequency()) {
            throw new ReplyException(
                    "ERR An LFU maxmemory policy is not selected, access frequency not tracked." + SWITCHED);
        }
        execution.reply().integer(execution.store().memory().isUsed(execution.argument(2)) ? 1 : 0);
    }

    /** Replies 0, because the time since the last use of a key is not kept. */
    private static void idleTime(Execution execution) {
        if (typeOfObject(execution) == KeyType.NONE) {
            execution.reply().nil();
            return;
        }
        if (execution.store().memory().policy().isByFrequency()) {
            throw new ReplyException("ERR An LFU maxmemory policy is selected, idle time not tracked." + SWITCHED);
        }
        execution.reply().integer(0);
    }

    /** Replies as Redis would, which shares small integers. */
    private static void references(Execution execution) {
        KeyType type = typeOfObject(execution);
        if (type == KeyType.NONE) {
            execution.reply().nil();
            return;
        }
        boolean small = type == KeyType.STRING
                && execution.store().look(execution.argument(2), execution.value()) > 0
                && execution.value().length() <= SHARED_MAX_DIGITS
                && execution.value().array()[0] != '-'
                && encoding(execution.value()).equals("int");
        execution.reply().integer(small ? Integer.MAX_VALUE : 1);
    }
}
