package dev.larder.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Command lines on a few keys, from a seed: most are valid, some are malformed. Lifetimes are far from their end. */
final class KeyCommandLines {

    private static final String[] KEYS = {"a", "b", "c", "d", "{a}e", ""};
    private static final String[] NUMBERS = {
        "0",
        "1",
        "-1",
        "2",
        "3",
        "7",
        "8",
        "9",
        "15",
        "-2",
        "-9",
        "63",
        "64",
        "100",
        "-100",
        "1000",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "01",
        "+1",
        " 1",
        "1 ",
        "",
        "x",
        "1e3",
        "1.5",
        "-0"
    };
    private static final List<String> ABSOLUTE = List.of("EXAT", "PXAT", "PEXPIREAT");
    private static final List<String> TIMED = List.of("EX", "PX", "SETEX", "PSETEX", "EXPIRE", "PEXPIRE");
    private static final Predicate<String> SOON =
            Pattern.compile("[1-9]\\d{0,5}").asMatchPredicate();
    private static final Predicate<String> NEVER =
            Pattern.compile("-?\\d{1,9}|9223372036854775807").asMatchPredicate();
    private static final String[] SMALL = {"0", "1", "2", "3", "5", "7", "8", "13", "-1", "-2", "-5", "-8", "20", "100"
    };
    private static final String[] VALUES = {
        "",
        "x",
        "foobar",
        "12",
        "-7",
        "0",
        "9223372036854775807",
        "1.5",
        "abc\u0000\u00ff\u0080",
        "\u00ff\u00ff\u00ff",
        "\u0000\u0000",
        "a value of more than forty-four bytes, which Redis keeps apart",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    };
    private static final String[] WORDS = {
        "EX",
        "PX",
        "EXAT",
        "PXAT",
        "NX",
        "XX",
        "GT",
        "LT",
        "GET",
        "SET",
        "INCRBY",
        "KEEPTTL",
        "PERSIST",
        "BIT",
        "byte",
        "AND",
        "or",
        "XOR",
        "NOT",
        "OVERFLOW",
        "WRAP",
        "sat",
        "FAIL",
        "u8",
        "i5",
        "u63",
        "i64",
        "u64",
        "i0",
        "#1",
        "REPLACE",
        "DB",
        "COUNT",
        "MATCH",
        "*",
        "TYPE",
        "string",
        "SYNC",
        "ASYNC",
        "ABSTTL",
        "IDLETIME",
        "FREQ"
    };

    /**
     * Valid commands: k key, v value, n number, s small number, t lifetime, w word, anything else literally. Reals stay small:
     * Redis rounds them to 64 bits, Larder does not.
     */
    private static final String[] FORMS = {
        "GET k",
        "SET k v",
        "SET k v",
        "SET k v",
        "SET k v w",
        "SET k v w t",
        "SET k v EX t NX",
        "SET k v XX GET",
        "SET k v KEEPTTL",
        "SET k v EXAT u",
        "SET k v GET PXAT m",
        "SETEX k t v",
        "PSETEX k p v",
        "SETNX k v",
        "GETSET k v",
        "GETDEL k",
        "GETEX k",
        "GETEX k w t",
        "GETEX k PERSIST",
        "GETEX k PX p",
        "MGET k k k",
        "MSET k v k v",
        "MSETNX k v k v",
        "APPEND k v",
        "STRLEN k",
        "GETRANGE k s s",
        "SUBSTR k s s",
        "SETRANGE k s v",
        "SETRANGE k 70 v",
        "INCR k",
        "DECR k",
        "INCRBY k n",
        "DECRBY k n",
        "INCRBYFLOAT real f",
        "SETBIT k o 1",
        "SETBIT k o 0",
        "GETBIT k o",
        "GETBIT k n",
        "SETBIT k x b",
        "BITCOUNT k",
        "BITCOUNT k s s",
        "BITCOUNT k s s w",
        "BITCOUNT k s s BIT",
        "BITPOS k 0",
        "BITPOS k 1",
        "BITPOS k 0 s",
        "BITPOS k 1 s s",
        "BITPOS k 0 s s",
        "BITPOS k 1 s s BIT",
        "BITPOS k 0 s s w",
        "BITPOS k n",
        "BITOP AND k k k",
        "BITOP OR k k k k",
        "BITOP XOR k k",
        "BITOP NOT k k",
        "BITOP w k k",
        "BITFIELD k GET u8 s",
        "BITFIELD k SET i8 o n",
        "BITFIELD k INCRBY u5 o n OVERFLOW SAT INCRBY i7 o n",
        "BITFIELD k OVERFLOW FAIL INCRBY i64 o n SET u63 o n",
        "BITFIELD k OVERFLOW w SET u4 #3 n GET u8 #1",
        "BITFIELD k SET i64 o n GET i64 o",
        "BITFIELD k SET u1 o n INCRBY u1 o n",
        "BITFIELD k",
        "BITFIELD_RO k GET i16 o GET u3 #2",
        "BITFIELD_RO k SET u8 0 1",
        "BITFIELD k GET w o",
        "EXISTS k k k",
        "DEL k k",
        "UNLINK k",
        "TOUCH k k",
        "TYPE k",
        "RENAME k k",
        "RENAMENX k k",
        "COPY k k",
        "COPY k k REPLACE",
        "COPY k k DB n",
        "COPY k k DB 3",
        "MOVE k 3",
        "MOVE k n",
        "PERSIST k",
        "EXPIRE k t",
        "PEXPIRE k p",
        "EXPIREAT k u",
        "PEXPIREAT k m",
        "EXPIRE k t NX",
        "EXPIRE k t XX",
        "EXPIRE k t GT",
        "EXPIRE k t LT",
        "EXPIRE k t w w",
        "EXPIRE k n x",
        "TTL k",
        "PTTL k",
        "EXPIRETIME k",
        "PEXPIRETIME k",
        "KEYS *",
        "KEYS [ab]",
        "KEYS w",
        "SCAN 0 COUNT 1000 MATCH nothing",
        "SCAN n w n",
        "SCAN x",
        "DBSIZE",
        "SELECT 0",
        "SELECT n",
        "SELECT 0",
        "FLUSHDB w",
        "OBJECT FREQ k",
        "OBJECT REFCOUNT nothing",
        "RESTORE k n v w",
        "RESTORE k 0 v",
        "DUMP nothing",
        "SWAPDB n n x"
    };

