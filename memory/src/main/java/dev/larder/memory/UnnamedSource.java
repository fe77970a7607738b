package dev.larder.memory;

import java.util.Optional;

/** Regions that nobody but their maker sees, and that end with it. */
interface UnnamedSource extends RegionSource {

    Region create(long bytes);

    @Override
    default Optional<String> unavailable() {
        return Optional.empty();
    }

    @Override
    default Region create(String name, long bytes) {
        throw new IllegalArgumentException(this + " has no name: \"" + name + "\"");
    }

    @Override
    default Region attach(String name) {
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
