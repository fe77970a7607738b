package dev.larder.lab.map;

import dev.larder.lab.result.LabException;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Checks that a subject answers like a map. It compares random puts, replacements, removals and gets of a few keys with a
 * plain map beside it, and then all keys.
 */
final class MapAgreement {

    private static final int KEYS = 500;
    private static final int STEPS = 10_000;

    private final MapSubject subject;
    private final Map<Long, Long> versions = new HashMap<>();
    private final byte[] value;
    private final byte[] found;

    MapAgreement(MapSubject subject, MapShape shape) {
        this.subject = subject;
        this.value = MapValue.pattern(shape.valueBytes());
        this.found = new byte[shape.valueBytes()];
    }

    /** Makes steps drawn from a seed; returns the number of compared answers. */
    long run(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        for (long step = 1; step <= STEPS; step++) {
            long key = MapValue.key(random.nextInt(KEYS));
            switch (random.nextInt(4)) {
                case 0 -> remove(key);
                case 1, 2 -> put(key, step);
                default -> get(key);
            }
        }
        return STEPS + checkAll();
    }

    /** Compares all keys; returns their number. */
    long checkAll() throws Exception {
        for (long number = 0; number < KEYS; number++) {
            get(MapValue.key(number));
        }
        return KEYS;
    }

    private void put(long key, long version) throws Exception {
        MapValue.set(value, key, version);
        subject.put(key, value);
        versions.put(key, version);
    }

    private void remove(long key) throws Exception {
        boolean was = versions.remove(key) != null;
        require(subject.remove(key) == was, key, "a removal said that there was " + (was ? "none" : "one"));
    }

    private void get(long key) throws Exception {
        Long version = versions.get(key);
        boolean there = subject.get(key, found);
        require(there == (version != null), key, there ? "a removed value came back" : "a value is gone");
        if (version != null) {
            require(MapValue.isWhole(found, key), key, "the value belongs to another key, or is torn");
            require(MapValue.version(found) == version, key, "the value is an older one");
            if (subject.readsInPlace()) {
                require(subject.sum(key) == MapValue.sum(found), key, "a read in place differs from the value");
            }
        }
    }

    private static void require(boolean holds, long key, String what) {
        if (!holds) {
            throw new LabException("key " + key + ": " + what);
        }
    }
}
