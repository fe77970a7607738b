package dev.larder.log.shared;

import dev.larder.memory.Storage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;

/**
 * The boot of the machine and the life of the mounted file system, which tell whether memory still holds what was written. As
 * long as both are the same, a process may have crashed, but no page was lost.
 *
 * @param boot a hash of the boot; 0 when it is unknown
 * @param mount a hash of the mounted file system's life; 0 when it is unknown
 */
public record MemoryIdentity(long boot, long mount) {

    public static MemoryIdentity of(Storage storage, Path directory) {
        return new MemoryIdentity(hash(storage.bootIdentity()), hash(storage.mountIdentity(directory)));
    }

    private static long hash(String identity) {
        byte[] bytes = identity.getBytes(StandardCharsets.UTF_8);
        return identity.isEmpty() ? 0 : UUID.nameUUIDFromBytes(bytes).getMostSignificantBits() | 1;
    }

    /** Returns whether a later opening will be able to tell whether memory is the same. */
    public boolean isKnown() {
        return boot != 0 && mount != 0;
    }

    /** Returns whether memory still holds what it held when another identity was taken. */
    public boolean isSameAs(MemoryIdentity other) {
        return isKnown() && equals(other);
    }

    /** Returns the same, as far as can be told: an unknown mount is taken for the same one. */
    public boolean mayBeSameAs(MemoryIdentity other) {
        boolean sameMount = mount == 0 || other.mount == 0 || mount == other.mount;
        return boot != 0 && boot == other.boot && sameMount;
    }
}
