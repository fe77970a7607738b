package dev.larder.map.shared;

import dev.larder.memory.OnceOpen;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The maps that this JVM has open, whichever class loader opened them. Where locks belong to the process, opening a map's
 * file a second time and closing it again would drop the lock of the first.
 */
public final class OpenMaps {

    private static final String KIND = "map";
    private static final Map<String, OnceOpen> OPEN = new ConcurrentHashMap<>();

    private OpenMaps() {}

    /** Marks a directory as open; returns false if it is already. */
    public static boolean enter(String identity) {
        Optional<OnceOpen> entered = OnceOpen.enter(KIND, identity);
        entered.ifPresent(once -> OPEN.put(identity, once));
        return entered.isPresent();
    }

    /** Returns which class loader's copy of the library has a directory open. */
    public static String holder(String identity) {
        return OnceOpen.holder(KIND, identity).orElse("a class loader that has just closed it");
    }

    public static void leave(String identity) {
        Optional.ofNullable(OPEN.remove(identity)).ifPresent(OnceOpen::close);
    }
}