    private final Random random;
    private final LongSupplier nowMillis;

    /** Lines whose absolute times lie after the time of a clock. */
    KeyCommandLines(long seed, LongSupplier nowMillis) {
        this.random = new Random(seed);
        this.nowMillis = nowMillis;
    }

    /** Returns a line. No key expires while the test runs, and no line sets an expired key: Redis counts that for a while. */
    String[] next() {
        while (true) {
            List<String> line = any();
            boolean timed =
                    line.stream().anyMatch(TIMED::contains) && line.stream().anyMatch(SOON);
            boolean absolute =
                    line.stream().anyMatch(ABSOLUTE::contains) && line.stream().anyMatch(NEVER);
            if (!timed && !absolute) {
                return line.toArray(String[]::new);
            }
        }
    }

    private List<String> any() {
        List<String> line = new ArrayList<>();
        for (String part : any(FORMS).split(" ", -1)) {
            line.add(argument(part));
        }
        if (random.nextInt(6) == 0) {
            spoil(line);
        }
        return line;
    }

    private void spoil(List<String> line) {
        int at = 1 + random.nextInt(Math.max(1, line.size() - 1));
        switch (random.nextInt(3)) {
            case 0 -> line.add(Math.min(at, line.size()), any(random.nextBoolean() ? WORDS : NUMBERS));
            case 1 -> line.set(Math.min(at, line.size() - 1), at == line.size() ? line.get(0) : any(NUMBERS));
            default -> {
                if (at < line.size()) {
                    line.remove(at);
                }
            }
        }
    }

    private String any(String[] pool) {
        return pool[random.nextInt(pool.length)];
    }

    private String argument(String part) {
        return switch (part) {
            case "k" -> any(KEYS);
            case "v" -> any(VALUES);
            case "n" -> any(NUMBERS);
            case "s" -> any(SMALL);
            case "o" -> Integer.toString(random.nextInt(100));
            case "b" -> any(new String[] {"0", "1", "2", "x"});
            case "f" -> any(new String[] {"1.5", "-0.25", "2", "3.0e1", "x", "", " 1", "inf", "nan", "1e", "-.5"});
            case "w" -> any(WORDS);
            case "t" -> lifetime(1, 0);
            case "p" -> lifetime(1000, 0);
            case "u" -> lifetime(1, nowMillis.getAsLong() / 1000);
            case "m" -> lifetime(1000, nowMillis.getAsLong());
            default -> part;
        };
    }

    /** Returns a lifetime far in the future, a lifetime that has ended, or a number that is no lifetime. */
    private String lifetime(long unit, long from) {
        if (random.nextInt(5) == 0) {
            return any(new String[] {"-1", "0", "-1000", "x", "", "9223372036854775807", "-9223372036854775808"});
        }
        return Long.toString(from + unit * (1_000_000 + random.nextInt(8_000_000)));
    }
}
