package dev.larder.server.command;

import dev.larder.resp.Decimal;
import dev.larder.resp.ReplyException;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.ValueBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** {@code BITFIELD}: operations on integers of 1 to 64 bits within a string. */
final class BitField {

    private BitField() {}

    private enum Kind {
        GET(2),
        SET(3),
        INCRBY(3);

        private final int arguments;

        Kind(int arguments) {
            this.arguments = arguments;
        }
    }

    private record Operation(Kind kind, BitInteger type, long offset, long operand, BitInteger.Overflow overflow) {}

    static void run(Execution execution, boolean readOnly) {
        List<Operation> operations = parse(execution);
        long last = -1;
        for (Operation operation : operations) {
            if (operation.kind() != Kind.GET) {
                last = Math.max(last, operation.offset() + operation.type().bits() - 1);
            }
        }
        if (readOnly && last >= 0) {
            throw new ReplyException("ERR BITFIELD_RO only supports the GET subcommand");
        }
        Bytes key = execution.argument(1);
        if (last < 0) {
            execution.lookUp(key);
            replyAll(
                    execution,
                    operations.stream()
                            .map(operation -> run(execution, operation))
                            .toList());
            return;
        }
        boolean grows = BitCommands.readForWriting(execution, key, last);
        List<Result> results = new ArrayList<>();
        operations.forEach(operation -> results.add(run(execution, operation)));
        if (grows || results.stream().anyMatch(Result::changed)) {
            BitCommands.putChanged(execution, key);
        }
        replyAll(execution, results);
    }

    /** The reply of an operation, or nil, and whether it has changed a bit. */
    private record Result(long number, boolean isNil, boolean changed) {}

    private static void replyAll(Execution execution, List<Result> results) {
        execution.reply().array(results.size());
        for (Result result : results) {
            if (result.isNil()) {
                execution.reply().nil();
            } else {
                execution.reply().integer(result.number());
            }
        }
    }

    private static Result run(Execution execution, Operation operation) {
        ValueBuffer value = execution.value();
        BitInteger type = operation.type();
        long before = type.read(value.array(), value.length(), operation.offset());
        if (operation.kind() == Kind.GET) {
            return new Result(before, false, false);
        }
        boolean adds = operation.kind() == Kind.INCRBY;
        long base = adds ? before : operation.operand();
        long added = adds ? operation.operand() : 0;
        if (operation.overflow() == BitInteger.Overflow.FAIL && type.overflows(base, added) != 0) {
            return new Result(0, true, false);
        }
        long after = type.sum(base, added, operation.overflow());
        type.write(value.array(), operation.offset(), after);
        return new Result(adds ? after : before, false, after != before);
    }

    private static List<Operation> parse(Execution execution) {
        List<Operation> operations = new ArrayList<>();
        BitInteger.Overflow overflow = BitInteger.Overflow.WRAP;
        for (int i = 2; i < execution.count(); i++) {
            if (execution.is(i, "overflow") && i + 1 < execution.count()) {
                overflow = overflow(execution, ++i);
                continue;
            }
            Kind kind = kind(execution, i);
            BitInteger type = type(execution.argument(i + 1));
            long offset = offset(execution, i + 2, type.bits());
            long operand = kind == Kind.GET ? 0 : execution.integer(i + 3);
            operations.add(new Operation(kind, type, offset, operand, overflow));
            i += kind.arguments;
        }
        return operations;
    }

    private static Kind kind(Execution execution, int argument) {
        for (Kind kind : Kind.values()) {
            if (execution.is(argument, kind.name()) && argument + kind.arguments < execution.count()) {
                return kind;
            }
        }
        throw ReplyException.syntax();
    }

    private static BitInteger.Overflow overflow(Execution execution, int argument) {
        for (BitInteger.Overflow overflow : BitInteger.Overflow.values()) {
            if (execution.is(argument, overflow.name().toLowerCase(Locale.ROOT))) {
                return overflow;
            }
        }
        throw new ReplyException("ERR Invalid OVERFLOW type specified");
    }

    private static BitInteger type(Bytes text) {
        boolean signed = text.length() > 0 && text.at(0) == 'i';
        boolean unsigned = text.length() > 0 && text.at(0) == 'u';
        long bits = signed || unsigned ? number(text, 1) : 0;
        if (bits < 1 || bits > (signed ? Long.SIZE : Long.SIZE - 1)) {
            throw new ReplyException(
                    "ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported"
                            + " but i64 is.");
        }
        return new BitInteger(signed, (int) bits);
    }

    /** Returns the offset of an argument in bits; after {@code #} it counts integers of the type. */
    private static long offset(Execution execution, int argument, int bits) {
        Bytes text = execution.argument(argument);
        boolean counted = text.length() > 0 && text.at(0) == '#';
        long number = number(text, counted ? 1 : 0);
        long most = Long.MAX_VALUE / bits;
        return BitCommands.checkedOffset(counted ? Math.clamp(number, -1, most) * bits : number);
    }

    /** Returns the integer at the end of a text; -1 if there is none. */
    private static long number(Bytes text, int from) {
        ByteBuffer buffer = ByteBuffer.wrap(text.array());
        int end = text.offset() + text.length();
        return Decimal.isInteger(buffer, text.offset() + from, end)
                ? Decimal.value(buffer, text.offset() + from, end)
                : -1;
    }
}
