package dev.larder.memory.region;

import java.lang.foreign.Arena;
import java.util.Optional;

/** The source of the regions of one kind. Callers check the size, and that the kind is available. */
interface RegionSource {

    /** Returns why this machine has no such regions; empty if it has. */
    Optional<String> unavailable();

    /** Creates a region whose bytes are given back when the arena closes. */
    Region create(String name, long bytes, Arena arena);

    /** Attaches to a region until the arena closes. */
    Region attach(String name, Arena arena);

    /** Removes a name; false if there is none. */
    boolean delete(String name);
}
