package dev.larder.array.campaign;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The ids of stream entries. An entry has one id, whenever and by whichever client it is seen, and the ids of a stream ascend.
 */
final class Ids {

    /** By key and entry. No two calls add the same entry. */
    private final Map<String, String> known = new ConcurrentHashMap<>();

    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    /** Records the id that an entry was given. */
    void added(String key, String entry, String id) {
        String before = known.putIfAbsent(key + " " + entry, id);
        if (before != null && !before.equals(id)) {
            wrong.add("entry " + entry + " of " + key + " has id " + before + ", and " + id);
        }
    }

    /** Records all entries that a client saw in a stream, and their ids. */
    void seen(String key, List<String> entries, List<String> ids) {
        for (int i = 0; i < ids.size(); i++) {
            added(key, entries.get(i), ids.get(i));
            if (i > 0 && compare(ids.get(i - 1), ids.get(i)) >= 0) {
                wrong.add("key " + key + " has id " + ids.get(i - 1) + " before " + ids.get(i));
            }
        }
    }

    private static int compare(String one, String other) {
        String[] left = one.split("-", -1);
        String[] right = other.split("-", -1);
        int byTime = Long.compare(Long.parseLong(left[0]), Long.parseLong(right[0]));
        return byTime != 0 ? byTime : Long.compare(Long.parseLong(left[1]), Long.parseLong(right[1]));
    }

    /** Returns the contradictions. */
    List<String> wrong() {
        return List.copyOf(wrong);
    }
}
