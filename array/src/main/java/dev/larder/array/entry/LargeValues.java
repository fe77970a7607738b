package dev.larder.array.entry;

import dev.larder.memory.CorruptException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Finds the large values of an entry: those from 1 KiB on, of commands that store them under a key unchanged. Reads the entry in
 * place, and copies no value.
 */
final class LargeValues {

    /** A smaller value is not worth a record of its own. */
    private static final int LEAST_BYTES = 1024;

    /** A longer key is refused when the command runs. */
    private static final int KEY_MAX_BYTES = 65_535;

    /** The number of a command's argument that is the value; its key is the first argument. */
    private static final Map<String, Integer> VALUE_ARGUMENTS =
            Map.of("SET", 2, "SETNX", 2, "GETSET", 2, "SETEX", 3, "PSETEX", 3);

    private static final int NONE = 0;

    /** Commands whose arguments are keys and values in turn. */
    private static final List<String> PAIRS = List.of("MSET", "MSETNX");

    private static final int NAME_MAX_BYTES = 6;
    private static final int DECIMAL = 10;

    /** An argument of a request. */
    private record Argument(int offset, int length) {}

    private final ByteBuffer in;
    private final List<ValueCut> found = new ArrayList<>();

    private LargeValues(ByteBuffer entry) {
        in = entry.slice().order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Returns the large values of a whole entry, in their order.
     *
     * @throws CorruptException if the bytes are not an entry
     */
    static List<ValueCut> of(ByteBuffer entry) {
        LargeValues values = new LargeValues(entry);
        if (entry.hasRemaining() && entry.get(entry.position()) == Entry.VERSION) {
            try {
                values.find();
            } catch (BufferUnderflowException | IllegalArgumentException e) {
                throw new CorruptException("an entry is cut off or damaged: " + e);
            }
        }
        return values.found;
    }

    private void find() {
        in.position(Entry.HEAD_BYTES - Integer.BYTES);
        int operations = in.getInt();
        for (int operation = 0; operation < operations; operation++) {
            in.get();
            int watched = in.getInt();
            int calls = in.getInt();
            for (int key = 0; key < watched; key++) {
                in.getLong();
                skip(in.getInt());
            }
            for (int call = 0; call < calls; call++) {
                in.get();
                int bytes = in.getInt();
                int end = in.position() + bytes;
                findInRequest();
                in.position(end);
            }
        }
    }

    private void findInRequest() {
        int count = number('*');
        Argument command = argument();
        if (command.length() > NAME_MAX_BYTES) {
            return;
        }
        String name = text(command);
        int only = VALUE_ARGUMENTS.getOrDefault(name, NONE);
        boolean isPairs = PAIRS.contains(name);
        if (only == NONE && !isPairs) {
            return;
        }
        Argument key = command;
        for (int number = 1; number < count; number++) {
            Argument next = argument();
            boolean isKey = isPairs ? number % 2 == 1 : number == 1;
            boolean isValue = isPairs ? !isKey : number == only;
            if (isKey) {
                key = next;
            } else if (isValue && next.length() >= LEAST_BYTES && key.length() <= KEY_MAX_BYTES) {
                found.add(new ValueCut(key.offset(), key.length(), next.offset(), next.length()));
            }
        }
    }

    private Argument argument() {
        int bytes = number('$');
        Argument argument = new Argument(in.position(), bytes);
        skip(bytes + "\r\n".length());
        return argument;
    }

    private int number(char kind) {
        if (in.get() != kind) {
            throw new IllegalArgumentException("a request is not an array of bulk strings");
        }
        int number = 0;
        for (byte digit = in.get(); digit != '\r'; digit = in.get()) {
            number = number * DECIMAL + (digit - '0');
        }
        in.get();
        return number;
    }

    private String text(Argument argument) {
        byte[] name = new byte[argument.length()];
        in.get(argument.offset(), name);
        return new String(name, StandardCharsets.US_ASCII).toUpperCase(Locale.ROOT);
    }

    private void skip(int bytes) {
        in.position(in.position() + bytes);
    }
}
