package dev.larder.map;

/** How often look-ups found an entry, and how often not: of all processes, since the first of them opened the map. */
final class MapCounts {

    private final Stripes stripes;

    MapCounts(Stripes stripes) {
        this.stripes = stripes;
    }

    void found(boolean present) {
        stripes.add(present ? IndexFileLayout.STRIPE_HITS : IndexFileLayout.STRIPE_MISSES, 1);
    }

    long hits() {
        return stripes.sum(IndexFileLayout.STRIPE_HITS);
    }

    long misses() {
        return stripes.sum(IndexFileLayout.STRIPE_MISSES);
    }
}
