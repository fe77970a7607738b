package dev.larder.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Command lines on a few streams with small ids, from a seed: most are valid, some are malformed. */
final class StreamCommandLines {

    private static final List<String> KEYS = List.of("s", "s", "s", "t", "u", "text");
    private static final List<String> GROUPS = List.of("g", "g", "h", "nogroup");
    private static final List<String> CONSUMERS = List.of("ann", "ann", "bob", "cat");
    private static final List<String> ODD_IDS = List.of(
            "-",
            "+",
            "0",
            "$",
            "*",
            ">",
            "5-",
            "-5",
            "x",
            "(3",
            "(",
            "(5-1",
            "18446744073709551615",
            "18446744073709551616",
            "18446744073709551615-18446744073709551615",
            "7-7-7",
            "",
            "(0-0",
            "(+",
            "007-01",
            "3-*");
    private static final List<String> KINDS = List.of(
            "add",
            "add",
            "add",
            "add",
            "add",
            "range",
            "range",
            "read",
            "readgroup",
            "readgroup",
            "readgroup",
            "ack",
            "del",
            "trim",
            "group",
            "pending",
            "claim",
            "autoclaim",
            "info",
            "setid",
            "other");

    private final Random random;
    private long millis = 1;

    /** The greatest time that an entry may have been given, unsigned. */
    private long greatestMillis;

    StreamCommandLines(long seed) {
        random = new Random(seed);
    }

    String[] next() {
        List<String> line = line(KINDS.get(random.nextInt(KINDS.size())));
        if (random.nextInt(60) == 0 && line.size() > 1) {
            line.remove(random.nextInt(line.size() - 1) + 1);
        }
        return line.toArray(String[]::new);
    }

    private List<String> line(String kind) {
        return switch (kind) {
            case "add" -> add();
            case "range" -> range();
            case "read" -> read();
            case "readgroup" -> readGroup();
            case "ack" -> of("XACK", key(), group(), id(), id(), id());
            case "del" -> of("XDEL", key(), id(), id());
            case "trim" -> trim();
            case "group" -> groups();
            case "pending" -> pending();
            case "claim" -> claim();
            case "autoclaim" -> autoclaim();
            case "info" -> info();
            case "setid" -> setId();
            default -> other();
        };
    }

    private static List<String> of(String... words) {
        return new ArrayList<>(Arrays.asList(words));
    }

    private String pick(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    private String pick(String... of) {
        return of[random.nextInt(of.length)];
    }

    private String key() {
        return pick(KEYS);
    }

    private String group() {
        return pick(GROUPS);
    }

    private String id() {
        if (random.nextInt(15) == 0) {
            return pick(ODD_IDS);
        }
        long time = random.nextInt(4) == 0 ? random.nextInt(50) : Math.max(0, millis - random.nextInt(12));
        return random.nextInt(3) == 0 ? Long.toString(time) : time + "-" + random.nextInt(3);
    }

    private String number() {
        return random.nextInt(20) == 0
                ? pick("-1", "x", "", "9223372036854775808")
                : Integer.toString(random.nextInt(12));
    }

    private List<String> add() {
        List<String> line = of("XADD", key());
        if (random.nextInt(8) == 0) {
            line.add("NOMKSTREAM");
        }
        if (random.nextInt(5) == 0) {
            trimming(line);
        }
        millis += random.nextInt(3);
        String id = random.nextInt(12) == 0 ? id() : millis + "-" + pick("0", "1", "2", "*", "*");
        noteAdded(id);
        line.add(id.equals("*") ? "0-*" : id); // each server would take the time of * from its own clock
        int pairs = 1 + random.nextInt(3);
        for (int i = 0; i < pairs; i++) {
            line.add("field" + i);
            line.add("value".repeat(random.nextInt(4)) + random.nextInt(1000));
        }
        return line;
    }

    private void noteAdded(String id) {
        try {
            long added = Long.parseUnsignedLong(id.split("-", 2)[0]);
            if (Long.compareUnsigned(added, greatestMillis) > 0) {
                greatestMillis = added;
            }
        } catch (NumberFormatException e) {
            // neither server adds it
        }
    }

    private void trimming(List<String> line) {
        boolean byLength = random.nextBoolean();
        line.add(byLength ? "MAXLEN" : "MINID");
        if (random.nextInt(4) == 0) {
            line.add("=");
        }
        line.add(byLength ? number() : id());
        if (random.nextInt(10) == 0) {
            line.addAll(of("LIMIT", number()));
        }
    }

    private List<String> range() {
        boolean backward = random.nextBoolean();
        String low = random.nextInt(3) == 0 ? "-" : id();
        String high = random.nextInt(3) == 0 ? "+" : id();
        List<String> line = backward ? of("XREVRANGE", key(), high, low) : of("XRANGE", key(), low, high);
        if (random.nextInt(3) == 0) {
            line.addAll(of("COUNT", number()));
        }
        return line;
    }

    private List<String> read() {
        List<String> line = of("XREAD");
        if (random.nextInt(3) == 0) {
            line.addAll(of("COUNT", number()));
        }
        line.add("STREAMS");
        int keys = 1 + random.nextInt(3);
        for (int i = 0; i < keys; i++) {
            line.add(key());
        }
        for (int i = 0; i < keys; i++) {
            line.add(id());
        }
        return line;
    }

    private List<String> readGroup() {
        List<String> line = of("XREADGROUP", "GROUP", group(), pick(CONSUMERS));
        if (random.nextInt(2) == 0) {
            line.addAll(of("COUNT", number()));
        }
        if (random.nextInt(6) == 0) {
            line.add("NOACK");
        }
        line.add("STREAMS");
        int keys = 1 + random.nextInt(6) / 4;
        for (int i = 0; i < keys; i++) {
            line.add(key());
        }
        for (int i = 0; i < keys; i++) {
            line.add(random.nextInt(4) == 0 ? id() : ">");
        }
        return line;
    }

    private List<String> trim() {
        List<String> line = of("XTRIM", key());
        trimming(line);
        return line;
    }

    private List<String> groups() {
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> {
                List<String> line =
                        of("XGROUP", "CREATE", key(), group(), random.nextBoolean() ? "0" : pick("$", id()));
                if (random.nextBoolean()) {
                    line.add("MKSTREAM");
                }
                if (random.nextInt(4) == 0) {
                    line.addAll(of("ENTRIESREAD", number()));
                }
                yield line;
            }
            case 3 -> of("XGROUP", "DESTROY", key(), pick("h", "nogroup"));
            case 4 -> of("XGROUP", "CREATECONSUMER", key(), group(), pick(CONSUMERS));
            case 5 -> of("XGROUP", "DELCONSUMER", key(), group(), pick(CONSUMERS));
            case 6 -> of("XGROUP", "SETID", key(), group(), pick("$", id()));
            default -> of("XGROUP", "SETID", key(), group(), id(), "ENTRIESREAD", number());
        };
    }

