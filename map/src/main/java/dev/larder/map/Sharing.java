package dev.larder.map;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * The location of a map's index, which all processes that have the map open share. Immutable. The first process that
 * opens the map chooses it; the others find it.
 *
 * @param folder the folder for the index's file, which only its owner may use. Empty: {@code /dev/shm} if it has room,
 *     else the map's own folder. Processes in several containers share a map if they all see the folder: a volume,
 *     preferably in memory (tmpfs)
 */
public record Sharing(Optional<Path> folder) {

    private static final Sharing DEFAULTS = new Sharing(Optional.empty());

    /** Creates a location; the folder may be empty, and not null. A relative one is made absolute: processes share it. */
    public Sharing {
        Objects.requireNonNull(folder, "folder");
        folder = folder.map(place -> place.toAbsolutePath().normalize());
    }

    /** Returns the default: {@code /dev/shm}, else the map's folder. */
    public static Sharing defaults() {
        return DEFAULTS;
    }

    /** Returns a copy with another {@link #folder}. */
    public Sharing withFolder(Path place) {
        return new Sharing(Optional.of(place));
    }
}
