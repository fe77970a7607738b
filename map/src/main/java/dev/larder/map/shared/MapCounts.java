package dev.larder.map.shared;

import dev.larder.map.format.IndexFileLayout;

/** How many lookups found an entry, and how many did not: of all processes, since the first one opened the map. */
public final class MapCounts {

    private final Stripes stripes;

    public MapCounts(Stripes stripes) {
        this.stripes = stripes;
    }

    public void found(boolean present) {
        stripes.add(present ? IndexFileLayout.STRIPE_HITS : IndexFileLayout.STRIPE_MISSES, 1);
    }

    public long hits() {
        return stripes.sum(IndexFileLayout.STRIPE_HITS);
    }

    public long misses() {
        return stripes.sum(IndexFileLayout.STRIPE_MISSES);
    }
}
