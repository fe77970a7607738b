package dev.larder.lab.search;

import dev.larder.lab.RunContext;
import dev.larder.lab.machine.WarmMemory;
import dev.larder.lab.result.Directories;
import java.nio.file.Path;

/**
 * What all servers of a run have in common.
 *
 * @param files that they start from
 * @param memory that is held for them
 * @param main class of their processes
 */
record SearchConditions(
        SearchOptions options, SearchFiles files, WarmMemory memory, Class<?> main, RunContext context) {

    Path responses() {
        return Directories.create(context.data().resolve("responses"));
    }
}
