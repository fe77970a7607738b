package dev.larder.memory.region;

import dev.larder.memory.UnsupportedRegionException;
import java.lang.foreign.Arena;
import java.util.Optional;

/** Regions that only the process that made them sees, and that end with it. */
interface UnnamedSource extends RegionSource {

    /** Creates a region whose bytes are given back when the arena closes. */
    Region create(long bytes, Arena arena);

    @Override
    default Optional<String> unavailable() {
        return Optional.empty();
    }

    @Override
    default Region create(String name, long bytes, Arena arena) {
        throw new IllegalArgumentException(this + " has no name: \"" + name + "\"");
    }

    @Override
    default Region attach(String name, Arena arena) {
        throw refusal(name);
    }

    @Override
    default boolean delete(String name) {
        throw refusal(name);
    }

    private UnsupportedRegionException refusal(String name) {
        return new UnsupportedRegionException(this + " has no name by which it could be found: \"" + name + "\"");
    }
}
