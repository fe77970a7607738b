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

/** Random entries of many commands on few keys. They depend only on a seed and an index. */
final class EntryScript {

    private static final long START_MILLIS = 1_900_000_000_000L;
    private static final int MILLIS_PER_ENTRY = 20;
    private static final int KEYS = 8;
    private static final int STREAMS = 4;
    private static final int OPERATIONS = 40;

    private static final int LARGE_MIN_BYTES = 900;
    private static final int LARGE_MAX_BYTES = 4000;

    private final long seed;
    private final boolean hasLarge;

    EntryScript(long seed) {
        this(seed, false);
    }

    /** The same, but half of the values have up to 4,000 bytes, some of them fewer than 1 KiB. */
    EntryScript(long seed, boolean hasLarge) {
        this.seed = seed;
        this.hasLarge = hasLarge;
    }

    ByteBuffer entry(long index) {
        Random random = new Random(seed * 1_000_003 + index);
        List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < OPERATIONS; i++) {
            operations.add(random.nextInt(10) == 0 ? transaction(random, index) : Operation.of(any(random, index)));
        }
        return new Entry(millis(index), operations).encode();
    }

    /** Returns an entry that adds much to some streams, which no script changes. It makes them if they are not there. */
    static ByteBuffer additions(String prefix, long millis) {
        List<Operation> operations = new ArrayList<>();
        for (int stream = 0; stream < STREAMS; stream++) {
            for (int i = 0; i < OPERATIONS; i++) {
                operations.add(Operation.of(call("XADD", prefix + stream, "*", "f", "x".repeat(LARGE_MIN_BYTES))));
            }
        }
        return new Entry(millis, operations).encode();
    }

    /** Returns the time of an entry. */
    long millis(long index) {
        return START_MILLIS + index * MILLIS_PER_ENTRY;
    }

    private EntryCall any(Random random, long index) {
        return random.nextBoolean() ? streamCall(random, index) : call(random);
    }

    private Operation transaction(Random random, long index) {
        List<WatchedKey> watched = new ArrayList<>();
        if (random.nextBoolean()) { // holds while the key does not exist
            watched.add(new WatchedKey(key(random).getBytes(StandardCharsets.US_ASCII), 0));
        }
        int count = random.nextInt(4);
        return new Operation(
                true,
                watched,
                Stream.generate(() -> any(random, index)).limit(count).toList());
    }

    static EntryCall call(String... words) {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(("*" + words.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
        for (String word : words) {
            request.writeBytes(("$" + word.length() + "\r\n" + word + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        }
        return new EntryCall(2, request.toByteArray());
    }

    private static String key(Random random) {
        return random.nextInt(6) == 0 ? stream(random) : "key" + random.nextInt(KEYS);
    }

    private static String stream(Random random) {
        return random.nextInt(20) == 0 ? "key" + random.nextInt(KEYS) : "stream" + random.nextInt(STREAMS);
    }

    private static String one(Random random, String... of) {
        return of[random.nextInt(of.length)];
    }

    /** Returns an id that an entry added lately may have. */
    private String id(Random random, long index) {
        return millis(index - random.nextInt(4)) + "-" + random.nextInt(6);
    }

    private static String number(Random random) {
        return Integer.toString(random.nextInt(100));
    }

    private String value(Random random) {
        return hasLarge && random.nextBoolean()
                ? (number(random) + ",").repeat(random.nextInt(LARGE_MIN_BYTES, LARGE_MAX_BYTES) / 3)
                : number(random);
    }

    private EntryCall call(Random random) {
        String key = key(random);
        String other = key(random);
        return switch (random.nextInt(24)) {
            case 0 -> call("SET", key, value(random));
            case 1 -> call("SET", key, value(random), "NX");
            case 2 -> call("SET", key, value(random), "PX", Integer.toString(1 + random.nextInt(400)));
            case 3 -> call("SET", key, value(random), "KEEPTTL");
            case 4 -> call("APPEND", key, value(random));
            case 5 -> call("GETSET", key, value(random));
            case 6 -> call("MSET", key, value(random), other, value(random));
            case 7 -> call("MSETNX", key, value(random), other, value(random));
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
            case 19 -> random.nextInt(40) == 0 ? call("FLUSHALL") : call("SETNX", key, value(random));
            case 20 -> call("GETEX", key, "PX", Integer.toString(1 + random.nextInt(400)));
            case 21 -> call("SETBIT", key, Integer.toString(random.nextInt(64)), "1");
            default -> call("INCR", key);
        };
    }

    private EntryCall streamCall(Random random, long index) {
        String key = stream(random);
        String group = one(random, "g1", "g2");
        String consumer = one(random, "alice", "bob");
        String id = id(random, index);
        return switch (random.nextInt(30)) {
            case 0, 1, 2 -> call("XADD", key, "*", "field", number(random));
            case 3 -> call("XADD", key, millis(index) + "-*", "a", "b", "c", number(random));
            case 4 -> call("XADD", key, "MAXLEN", one(random, "=", "~"), number(random), "*", "f", number(random));
            case 5 -> call("XADD", key, "NOMKSTREAM", "MINID", id, "*", "f", number(random));
            case 6, 7 -> call("XADD", key, "IDMP", consumer, number(random), "*", "f", number(random));
            case 8 -> call("XADD", key, "IDMPAUTO", consumer, "*", "f", one(random, "v", "w"));
            case 9, 10 -> call("XDEL", key, id, id(random, index));
            case 11 -> call("XTRIM", key, "MAXLEN", Integer.toString(random.nextInt(12)));
            case 12 -> call("XGROUP", "CREATE", key, group, one(random, "0", "$"), "MKSTREAM");
            case 13, 14, 15 ->
                call("XREADGROUP", "GROUP", group, consumer, "COUNT", "2", "STREAMS", key, stream(random), ">", ">");
            case 16 -> call("XREADGROUP", "GROUP", group, consumer, "COUNT", "3", "STREAMS", key, "0");
            case 17 -> call("XREADGROUP", "GROUP", group, consumer, "NOACK", "STREAMS", key, ">");
            case 18, 19 -> call("XACK", key, group, id, id(random, index), id(random, index));
            case 20 -> call("XCLAIM", key, group, consumer, "0", id, id(random, index), "FORCE");
            case 21 -> call("XAUTOCLAIM", key, group, consumer, "30", "0", "COUNT", "3");
            case 22 ->
                random.nextInt(3) == 0
                        ? call("XGROUP", "DESTROY", key, group)
                        : call("XGROUP", "DELCONSUMER", key, group, consumer);
            case 23 -> call("XGROUP", "SETID", key, group, id);
            case 24 -> call("XSETID", key, id, "ENTRIESADDED", "1000");
            case 25 -> call("XCFGSET", key, "IDMP-MAXSIZE", Integer.toString(1 + random.nextInt(5)));
            case 26 -> call("COPY", key, stream(random), "REPLACE");
            case 27 -> call("RENAME", key, stream(random));
            case 28 -> call("PEXPIRE", key, Integer.toString(1 + random.nextInt(400)));
            default -> random.nextInt(4) == 0 ? call("DEL", key) : call("PERSIST", key);
        };
    }
}
