package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The changes of a map, one after the other. After a loss of power the map holds what it held after some of them, and not before
 * the last synced one. A change is known by its number, from 1 on, which is the version of the value that it puts.
 */
final class ChangeHistory {

    /** The deadline of an entry that does not expire. */
    static final long NEVER = Long.MAX_VALUE;

    /** A key, and until when it has a value after the change. */
    private record Change(long key, boolean removal, long deadlineMillis) {}

    private final List<Change> changes = new ArrayList<>();
    private int synced;

    int size() {
        return changes.size();
    }

    /** Records that a key gets a value; returns the number of the change. */
    int put(long key, long deadlineMillis) {
        changes.add(new Change(key, false, deadlineMillis));
        return changes.size();
    }

    void remove(long key) {
        changes.add(new Change(key, true, NEVER));
    }

    /** Records that all changes up to now are durable. */
    void sync() {
        synced = changes.size();
    }

    /** Returns after how many changes the map held, by key, the versions that were found at a given time. */
    int requireOneOfThose(Map<Long, Integer> found, long nowMillis) {
        Map<Long, Integer> expected = new HashMap<>();
        int other = found.size();
        for (int number = 0; number <= changes.size(); number++) {
            if (number > 0) {
                long key = changes.get(number - 1).key;
                other -= isAsExpected(found, expected, key) ? 0 : 1;
                apply(number, expected, nowMillis);
                other += isAsExpected(found, expected, key) ? 0 : 1;
            }
            if (other == 0 && number >= synced) {
                return number;
            }
        }
        throw new AssertionError("what is found was never there after change " + synced + " of " + changes.size()
                + differences(found, nowMillis));
    }

    private static boolean isAsExpected(Map<Long, Integer> found, Map<Long, Integer> expected, long key) {
        return Objects.equals(found.get(key), expected.get(key));
    }

    private void apply(int number, Map<Long, Integer> versions, long nowMillis) {
        Change change = changes.get(number - 1);
        if (change.removal || change.deadlineMillis <= nowMillis) {
            versions.remove(change.key);
        } else {
            versions.put(change.key, number);
        }
    }

    private String differences(Map<Long, Integer> found, long nowMillis) {
        Map<Long, Integer> expected = after(changes.size(), nowMillis);
        long differing = expected.keySet().stream()
                .filter(key -> !isAsExpected(found, expected, key))
                .count();
        return "; of " + expected.size() + " keys " + differing + " are not as after the last one";
    }

    /** Returns the versions of all keys after a number of changes, at a given time. */
    Map<Long, Integer> after(int number, long nowMillis) {
        Map<Long, Integer> versions = new HashMap<>();
        for (int change = 1; change <= number; change++) {
            apply(change, versions, nowMillis);
        }
        return versions;
    }

    /** Fails unless the found versions are those after a number of changes. */
    void requireSame(Map<Long, Integer> found, int number, long nowMillis) {
        assertThat(found).isEqualTo(after(number, nowMillis));
    }
}
