package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.memory.CorruptException;
import dev.larder.memory.LarderException;
import dev.larder.memory.TruncatedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks the answers of a map whose files are damaged. It asks for each key in one way after the other. A wrong value fails at
 * once; missing keys and reported damage are recorded.
 */
final class DamageAnswers {

    private static final int AT_ONCE = 50;

    private final boolean knowsValues;

    private final Map<String, byte[]> expected;
    private final List<String> keys;
    private final Path directory;
    private final Set<String> missing = new TreeSet<>();
    private final List<String> told = new ArrayList<>();

    /**
     * Checks the answers of a map.
     *
     * @param keys the keys to ask for, of which some have no value
     */
    DamageAnswers(Map<String, byte[]> expected, List<String> keys, Path directory) {
        this(true, expected, keys, directory);
    }

    private DamageAnswers(boolean knowsValues, Map<String, byte[]> expected, List<String> keys, Path directory) {
        this.knowsValues = knowsValues;
        this.expected = expected;
        this.keys = keys;
        this.directory = directory;
    }

    /** Returns a checker that requires errors to be named, and accepts any answer. */
    static DamageAnswers ofErrors(List<String> keys, Path directory) {
        return new DamageAnswers(false, Map.of(), keys, directory);
    }

    /** Records the problems that a verification found. */
    void take(List<String> problems) {
        told.addAll(problems);
    }

    /** Runs an action that may fail with an error which names a file. */
    void attempt(Runnable action) {
        try {
            action.run();
        } catch (LarderException e) {
            requireNamed(e);
            told.add(String.valueOf(e.getMessage()));
        }
    }

    /** An error about damage names a file, and any other error names the directory. */
    private void requireNamed(LarderException e) {
        boolean ofFile = e instanceof CorruptException || e instanceof TruncatedException;
        assertThat(e).hasMessageMatching("(?s).*" + directory + (ofFile ? "/[\\w.-]+.*" : ".*"));
    }

    /** Fails if a key is missing although no damage was reported. */
    void requireTold() {
        assertThat(told.isEmpty() ? missing : Set.of())
                .as("missing, and nothing was said of it")
                .isEmpty();
    }

    private void answered(String way, String key, byte @Nullable [] value) {
        if (!knowsValues) {
            return;
        }
        byte[] right = expected.get(key);
        if (value == null) {
            if (right != null) {
                missing.add(key + " by " + way);
            }
        } else if (!Arrays.equals(value, right)) {
            throw new AssertionError(way + " of " + key + ": a wrong value of " + value.length + " bytes, right is "
                    + (right == null ? "none" : right.length + " bytes") + "; told: " + told);
        }
    }

    /** Asks for the keys one by one. */
    void get(LarderMap<String, byte[]> map) {
        for (String key : keys) {
            attempt(() -> answered("get", key, map.get(key)));
            attempt(() -> present("containsKey", key, map.containsKey(key)));
        }
    }

    private void present(String way, String key, boolean found) {
        if (!knowsValues) {
            return;
        }
        if (!found && expected.containsKey(key)) {
            missing.add(key + " by " + way);
        } else if (found && !expected.containsKey(key)) {
            throw new AssertionError(way + " of " + key + ", which was removed");
        }
    }

    /** Copies the values into the caller's memory. */
    void copy(LarderMap<String, byte[]> map) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment target = arena.allocate(1 << 20);
            for (String key : keys) {
                attempt(() -> {
                    int length = map.get(key, target, 0);
                    byte[] copied =
                            length < 0 ? null : target.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
                    answered("copy", key, copied);
                });
            }
        }
    }

    /** Reads the values in place. */
    void read(LarderMap<String, byte[]> map) {
        for (String key : keys) {
            attempt(() -> {
                boolean found = map.read(
                        key,
                        (segment, at, length) -> answered(
                                "read", key, segment.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE)));
                present("read", key, found);
            });
        }
    }

    /** Asks for many keys at once. */
    void getAll(LarderMap<String, byte[]> map) {
        for (int from = 0; from < keys.size(); from += AT_ONCE) {
            List<String> some = keys.subList(from, Math.min(keys.size(), from + AT_ONCE));
            attempt(() -> {
                Map<String, byte[]> found = map.getAll(some);
                some.forEach(key -> answered("getAll", key, found.get(key)));
            });
        }
    }

    /** Reads all entries, as far as an iterator gets. */
    void iterate(LarderMap<String, byte[]> map) {
        attempt(() -> iterate("iterator", map.entrySet().iterator()));
    }

    private void iterate(String way, Iterator<Map.Entry<String, byte[]>> entries) {
        Set<String> seen = new HashSet<>();
        while (entries.hasNext()) {
            Map.Entry<String, byte[]> entry = entries.next();
            answered(way, entry.getKey(), entry.getValue());
            assertThat(seen.add(entry.getKey()) || !knowsValues)
                    .as("%s: %s comes once", way, entry.getKey())
                    .isTrue();
        }
        keys.forEach(key -> present(way, key, seen.contains(key)));
    }

    /** Reads a snapshot. */
    void snapshot(LarderMap<String, byte[]> map) {
        attempt(() -> {
            try (MapSnapshot<String, byte[]> snapshot = map.snapshot()) {
                keys.forEach(key -> attempt(() -> answered("snapshot", key, snapshot.get(key))));
                attempt(() -> iterate("snapshot's iterator", snapshot.iterator()));
            }
        });
    }

    /** Makes changes that leave everything as it is. */
    void replace(LarderMap<String, byte[]> map) {
        for (String key : keys.subList(0, keys.size() / 4)) {
            byte[] value = knowsValues ? expected.get(key) : new byte[1];
            if (value == null) {
                attempt(() -> answered("remove", key, map.remove(key)));
            } else {
                attempt(() -> present("replace", key, map.replace(key, value, value)));
            }
        }
    }
}
