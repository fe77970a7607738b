package dev.larder.memory.region;

import java.lang.foreign.Arena;
import java.util.Optional;

/** Where the regions of one kind come from. Sizes are checked, and the kind is available, before it is asked. */
interface RegionSource {

    /** Returns why there can be none here; empty where there can. */
    Optional<String> unavailable();

    /** Creates a region whose bytes are given back when the arena closes. */
    Region create(String name, long bytes, Arena arena);

    /** Attaches to a region until the arena closes. */
    Region attach(String name, Arena arena);

    /** Removes a name; false where there is none. */
    boolean delete(String name);
}
