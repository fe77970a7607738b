package dev.larder.array.stripe;

import dev.larder.array.entry.Entry;
import dev.larder.array.entry.EntryCall;
import dev.larder.array.entry.Operation;
import dev.larder.array.entry.WatchedKey;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Entries by chance, of many commands on few keys; the same for a seed and an index. */
final class EntryScript {

    private static final long START_MILLIS = 1_900_000_000_000L;
    private static final int KEYS = 8;
    private static final int OPERATIONS = 40;

    private final long seed;

    EntryScript(long seed) {
        this.seed = seed;
    }

    ByteBuffer entry(long index) {
        Random random = new Random(seed * 1_000_003 + index);
        List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < OPERATIONS; i++) {
            operations.add(random.nextInt(10) == 0 ? transaction(random) : Operation.of(call(random)));
        }
        return new Entry(START_MILLIS + index * 20, operations).encode();
    }

    private Operation transaction(Random random) {
        List<WatchedKey> watched = new ArrayList<>();
        if (random.nextBoolean()) { // holds while the key is not there
            watched.add(new WatchedKey(key(random).getBytes(StandardCharsets.US_ASCII), 0));
        }
        int count = random.nextInt(4);
        return new Operation(
                true, watched, Stream.generate(() -> call(random)).limit(count).toList());
    }

    static EntryCall call(String... words) {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(("*" + words.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
        for (String word : words) {
            request.writeBytes(("$" + word.length() + "\r\n" + word + "\r\n").getBytes(StandardCharsets.US_ASCII));
        }
        return new EntryCall(2, request.toByteArray());
    }

    private static String key(Random random) {
        return "key" + random.nextInt(KEYS);
    }

    private static String number(Random random) {
        return Integer.toString(random.nextInt(100));
    }

    private EntryCall call(Random random) {
        String key = key(random);
        String other = key(random);
        return switch (random.nextInt(24)) {
            case 0 -> call("SET", key, number(random));
            case 1 -> call("SET", key, number(random), "NX");
            case 2 -> call("SET", key, number(random), "PX", Integer.toString(1 + random.nextInt(400)));
            case 3 -> call("SET", key, number(random), "KEEPTTL");
            case 4 -> call("APPEND", key, number(random));
            case 5 -> call("GETSET", key, number(random));
            case 6 -> call("MSET", key, number(random), other, number(random));
            case 7 -> call("MSETNX", key, number(random), other, number(random));
            case 8 -> call("RENAME", key, other);
            case 9 -> call("RENAMENX", key, other);
            case 10 -> call("COPY", key, other, "REPLACE");
            case 11 -> call("DEL", key, other);
            case 12 -> call("GETDEL", key);
            case 13 -> call("PEXPIRE", key, Integer.toString(1 + random.nextInt(400)));
            case 14 -> call("PERSIST", key);
            case 15 -> call("SETRANGE", key, Integer.toString(random.nextInt(6)), number(random));
            case 16 -> call("BITOP", "XOR", key, key, other);
            case 17 -> call("INCRBY", key, number(random));
            case 18 -> call("GET", key);
            case 19 -> random.nextInt(40) == 0 ? call("FLUSHALL") : call("SETNX", key, number(random));
            case 20 -> call("GETEX", key, "PX", Integer.toString(1 + random.nextInt(400)));
            case 21 -> call("SETBIT", key, Integer.toString(random.nextInt(64)), "1");
            default -> call("INCR", key);
        };
    }
}
