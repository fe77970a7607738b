package dev.larder.lab.compare;

import dev.larder.cli.Figures;

/** A form of figures that several experiments share. */
sealed interface ResultPart permits BurstsPart, RowsPart, RunsPart {

    /** Returns its name in {@code result.json}. */
    String name();

    /** Lays it over one another; all results have it. */
    void lay(Overlay overlay);

    /** Returns what stands above its table. */
    default String title() {
        return "Figures side by side";
    }

    default boolean isIn(Figures result) {
        return !result.rows(name()).isEmpty();
    }
}
