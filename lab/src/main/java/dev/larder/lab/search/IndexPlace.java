package dev.larder.lab.search;

import dev.larder.cli.Figures;
import dev.larder.lab.RunContext;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.result.Attempt;
import dev.larder.lab.result.Directories;
import dev.larder.lab.result.LabException;
import dev.larder.lab.search.index.QueryKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The folder in which the index is built and kept, with all that belongs to it. Existing parts are reused; an interrupted
 * build resumes at its last commit.
 *
 * <pre>
 * words      the words of the corpus
 * index/     the files of Lucene, by FSDirectory; servers read links to them, or copies
 * queries-N  the tasks, a line each, N of a kind; if only of some kinds, their names follow
 * </pre>
 */
record IndexPlace(Path directory) {

    private static final long HEAP_BYTES = 1L << 30;
    private static final double LOOK_SECONDS = 0.25;
    private static final int PERCENT = 100;

    Path words() {
        return directory.resolve("words");
    }

    /** Returns the directory of Lucene's files. */
    Path index() {
        return directory.resolve("index");
    }

    /** Returns the file of so many tasks of each kind; only of the named kinds, if any. */
    Path queries(int tasks, List<String> kinds) {
        return directory.resolve("queries-" + tasks + (kinds.isEmpty() ? "" : "-" + String.join("-", kinds)));
    }

    /** Builds missing parts, in a separate process. */
    SearchFiles build(SearchOptions options, RunContext context) {
        Directories.create(directory);
        List<String> command = JavaProcess.command(HEAP_BYTES, IndexChild.class, List.of("-XX:+UseParallelGC"));
        try (ChildProcess child = context.start("index", command)) {
            child.ask("build", settings(options));
            Figures built = await(child, context);
            return new SearchFiles(
                    this,
                    queries(options.index().tasks(), kinds(options)),
                    built.whole("bytes"),
                    built.whole("documents"),
                    built);
        }
    }

    /** Returns the index settings for a run's processes. */
    Figures settings(SearchOptions options) {
        Path corpus = options.index().corpus();
        return new Figures()
                .put("place", directory.toAbsolutePath())
                .put("corpus", corpus == null ? null : corpus.toAbsolutePath())
                .put("documents", options.index().documents())
                .put("vector_dimensions", options.index().vectorDimensions())
                .put("words_bytes", options.index().wordsBytes())
                .put("tasks", options.index().tasks())
                .put("kinds", kinds(options))
                .put("seed", options.seed());
    }

    private static List<String> kinds(SearchOptions options) {
        return options.index().kinds().stream().map(QueryKind::label).toList();
    }

    private static Figures await(ChildProcess child, RunContext context) {
        Figures last = new Figures();
        while (true) {
            Figures state = child.ask("built", new Figures());
            if (state.has("failed")) {
                throw new LabException("cannot build the index: " + state.get("failed"));
            }
            if (state.flag("finished")) {
                return state.part("index");
            }
            if (!state.equals(last)) {
                context.progress().step((int) state.whole("percent"), PERCENT, "index: " + state.text("step"));
            }
            last = state;
            Attempt.sleep(LOOK_SECONDS, "wait while the index was built");
        }
    }

    /** Refuses a place with another corpus. */
    void claim(String corpus) throws IOException {
        Path of = directory.resolve("words-of");
        if (!Files.exists(of)) {
            Files.writeString(of, corpus);
        } else if (!Files.readString(of).equals(corpus)) {
            throw new LabException("the index here was made of another corpus, " + Files.readString(of) + ", not of "
                    + corpus + ": name another --index, or delete it");
        }
    }
}
