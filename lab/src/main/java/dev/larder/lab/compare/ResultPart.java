package dev.larder.lab.compare;

import dev.larder.cli.Figures;
import java.util.List;

/** A form of figures that several experiments share. */
sealed interface ResultPart permits BurstsPart, RowsPart, RunsPart {

    /** Returns its name in {@code result.json}. */
    String name();

    /** Lays it over one another; all results have it. */
    Overlay overlay(List<ComparedResult> results);

    default boolean isIn(Figures result) {
        return !result.rows(name()).isEmpty();
    }
}
