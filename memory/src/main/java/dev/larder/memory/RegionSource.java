package dev.larder.memory;

import java.util.Optional;

/** Where the regions of one kind come from. Sizes are checked, and the kind is available, before it is asked. */
interface RegionSource {

    /** Returns why there can be none here; empty where there can. */
    Optional<String> unavailable();

    Region create(String name, long bytes);

    Region attach(String name);

    /** Removes a name; false where there is none. */
    boolean delete(String name);
}
