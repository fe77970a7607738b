package dev.larder.map;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The maps that this JVM has open, whatever class loader opened them: where locks belong to the process, opening a map's
 * file a second time and closing it again would drop the lock of the first.
 */
final class OpenMaps {

    private static final String OPEN = "dev.larder.map.open";

    private OpenMaps() {}

    @SuppressWarnings("unchecked")
    private static Map<String, Object> open() {
        return (Map<String, Object>)
                System.getProperties().computeIfAbsent(OPEN, name -> new ConcurrentHashMap<String, Object>());
    }

    /** Notes a directory as open; returns false where it is. */
    static boolean enter(String identity) {
        return open().putIfAbsent(identity, true) == null;
    }

    static void leave(String identity) {
        open().remove(identity);
    }
}
