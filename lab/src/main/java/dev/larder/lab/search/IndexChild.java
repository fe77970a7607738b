package dev.larder.lab.search;

import dev.larder.cli.FailureReason;
import dev.larder.cli.Figures;
import dev.larder.lab.process.ChildLoop;
import dev.larder.lab.result.Directories;
import dev.larder.lab.result.LabException;
import dev.larder.lab.search.index.IndexSummary;
import dev.larder.lab.search.index.QueryKind;
import dev.larder.lab.search.index.QueryPlan;
import dev.larder.lab.search.index.SearchIndex;
import dev.larder.lab.search.index.SearchIndexOptions;
import dev.larder.lab.search.index.SearchTask;
import dev.larder.lab.text.Corpora;
import dev.larder.lab.text.Corpus;
import dev.larder.lab.text.Fragments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * The process that builds a missing index: it keeps the words of the corpus, indexes documents made of them, and derives
 * the tasks.
 *
 * <ul>
 *   <li>{@code build {"place", "corpus", "words_bytes", "documents", "vector_dimensions", "tasks", "kinds", "seed"}}: begins, or
 *       resumes;
 *   <li>{@code built}: answers with {@code step} and {@code percent}, and at the end with {@code finished} and the
 *       facts of the {@code index}.
 * </ul>
 */
public final class IndexChild {

    private static final int THREADS = 2;
    private static final long MOST_IN_A_COMMIT = 250_000;
    private static final long COMMITS = 8;
    private static final int PERCENT = 100;
    private static final int HIGHLIGHTS = 10;

    private volatile Figures state = new Figures().put("step", "starting").put("percent", 0);

    private IndexChild() {}

    /** Serves a conductor until it ends. */
    public static void main(String[] arguments) throws IOException {
        IndexChild child = new IndexChild();
        new ChildLoop()
                .on("build", child::start)
                .on("built", settings -> child.state)
                .serve();
    }

    private Figures start(Figures settings) {
        Thread.ofPlatform().daemon().name("build").start(() -> run(settings));
        return new Figures();
    }

    private void run(Figures settings) {
        try {
            Figures index = build(settings);
            state = new Figures().put("finished", true).put("index", index);
        } catch (IOException | RuntimeException | Error e) { // kept for answers
            e.printStackTrace(System.err);
            state = new Figures().put("failed", reason(e));
        }
    }

    private static String reason(Throwable failure) {
        return failure instanceof IOException cause
                ? FailureReason.of(cause)
                : Objects.requireNonNullElse(failure.getMessage(), failure.toString());
    }

    private void at(String step, long done, long all) {
        state = new Figures().put("step", step).put("percent", PERCENT * done / all);
    }

    private Figures build(Figures settings) throws IOException {
        IndexPlace place = new IndexPlace(Directories.create(Path.of(settings.text("place"))));
        long start = System.nanoTime();
        Fragments words = words(place, settings);
        SearchIndexOptions options = options(settings);
        try (Directory directory = FSDirectory.open(place.index())) {
            IndexSummary summary = new SearchIndex(words, options)
                    .build(directory, (indexed, documents, step) -> at(step, indexed, documents));
            Path queries = place.queries((int) settings.whole("tasks"), kinds(settings));
            deriveTasks(queries, directory, settings);
            return facts(summary, words)
                    .put("tasks", SearchTasks.read(queries).count())
                    .put("built_from_document", summary.startedAt())
                    .put("build_seconds", (System.nanoTime() - start) / 1e9);
        }
    }

    private Fragments words(IndexPlace place, Figures settings) throws IOException {
        String path = settings.get("corpus") instanceof String text ? text : null;
        place.claim(path == null ? "the sources of the JDK" : path);
        if (Files.exists(place.words())) {
            return Fragments.open(place.words());
        }
        at("reading the corpus", 0, 1);
        try (Corpus corpus = Corpora.open(path == null ? null : Path.of(path))) {
            return Fragments.keep(corpus, settings.whole("words_bytes"), place.words());
        }
    }

    /** Returns the options to build and update an index of these settings. */
    static SearchIndexOptions options(Figures settings) {
        long documents = settings.whole("documents");
        return new SearchIndexOptions(
                documents,
                settings.whole("seed"),
                (int) settings.whole("vector_dimensions"),
                THREADS,
                Math.clamp(documents / COMMITS, 1, MOST_IN_A_COMMIT));
    }

    private void deriveTasks(Path queries, Directory directory, Figures settings) throws IOException {
        if (Files.exists(queries)) {
            return;
        }
        at("deriving the tasks", 1, 1);
        int tasks = (int) settings.whole("tasks");
        try (IndexReader reader = DirectoryReader.open(directory)) {
            int mostOfAKind = Math.min(QueryPlan.TASKS_A_KIND, HIGHLIGHTS * tasks);
            QueryPlan plan = QueryPlan.derive(reader, mostOfAKind, settings.whole("seed"));
            Path partial = queries.resolveSibling("queries.partial");
            chosen(plan, tasks, kinds(settings)).write(partial);
            Files.move(partial, queries);
        }
    }

    private static List<String> kinds(Figures settings) {
        List<?> kinds = settings.get("kinds") instanceof List<?> list ? list : List.of();
        return kinds.stream().map(String::valueOf).toList();
    }

    /** Takes ten times as many highlighting tasks as of every other kind: 500 for 50. */
    private static QueryPlan chosen(QueryPlan plan, int tasks, List<String> kinds) {
        List<SearchTask> chosen = new ArrayList<>();
        for (QueryKind kind : plan.kinds()) {
            int most = kind == QueryKind.HIGHLIGHT ? HIGHLIGHTS * tasks : tasks;
            if (kinds.isEmpty() || kinds.contains(kind.label())) {
                plan.of(kind).stream().limit(most).forEach(chosen::add);
            }
        }
        if (chosen.isEmpty()) {
            throw new LabException(
                    "--kinds " + kinds + ": the index has no queries of these kinds; it has " + plan.kinds());
        }
        return new QueryPlan(chosen);
    }

    private static Figures facts(IndexSummary summary, Fragments words) {
        return new Figures()
                .put("documents", summary.documents())
                .put("segments", summary.segments())
                .put("bytes", summary.bytes())
                .put("words_bytes", words.textBytes())
                .put("words", words.fingerprint());
    }
}
