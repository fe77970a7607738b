package dev.larder.lab.search;

import dev.larder.lab.RunContext;
import dev.larder.lab.machine.WarmMemory;
import dev.larder.lab.result.Directories;
import java.nio.file.Path;

/**
 * The common conditions of a run's servers.
 *
 * @param files that they start from
 * @param memory held for them
 * @param main class of their processes
 */
record SearchConditions(
        SearchOptions options, SearchFiles files, WarmMemory memory, Class<?> main, RunContext context) {

    Path responses() {
        return Directories.create(context.data().resolve("responses"));
    }
}
