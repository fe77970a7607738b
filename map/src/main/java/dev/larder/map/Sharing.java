package dev.larder.map;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the index of a map lies, which all processes share that have it open. Immutable. It is chosen by the first
 * process that opens the map; the others find it.
 *
 * @param folder the folder for the index's file, for its owner alone. Empty: {@code /dev/shm} where there is room, else the
 *     map's own folder. Processes in several containers share a map if they all see the folder: a volume, best of memory
 *     (tmpfs)
 */
public record Sharing(Optional<Path> folder) {

    private static final Sharing DEFAULTS = new Sharing(Optional.empty());

    /** Returns the defaults: in {@code /dev/shm}, else in the map's folder. */
    public static Sharing defaults() {
        return DEFAULTS;
    }

    /** Returns a copy with another {@link #folder}. */
    public Sharing withFolder(Path place) {
        return new Sharing(Optional.of(place.toAbsolutePath().normalize()));
    }
}
