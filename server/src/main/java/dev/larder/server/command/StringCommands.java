package dev.larder.server.command;

import dev.larder.resp.Decimal;
import dev.larder.resp.LongDouble;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeyEvent;
import dev.larder.server.store.KeyType;
import dev.larder.server.store.Store;
import dev.larder.server.store.ValueBuffer;
import dev.larder.server.store.WrongTypeException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Commands on strings. Semantics and errors are those of Redis 7.0. */
final class StringCommands {

    private static final String TOO_LONG = "ERR string exceeds maximum allowed size (proto-max-bulk-len)";
    private static final String OVERFLOW = "ERR increment or decrement would overflow";
    private static final String NOT_REAL = "ERR value is not a valid float";
    private static final int REAL_MAX_BYTES = 512;

    /** How many digits behind the point INCRBYFLOAT keeps. */
    private static final int FRACTION_DIGITS = 17;

    /** A number with a greater exponent is not written out. */
    private static final int EXPONENT_MAX = 4932;

    private StringCommands() {}

    static Map<String, Handler> all() {
        return Map.ofEntries(
                Map.entry("append", StringCommands::append),
                Map.entry("decr", execution -> add(execution, -1)),
                Map.entry("decrby", StringCommands::decrementBy),
                Map.entry("get", StringCommands::get),
                Map.entry("getdel", StringCommands::getAndDelete),
                Map.entry("getex", StringCommands::getAndExpire),
                Map.entry("getrange", StringCommands::getRange),
                Map.entry("getset", StringCommands::getAndSet),
                Map.entry("incr", execution -> add(execution, 1)),
                Map.entry("incrby", execution -> add(execution, execution.integer(2))),
                Map.entry("incrbyfloat", StringCommands::incrementByReal),
                Map.entry("mget", StringCommands::getMany),
                Map.entry("mset", StringCommands::setMany),
                Map.entry("msetnx", StringCommands::setManyIfAbsent),
                Map.entry("psetex", execution -> setExpiring(execution, Expiry.Unit.PX, "psetex")),
                Map.entry("set", StringCommands::set),
                Map.entry("setex", execution -> setExpiring(execution, Expiry.Unit.EX, "setex")),
                Map.entry("setnx", StringCommands::setIfAbsent),
                Map.entry("setrange", StringCommands::setRange),
                Map.entry("strlen", StringCommands::length),
                Map.entry("substr", StringCommands::getRange));
    }

    private static void get(Execution execution) {
        replyValue(execution, execution.argument(1));
    }

    /** Replies with the string of a key, or nil. */
    private static void replyValue(Execution execution, Bytes key) {
        int length = execution.lookUp(key);
        if (length == Store.ABSENT) {
            execution.reply().nil();
        } else {
            replyValue(execution);
        }
    }

    private static void replyValue(Execution execution) {
        ReplyEncoder reply = execution.reply();
        ValueBuffer value = execution.value();
        reply.beginBulk(value.length());
        reply.output().write(value.array(), 0, value.length());
        reply.endBulk();
    }

    private static void getMany(Execution execution) {
        execution.reply().array(execution.count() - 1);
        for (int i = 1; i < execution.count(); i++) {
            Bytes key = execution.argument(i);
            if (execution.store().type(key) == KeyType.STREAM) {
                execution.lookedUp(key, true);
                execution.reply().nil();
            } else {
                replyValue(execution, key);
            }
        }
    }

    private static void length(Execution execution) {
        Bytes key = execution.argument(1);
        try {
            int length = execution.store().length(key);
            execution.lookedUp(key, length != Store.ABSENT);
            execution.reply().integer(Math.max(0, length));
        } catch (WrongTypeException e) {
            execution.lookedUp(key, true);
            throw e;
        }
    }

    private static void set(Execution execution) {
        SetOptions options = SetOptions.parse(execution);
        Store store = execution.store();
        Bytes key = execution.argument(1);
        boolean present =
                options.get() ? execution.lookUp(key) != Store.ABSENT : options.isConditional() && store.exists(key);
        boolean kept = present ? options.onlyIfAbsent() : options.onlyIfPresent();
        if (!kept) {
            put(execution, key, options);
        }
        if (options.get()) {
            replyFormer(execution, present);
        } else if (kept) {
            execution.reply().nil();
        } else {
            execution.reply().ok();
        }
    }

    private static void put(Execution execution, Bytes key, SetOptions options) {
        long deadline = options.keepDeadline() ? deadlineOf(execution, key) : options.deadline();
        put(execution, key, execution.argument(2), deadline);
        execution.tell(key, KeyEvent.SET);
        if (options.expires()) {
            execution.tell(key, KeyEvent.EXPIRE);
            if (Expiry.isPast(
                    execution.store(), deadline)) { // the store kept nothing, so no scan finds and reports the key
                execution.tell(key, KeyEvent.EXPIRED);
            }
        }
    }

