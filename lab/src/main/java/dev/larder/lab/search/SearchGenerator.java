package dev.larder.lab.search;

import dev.larder.cli.Figures;
import dev.larder.lab.load.GeneratorLoop;
import dev.larder.lab.load.Workload;
import dev.larder.lab.result.Require;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The process that sends searches and updates. Command {@code tasks {"text"}} comes first, with a line for each task. Loads
 * do not read the file of the tasks, which another host does not have.
 */
public final class SearchGenerator {

    /** Its heap, which holds the tasks. */
    static final long HEAP_BYTES = 128L << 20;

    private @Nullable SearchTasks tasks;

    private SearchGenerator() {}

    /** Serves a conductor until it ends. */
    public static void main(String[] arguments) throws IOException {
        SearchGenerator generator = new SearchGenerator();
        GeneratorLoop loop = new GeneratorLoop().workload(SearchWorkload.NAME, generator::workload);
        loop.commands().on("tasks", generator::take);
        loop.serve();
    }

    private Figures take(Figures settings) {
        tasks = SearchTasks.of(settings.text("text").lines());
        return new Figures();
    }

    private Workload workload(Figures settings, long seed) {
        return SearchWorkload.open(Require.present(tasks, "the generator was told no tasks"), settings, seed);
    }
}