    private List<String> pending() {
        List<String> line = of("XPENDING", key(), group());
        if (random.nextBoolean()) {
            line.addAll(of(pick("-", id()), pick("+", id()), number()));
            if (random.nextBoolean()) {
                line.add(pick(CONSUMERS));
            }
        }
        return line;
    }

    private List<String> claim() {
        List<String> line =
                of("XCLAIM", key(), group(), pick(CONSUMERS), pick("0", "0", "0", "3600000", "x"), id(), id());
        if (random.nextInt(3) == 0) {
            line.add("FORCE");
        }
        if (random.nextInt(3) == 0) {
            line.add("JUSTID");
        }
        if (random.nextInt(4) == 0) {
            line.addAll(of(pick("RETRYCOUNT", "LASTID", "IDLE", "TIME"), number()));
        }
        return line;
    }

    private List<String> autoclaim() {
        List<String> line =
                of("XAUTOCLAIM", key(), group(), pick(CONSUMERS), pick("0", "0", "0", "3600000", "x"), pick("-", id()));
        if (random.nextInt(2) == 0) {
            line.addAll(of("COUNT", number()));
        }
        if (random.nextInt(3) == 0) {
            line.add("JUSTID");
        }
        return line;
    }

    private List<String> info() {
        return switch (random.nextInt(5)) {
            case 0 -> of("XINFO", "STREAM", key());
            case 1 -> of("XINFO", "STREAM", key(), "FULL");
            case 2 -> of("XINFO", "STREAM", key(), "FULL", "COUNT", number());
            case 3 -> of("XINFO", "GROUPS", key());
            default -> of("XINFO", "CONSUMERS", key(), group());
        };
    }

    /** Sets no id below that of a deleted entry: {@link StreamDifferenceTest} says which difference of Redis that shows. */
    private List<String> setId() {
        if (random.nextInt(3) > 0 || Long.compareUnsigned(greatestMillis, millis) > 0) {
            return of("XLEN", key());
        }
        List<String> line = of("XSETID", key(), Long.toString(millis) + "-" + random.nextInt(3));
        if (random.nextBoolean()) {
            line.addAll(of(pick("ENTRIESADDED", "MAXDELETEDID"), number()));
        }
        return line;
    }

    private List<String> other() {
        return switch (random.nextInt(16)) {
            case 0 -> of("DEL", pick("t", "u"));
            case 1 -> of("RENAME", key(), pick("t", "u"));
            case 2 -> of("COPY", key(), pick("t", "u"), "REPLACE");
            case 3 -> of("SET", pick("u", "text"), "a text");
            case 4 -> of("GET", key());
            case 5 -> of("STRLEN", key());
            case 6 -> of("APPEND", key(), "x");
            case 7 -> of("EXPIRE", key(), "10000");
            case 8 -> of("TTL", key());
            case 9 -> of("PERSIST", key());
            case 10 -> of("EXISTS", key(), key());
            case 11 -> of("DBSIZE");
            case 12 -> of("RENAMENX", key(), pick("t", "u"));
            case 13 -> of("MGET", key(), key());
            case 14 -> of("SETNX", key(), "x");
            default -> of("TYPE", key());
        };
    }
}
