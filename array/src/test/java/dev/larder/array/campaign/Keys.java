package dev.larder.array.campaign;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;

/**
 * The keys of a run: a few at a time, so that clients meet on them. A key is left for a new one after some hundred calls, or some
 * writes without an answer. That keeps the history of a key short: each such write may have taken effect at any time, or never.
 */
final class Keys {

    private static final int AT_A_TIME = 10;
    private static final int CALLS_OF_A_KEY = 300;
    private static final int OPEN_MOST = 8;
    private static final int BRIEF = 7;
    private static final int STREAMS = 8;
    private static final int SOON_MILLIS = 3000;
    private static final int LATE_MILLIS = 3_600_000;
    private static final int KEPT_LEAST = 2;
    private static final int KEPT_MOST = 6;

    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong values = new AtomicLong();
    private final Set<String> used = new ConcurrentSkipListSet<>();
    private final AtomicLongArray left = new AtomicLongArray(AT_A_TIME);
    private final ToIntFunction<String> openCalls;
    private final boolean lifetimes;

    /**
     * Creates the keys.
     *
     * @param openCalls returns how many writes of a key are without an answer
     * @param lifetimes whether some keys have lifetimes
     */
    Keys(ToIntFunction<String> openCalls, boolean lifetimes) {
        this.openCalls = openCalls;
        this.lifetimes = lifetimes;
    }

    /** Returns the key of the next call: of a counter, a text, a text whose lifetimes mostly end, or a stream. */
    String next(RandomGenerator random) {
        long generation = calls.getAndIncrement() / (AT_A_TIME * CALLS_OF_A_KEY);
        int number = random.nextInt(AT_A_TIME);
        long leftBefore = left.get(number);
        String key = kind(number) + number + "-" + (generation + leftBefore);
        if (openCalls.applyAsInt(key) >= OPEN_MOST) {
            left.compareAndSet(number, leftBefore, leftBefore + 1);
        }
        used.add(key);
        return key;
    }

    private static String kind(int number) {
        if (number >= STREAMS) {
            return "stream";
        }
        return number % 2 == 0 ? "count" : number == BRIEF ? "brief" : "text";
    }

    /** Returns the command that reads a key whole. */
    static Command reading(String key) {
        return key.startsWith("stream") ? Command.ALL : Command.GET;
    }

    Set<String> used() {
        return used;
    }

    /** Returns the commands of a call: one, or a few that are a transaction. */
    List<Command> commands(String key, RandomGenerator random) {
        if (key.startsWith("count")) {
            return counting(random);
        }
        if (key.startsWith("stream")) {
            return adding(random);
        }
        return key.startsWith("brief") ? expiring(random) : writing(random);
    }

    /** Returns commands with lifetimes that mostly end: the key is seen, and then missing. */
    private List<Command> expiring(RandomGenerator random) {
        String value = "v" + values.incrementAndGet();
        return switch (random.nextInt(16)) {
            case 0 -> List.of(putting(value, 50 + random.nextInt(200)));
            case 1 -> List.of(new Command("xx", value));
            case 2 -> List.of(new Command("getdel", ""));
            default -> List.of(Command.GET);
        };
    }

    /** Returns commands that add entries, by twos as well, and trim the stream before there are many. */
    private List<Command> adding(RandomGenerator random) {
        Command add = new Command("xadd", "v" + values.incrementAndGet());
        return switch (random.nextInt(16)) {
            case 0, 1 -> List.of(new Command("xtrim", Integer.toString(random.nextInt(KEPT_LEAST, KEPT_MOST))));
            case 2 -> List.of(new Command("del", ""));
            case 3 -> List.of(add, new Command("xadd", "v" + values.incrementAndGet()), new Command("xlen", ""));
            case 4 -> List.of(Command.ALL, add, Command.ALL);
            case 5 -> List.of(new Command("xlen", ""));
            case 6, 7, 8, 9 -> List.of(add);
            default -> List.of(Command.ALL);
        };
    }

    private List<Command> counting(RandomGenerator random) {
        return switch (random.nextInt(16)) {
            case 0 -> List.of(new Command("set", Integer.toString(random.nextInt(1000))));
            case 1 -> List.of(new Command("getdel", ""));
            case 2 -> List.of(Command.GET, new Command("incr", ""), Command.GET);
            case 3 -> List.of(Command.GET, new Command("getdel", ""), Command.GET);
            case 9, 10 -> List.of(new Command("incr", ""), new Command("incr", ""));
            case 4, 5, 6, 7, 8 -> List.of(Command.GET);
            default -> List.of(new Command("incr", ""));
        };
    }

    private List<Command> writing(RandomGenerator random) {
        String value = "v" + values.incrementAndGet();
        return switch (random.nextInt(20)) {
            case 0 -> List.of(new Command("del", ""));
            case 1 -> List.of(new Command("getdel", ""));
            case 2, 3 -> List.of(new Command("append", "." + value));
            case 4 -> List.of(new Command("nx", value));
            case 5 -> List.of(new Command("xx", value));
            case 6 -> List.of(putting(value, 50 + random.nextInt(600)));
            case 7 -> List.of(Command.GET, new Command("append", "." + value), Command.GET);
            case 8 -> List.of(new Command("incr", ""));
            case 9, 10, 11, 12, 13 -> List.of(new Command("set", value));
            default -> List.of(Command.GET);
        };
    }

    /** Returns a write with a lifetime that ends soon or not within hours, or one that depends on whether a lifetime has ended. */
    Command mortal(RandomGenerator random) {
        return switch (random.nextInt(4)) {
            case 0 -> new Command("px", value() + ":" + (1 + random.nextInt(SOON_MILLIS)));
            case 1 -> new Command("px", value() + ":" + LATE_MILLIS);
            case 2 -> new Command("getdel", "");
            default -> new Command("nx", value());
        };
    }

    private Command putting(String value, int lifetimeMillis) {
        return lifetimes ? new Command("px", value + ":" + lifetimeMillis) : new Command("set", value);
    }

    /** Returns a value that no other call has. */
    String value() {
        return "w" + values.incrementAndGet();
    }
}