    private static void put(Execution execution, Bytes key, Bytes value, long deadline) {
        if (value.length() > execution.store().valueMaxBytes()) {
            throw new ReplyException(TOO_LONG);
        }
        execution.tellMissed();
        execution.store().put(key, value, deadline);
    }

    private static void setExpiring(Execution execution, Expiry.Unit unit, String command) {
        long deadline = Expiry.positive(execution, 2, unit, command);
        Bytes key = execution.argument(1);
        put(execution, key, execution.argument(3), deadline);
        execution.tell(key, KeyEvent.SET);
        execution.tell(key, KeyEvent.EXPIRE);
        execution.reply().ok();
    }

    private static void setIfAbsent(Execution execution) {
        Bytes key = execution.argument(1);
        boolean absent = !execution.store().exists(key);
        if (absent) {
            put(execution, key, execution.argument(2), Store.ENDLESS);
            execution.tell(key, KeyEvent.SET);
        }
        execution.reply().integer(absent ? 1 : 0);
    }

    private static void getAndSet(Execution execution) {
        Bytes key = execution.argument(1);
        Bytes value = execution.argument(2);
        if (value.length() > execution.store().valueMaxBytes()) {
            throw new ReplyException(TOO_LONG);
        }
        boolean present = execution.lookUp(key) != Store.ABSENT;
        execution.tellMissed();
        execution.store().put(key, value);
        execution.tell(key, KeyEvent.SET);
        replyFormer(execution, present);
    }

    /** Replies with the string that was read before the key was changed: a change that fails must not have replied. */
    private static void replyFormer(Execution execution, boolean present) {
        if (present) {
            replyValue(execution);
        } else {
            execution.reply().nil();
        }
    }

    private static void getAndDelete(Execution execution) {
        Bytes key = execution.argument(1);
        boolean present = execution.lookUp(key) != Store.ABSENT;
        if (present) {
            execution.store().remove(key);
            execution.tell(key, KeyEvent.DEL);
        }
        replyFormer(execution, present);
    }

    private static void getAndExpire(Execution execution) {
        GetExOptions options = GetExOptions.parse(execution);
        Bytes key = execution.argument(1);
        if (execution.lookUp(key) == Store.ABSENT) {
            execution.reply().nil();
            return;
        }
        long deadline = options.deadline(execution);
        if (options.changes()) {
            changeDeadline(execution, key, options, deadline);
        }
        replyValue(execution);
    }

    private static void changeDeadline(Execution execution, Bytes key, GetExOptions options, long deadline) {
        Store store = execution.store();
        if (Expiry.isPast(store, deadline)) {
            store.remove(key);
            execution.tell(key, KeyEvent.DEL);
        } else if (!options.persists()) {
            store.setDeadline(key, deadline, execution.value());
            execution.tell(key, KeyEvent.EXPIRE);
        } else if (store.deadline(key) != Store.ENDLESS) {
            store.setDeadline(key, Store.ENDLESS, execution.value());
            execution.tell(key, KeyEvent.PERSIST);
        }
    }

    private static void setMany(Execution execution) {
        requirePairs(execution, "mset");
        putPairs(execution);
        execution.reply().ok();
    }

    private static void setManyIfAbsent(Execution execution) {
        requirePairs(execution, "msetnx");
        for (int i = 1; i < execution.count(); i += 2) {
            if (execution.store().exists(execution.argument(i))) {
                execution.reply().integer(0);
                return;
            }
        }
        putPairs(execution);
        execution.reply().integer(1);
    }

    private static void requirePairs(Execution execution, String command) {
        if (execution.count() % 2 == 0) {
            throw new ReplyException("ERR wrong number of arguments for '" + command + "' command");
        }
        for (int i = 2; i < execution.count(); i += 2) {
            if (execution.request().length(i) > execution.store().valueMaxBytes()) {
                throw new ReplyException(TOO_LONG);
            }
        }
    }

    private static void putPairs(Execution execution) {
        for (int i = 1; i < execution.count(); i += 2) {
            Bytes key = execution.argument(i);
            execution.store().put(key, execution.argument(i + 1));
            execution.tell(key, KeyEvent.SET);
        }
    }

    private static void append(Execution execution) {
        Bytes key = execution.argument(1);
        Bytes added = execution.argument(2);
        int length = Math.max(0, execution.read(key));
        long total = (long) length + added.length();
        requireRoom(execution, total);
        long deadline = deadlineOf(execution, key);
        ValueBuffer value = execution.value();
        value.resize((int) total);
        System.arraycopy(added.array(), added.offset(), value.array(), length, added.length());
        execution.store().put(key, value.bytes(), deadline);
        execution.tell(key, KeyEvent.APPEND);
        execution.reply().integer(total);
    }

