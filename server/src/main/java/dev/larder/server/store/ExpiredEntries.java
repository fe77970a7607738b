package dev.larder.server.store;

import dev.larder.log.NotInMemoryException;
import dev.larder.map.LarderMap;
import dev.larder.map.NoRoomYetException;
import dev.larder.memory.DiskFullException;

/** Removes entries that have expired from a map. */
final class ExpiredEntries {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");

    private ExpiredEntries() {}

    /**
     * Removes the entry of a key if it has expired. The expiry is so reported before the next value of the key, which another map
     * may hold. If the removal would have to wait or finds no room, the entry stays for now.
     */
    static void remove(LarderMap<Bytes, Bytes> map, Bytes key) {
        if (map.hasMetExpiry()) {
            try {
                map.withoutWaiting(() -> map.removeExpired(key));
            } catch (DiskFullException | NoRoomYetException | NotInMemoryException e) {
                LOGGER.log(System.Logger.Level.DEBUG, "an expired entry stays for now", e);
            }
        }
    }
}
