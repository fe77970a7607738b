package dev.larder.server.command;

import dev.larder.resp.ReplyException;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.GlobPattern;
import dev.larder.server.store.KeyScan;
import dev.larder.server.store.KeyType;
import dev.larder.server.store.Store;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Commands that walk over all keys. */
final class ScanCommands {

    private static final int COUNT = 10;

    /** How many keys a call of SCAN visits at most, so that a pattern without matches does not hold the loop. */
    private static final int COUNT_MAX = 100_000;

    private static final int PAGE = 1000;
    private static final int RANDOM_TRIES = 100;

    private ScanCommands() {}

    static Map<String, Handler> all() {
        return Map.of(
                "keys", ScanCommands::keys,
                "randomkey", ScanCommands::randomKey,
                "scan", ScanCommands::scan);
    }

    private static void keys(Execution execution) {
        GlobPattern pattern = new GlobPattern(execution.argument(1));
        Store store = execution.store();
        Set<Bytes> found = new LinkedHashSet<>(); // the walk may pass a key on twice
        long cursor = 0;
        do {
            cursor = store.keys().scan(cursor, PAGE, key -> {
                if (pattern.matches(key)) {
                    found.add(key);
                }
            });
        } while (cursor != 0);
        replyAll(execution, found);
    }

    private static void replyAll(Execution execution, Collection<Bytes> keys) {
        execution.reply().array(keys.size());
        keys.forEach(key -> execution.reply().bulk(key.array()));
    }

    private static void scan(Execution execution) {
        long cursor = cursor(execution.argument(1));
        Options options = Options.parse(execution);
        Store store = execution.store();
        List<Bytes> found = new ArrayList<>();
        long next = store.keys().scan(cursor, options.count(), key -> {
            if (options.takes(execution, key)) {
                found.add(key);
            }
        });
        execution.reply().array(2);
        execution.reply().text(Long.toUnsignedString(next));
        replyAll(execution, found);
    }

    /** Reads an unsigned number of 64 bits as strtoul does: an empty text is 0, and a minus subtracts the number from 0. */
    private static long cursor(Bytes text) {
        String digits = text.toString();
        boolean signed = digits.startsWith("-") || digits.startsWith("+");
        try {
            long number = digits.isEmpty() ? 0 : Long.parseUnsignedLong(signed ? digits.substring(1) : digits);
            return KeyScan.cursor(digits.startsWith("-") ? -number : number);
        } catch (NumberFormatException e) {
            throw new ReplyException("ERR invalid cursor");
        }
    }

    private record Options(
            int count,
            @Nullable GlobPattern pattern,
            @Nullable String type) {

        static Options parse(Execution execution) {
            int count = COUNT;
            GlobPattern pattern = null;
            @Nullable String type = null;
            for (int i = 2; i < execution.count(); i += 2) {
                if (i + 1 == execution.count()) {
                    throw ReplyException.syntax();
                }
                if (execution.is(i, "count")) {
                    long asked = execution.integer(i + 1);
                    if (asked < 1) {
                        throw ReplyException.syntax();
                    }
                    count = (int) Math.min(asked, COUNT_MAX);
                } else if (execution.is(i, "match")) {
                    pattern = new GlobPattern(execution.argument(i + 1));
                } else if (execution.is(i, "type")) {
                    type = execution.argument(i + 1).toString();
                } else {
                    throw ReplyException.syntax();
                }
            }
            return new Options(count, pattern, type);
        }

        boolean takes(Execution execution, Bytes key) {
            return (pattern == null || pattern.matches(key)) && (type == null || isOfType(execution, key, type));
        }

        private static boolean isOfType(Execution execution, Bytes key, String type) {
            KeyType found = execution.store().type(key);
            execution.lookedUpQuietly(found != KeyType.NONE);
            return found.text().equalsIgnoreCase(type);
        }
    }

    private static void randomKey(Execution execution) {
        Store store = execution.store();
        List<Bytes> found = new ArrayList<>();
        for (int i = 0; i < RANDOM_TRIES && found.isEmpty(); i++) {
            store.keys().scan(store.keys().randomCursor(ThreadLocalRandom.current()), 1, found::add);
        }
        if (found.isEmpty()) {
            store.keys().scan(0, 1, found::add);
        }
        if (found.isEmpty()) {
            execution.reply().nil();
        } else {
            execution
                    .reply()
                    .bulk(found.get(ThreadLocalRandom.current().nextInt(found.size()))
                            .array());
        }
    }
}