    static void requireRoom(Execution execution, long total) {
        if (total > execution.store().valueMaxBytes()) {
            throw new ReplyException(TOO_LONG);
        }
    }

    /** Returns the deadline that a changed string keeps. */
    static long deadlineOf(Execution execution, Bytes key) {
        return Math.max(Store.ENDLESS, execution.store().deadline(key));
    }

    private static void getRange(Execution execution) {
        long start = execution.integer(2);
        long end = execution.integer(3);
        int length = Math.max(0, execution.lookUp(execution.argument(1)));
        if (start < 0 && end < 0 && start > end) {
            length = 0;
        }
        long from = start < 0 ? Math.max(0, length + start) : start;
        long to = Math.min(length - 1L, end < 0 ? Math.max(0, length + end) : end);
        if (length == 0 || from > to) {
            execution.reply().beginBulk(0);
            execution.reply().endBulk();
            return;
        }
        int bytes = (int) (to - from + 1);
        execution.reply().beginBulk(bytes);
        execution.reply().output().write(execution.value().array(), (int) from, bytes);
        execution.reply().endBulk();
    }

    private static void setRange(Execution execution) {
        long offset = execution.integer(2);
        if (offset < 0) {
            throw new ReplyException("ERR offset is out of range");
        }
        Bytes key = execution.argument(1);
        Bytes part = execution.argument(3);
        int length = Math.max(0, execution.read(key));
        if (part.length() == 0) {
            execution.reply().integer(length);
            return;
        }
        if (offset > execution.store().valueMaxBytes()) {
            throw new ReplyException(TOO_LONG);
        }
        requireRoom(execution, offset + part.length());
        long deadline = deadlineOf(execution, key);
        ValueBuffer value = execution.value();
        value.resize((int) Math.max(length, offset + part.length()));
        System.arraycopy(part.array(), part.offset(), value.array(), (int) offset, part.length());
        execution.store().put(key, value.bytes(), deadline);
        execution.tell(key, KeyEvent.SETRANGE);
        execution.reply().integer(value.length());
    }

    private static void decrementBy(Execution execution) {
        long by = execution.integer(2);
        if (by == Long.MIN_VALUE) {
            throw new ReplyException("ERR decrement would overflow");
        }
        add(execution, -by);
    }

    private static void add(Execution execution, long by) {
        Bytes key = execution.argument(1);
        int length = execution.read(key);
        long before = 0;
        if (length != Store.ABSENT) {
            ByteBuffer text = ByteBuffer.wrap(execution.value().array());
            if (!Decimal.isInteger(text, 0, length)) {
                throw ReplyException.notInteger();
            }
            before = Decimal.value(text, 0, length);
        }
        long after = before + by;
        if (((before ^ after) & (by ^ after)) < 0) {
            throw new ReplyException(OVERFLOW);
        }
        long deadline = length == Store.ABSENT ? Store.ENDLESS : deadlineOf(execution, key);
        execution.store().put(key, Bytes.of(Long.toString(after)), deadline);
        execution.tell(key, KeyEvent.INCRBY);
        execution.reply().integer(after);
    }

    private static void incrementByReal(Execution execution) {
        Bytes key = execution.argument(1);
        int length = execution.read(key);
        BigDecimal before = length == Store.ABSENT
                ? BigDecimal.ZERO
                : real(execution.value().bytes());
        BigDecimal after = LongDouble.round(before.add(real(execution.argument(2))));
        String text = plain(after);
        long deadline = length == Store.ABSENT ? Store.ENDLESS : deadlineOf(execution, key);
        execution.store().put(key, Bytes.of(text.getBytes(StandardCharsets.US_ASCII)), deadline);
        execution.tell(key, KeyEvent.INCRBYFLOAT);
        execution.reply().text(text);
    }

    private static BigDecimal real(Bytes text) {
        if (text.length() > REAL_MAX_BYTES) { // before the patterns, whose time grows with the square of the length
            throw new ReplyException(NOT_REAL);
        }
        String digits = text.toString();
        if (digits.matches("(?i)[+-]?(inf|infinity)")) {
            throw new ReplyException("ERR increment would produce NaN or Infinity");
        }
        if (!digits.matches("[+-]?(\\d++\\.?\\d*|\\.\\d+)([eE][+-]?\\d{1,5})?")) {
            throw new ReplyException(NOT_REAL);
        }
        BigDecimal value = new BigDecimal(digits);
        if (value.signum() != 0 && value.precision() - value.scale() > EXPONENT_MAX) {
            throw new ReplyException("ERR increment would produce NaN or Infinity");
        }
        return LongDouble.round(value);
    }

    private static String plain(BigDecimal value) {
        BigDecimal rounded =
                value.setScale(FRACTION_DIGITS, RoundingMode.HALF_EVEN).stripTrailingZeros();
        return rounded.signum() == 0 ? "0" : rounded.toPlainString();
    }
}
