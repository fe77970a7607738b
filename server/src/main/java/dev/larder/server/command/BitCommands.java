package dev.larder.server.command;

import dev.larder.resp.ReplyException;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeyEvent;
import dev.larder.server.store.Store;
import dev.larder.server.store.ValueBuffer;
import java.util.Map;

/** Commands on the bits of strings. Bit 0 is the highest of the first byte. Semantics and errors are those of Redis 7.0. */
final class BitCommands {

    private static final int LAST_UNIT = 4;

    private BitCommands() {}

    static Map<String, Handler> all() {
        return Map.of(
                "bitcount", BitCommands::count,
                "bitfield", execution -> BitField.run(execution, false),
                "bitfield_ro", execution -> BitField.run(execution, true),
                "bitop", BitCommands::combine,
                "bitpos", BitCommands::position,
                "getbit", BitCommands::get,
                "setbit", BitCommands::set);
    }

    /** Returns an argument that must be the offset of a bit within the longest string that Redis takes. */
    static long offset(Execution execution, int argument) {
        return checkedOffset(execution.request().isInteger(argument) ? execution.integer(argument) : -1);
    }

    static long checkedOffset(long offset) {
        if (offset < 0 || offset >> 3 >= 512L << 20) {
            throw new ReplyException("ERR bit offset is not an integer or out of range");
        }
        return offset;
    }

    private static void get(Execution execution) {
        long offset = offset(execution, 2);
        execution.lookUp(execution.argument(1));
        execution.reply().integer(bit(execution.value(), offset));
    }

    private static int bit(ValueBuffer value, long offset) {
        long index = offset >> 3;
        return index >= value.length() ? 0 : value.array()[(int) index] >> (7 - (offset & 7)) & 1;
    }

    private static void set(Execution execution) {
        long offset = offset(execution, 2);
        long bit = execution.integer(3, 0, 1, "ERR bit is not an integer or out of range");
        Bytes key = execution.argument(1);
        boolean grows = readForWriting(execution, key, offset);
        ValueBuffer value = execution.value();
        int before = bit(value, offset);
        if (grows || before != bit) {
            int mask = 1 << (7 - (offset & 7));
            int index = (int) (offset >> 3);
            value.array()[index] = (byte) (bit == 0 ? value.array()[index] & ~mask : value.array()[index] | mask);
            putChanged(execution, key);
        }
        execution.reply().integer(before);
    }

    /** Puts the value that was read and changed; the key keeps its expiry. */
    static void putChanged(Execution execution, Bytes key) {
        execution.store().put(key, execution.value().bytes(), StringCommands.deadlineOf(execution, key));
        execution.tell(key, KeyEvent.SETBIT);
    }

    /** Reads a string and makes it long enough to hold a bit; returns whether it was too short. */
    static boolean readForWriting(Execution execution, Bytes key, long lastBit) {
        int length = Math.max(0, execution.read(key));
        long needed = (lastBit >> 3) + 1;
        if (needed <= length) {
            return false;
        }
        StringCommands.requireRoom(execution, needed);
        execution.value().resize((int) needed);
        return true;
    }

    private static void count(Execution execution) {
        int length = execution.lookUp(execution.argument(1));
        if (length == Store.ABSENT) {
            execution.reply().integer(0);
            return;
        }
        BitRange range = BitRange.whole(length);
        if (execution.count() == LAST_UNIT || execution.count() == LAST_UNIT + 1) {
            long start = execution.integer(2);
            long end = execution.integer(3);
            if (start < 0 && end < 0 && start > end) {
                execution.reply().integer(0);
                return;
            }
            range = BitRange.of(start, end, length, isInBits(execution, LAST_UNIT));
        } else if (execution.count() != 2) {
            throw ReplyException.syntax();
        }
        execution.reply().integer(range.count(execution.value().array()));
    }

    /** Returns whether the unit of a range is a bit; without that argument it is a byte. */
    private static boolean isInBits(Execution execution, int argument) {
        if (execution.count() <= argument || execution.is(argument, "byte")) {
            return false;
        }
        if (!execution.is(argument, "bit")) {
            throw ReplyException.syntax();
        }
        return true;
    }

    private static void position(Execution execution) {
        long bit = execution.integer(2);
        if (bit != 0 && bit != 1) {
            throw new ReplyException("ERR The bit argument must be 1 or 0.");
        }
        int length = execution.lookUp(execution.argument(1));
        if (length == Store.ABSENT) {
            execution.reply().integer(bit == 1 ? -1 : 0);
            return;
        }
        if (execution.count() > LAST_UNIT + 2) {
            throw ReplyException.syntax();
        }
        BitRange range = BitRange.whole(length);
        boolean ends = execution.count() > LAST_UNIT;
        if (execution.count() > 3) {
            long start = execution.integer(3);
            boolean inBits = isInBits(execution, LAST_UNIT + 1);
            range = BitRange.of(start, ends ? execution.integer(LAST_UNIT) : -1, length, inBits);
        }
        long found = range.find(execution.value().array(), bit == 1);
        boolean isBehind = found < 0 && bit == 0 && !ends && !range.isEmpty();
        execution.reply().integer(isBehind ? 8L * length : found);
    }

    private static void combine(Execution execution) {
        Operation operation = Operation.of(execution);
        if (operation == Operation.NOT && execution.count() != 4) {
            throw new ReplyException("ERR BITOP NOT must be called with a single source key.");
        }
        ValueBuffer result = execution.second();
        execution.lookUp(execution.argument(3), result);
        for (int i = 4; i < execution.count(); i++) {
            execution.lookUp(execution.argument(i));
            operation.apply(result, execution.value());
        }
        if (operation == Operation.NOT) {
            operation.apply(result, result);
        }
        store(execution, execution.argument(2), result);
    }

    private static void store(Execution execution, Bytes key, ValueBuffer result) {
        execution.tellMissed();
        if (result.length() > 0) {
            execution.store().put(key, result.bytes());
            execution.tell(key, KeyEvent.SET);
        } else if (execution.store().remove(key)) {
            execution.tell(key, KeyEvent.DEL);
        }
        execution.reply().integer(result.length());
    }

    /** How two strings are combined. The shorter string counts as if zeros followed it. */
    private enum Operation {
        AND,
        OR,
        XOR,
        NOT;

        static Operation of(Execution execution) {
            for (Operation operation : values()) {
                if (execution.is(1, operation.name())) {
                    return operation;
                }
            }
            throw ReplyException.syntax();
        }

        void apply(ValueBuffer result, ValueBuffer other) {
            int before = result.length();
            result.resize(Math.max(before, other.length()));
            for (int i = 0; i < result.length(); i++) {
                byte one = result.array()[i];
                byte two = i < other.length() ? other.array()[i] : 0;
                result.array()[i] = (byte)
                        switch (this) {
                            case AND -> one & two;
                            case OR -> one | two;
                            case XOR -> one ^ two;
                            case NOT -> ~one;
                        };
            }
        }
    }
}
