package dev.larder.lab.search;

import dev.larder.cli.Figures;
import dev.larder.lab.RunContext;
import dev.larder.lab.load.RunRows;
import dev.larder.lab.machine.WarmMemory;
import dev.larder.memory.LarderException;

/**
 * What all servers of a run have in common.
 *
 * @param files that they start from
 * @param memory that is held for them
 * @param main class of their processes
 */
record SearchConditions(
        SearchOptions options, SearchFiles files, WarmMemory memory, Class<?> main, RunContext context) {

    /** Tells that a candidate was skipped, or has failed; returns the row that says so. */
    Figures notMeasured(SearchCandidate candidate, LarderException why) {
        return RunRows.notMeasured(
                context.progress(),
                candidate.title(),
                candidate.figures(),
                why instanceof SkippedException ? "skipped" : "failed",
                String.valueOf(why.getMessage()));
    }
}
