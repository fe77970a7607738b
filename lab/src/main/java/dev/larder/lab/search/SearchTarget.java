package dev.larder.lab.search;

import dev.larder.cli.Figures;
import dev.larder.lab.load.TargetLoop;
import dev.larder.lab.load.TargetServer;
import dev.larder.lab.result.LabException;
import dev.larder.lab.result.Require;
import dev.larder.lab.search.index.SearchDocuments;
import dev.larder.lab.search.index.SearchIndex;
import dev.larder.lab.search.index.SearchResult;
import dev.larder.lab.text.Fragments;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;

/**
 * The process that serves an index.
 *
 * <ul>
 *   <li>{@code open {"place", "queries", "subject", "directory", "copy", "updates", "reopen_seconds",
 *       "garbage_bytes_per_s", ...}}: opens the index, and answers with {@code first_query_ms} and {@code load_ms};
 *   <li>{@code answers}: runs every task once, and returns a number for each;
 *   <li>{@code start {"threads", "host"}}: listens, and returns the {@code port};
 *   <li>{@code estimate {"seconds", "seed"}}, {@code warm-up {"seconds", "seed"}}, {@code turn {"seconds"}}, {@code finish}:
 *       run one search after the other;
 *   <li>{@code reopened}: returns the reopening times since the last question;
 *   <li>{@code state}: returns the number of {@code documents}.
 * </ul>
 */
public final class SearchTarget {

    private static final double MILLI = 1e6;

    private final SearchService.Answering answering;
    private @Nullable Serving serving;
    private @Nullable ClosedLoop turns;

    /** The parts of an open index. */
    private record Serving(
            SearchTasks tasks,
            ServedIndex index,
            SearchService service,
            @Nullable Reopener reopener) {}

    private SearchTarget(SearchService.Answering answering) {
        this.answering = answering;
    }

    /** Serves a conductor until it ends. */
    public static void main(String[] arguments) throws IOException {
        serve((task, index) -> number(index.search(task::run)));
    }

    /** Returns a number for everything found. */
    static long number(SearchResult result) {
        return 31 * result.hits() + result.checksum();
    }

    /** Serves a conductor until it ends, with the caller's way of answering. */
    static void serve(SearchService.Answering answering) throws IOException {
        SearchTarget target = new SearchTarget(answering);
        TargetLoop loop = new TargetLoop();
        loop.commands()
                .on("open", target::open)
                .on("answers", settings -> target.answers())
                .on("start", target::start)
                .on("estimate", target::estimate)
                .on("warm-up", target::warmUp)
                .on("turn", target::turn)
                .on("finish", settings -> target.finish())
                .on("reopened", settings -> target.reopened())
                .on("state", settings -> target.state());
        loop.serve();
    }

    private Serving serving() {
        return Require.present(serving, "no index is open");
    }

    private Figures open(Figures settings) throws IOException {
        SearchDirectory kind = SearchDirectory.named(settings.text("subject"));
        IndexPlace place = new IndexPlace(Path.of(settings.text("place")));
        Path files = Path.of(settings.text("directory"));
        SearchTasks tasks = SearchTasks.read(Path.of(settings.text("queries")));
        boolean updates = settings.flag("updates");
        SearchDocuments documents = updates ? documents(place, settings) : null;
        String filled = ServedFiles.fill(files, place.index(), settings.flag("copy"));
        long start = System.nanoTime();
        Directory directory = kind.open(files, settings.wholeOrNull("memory_bytes"));
        answerOne(directory, tasks);
        long answered = System.nanoTime();
        LockedFiles locks = kind.locked() ? new LockedFiles(files) : null;
        String reason = locks == null ? null : locks.lock(List.of(directory.listAll()));
        if (reason != null) {
            return new Figures().put("skipped_reason", reason);
        }
        SearchDirectory.awaitLoaded(directory);
        ServedIndex index = updates ? ServedIndex.openForUpdates(directory) : ServedIndex.open(directory);
        long loaded = System.nanoTime();
        serving = new Serving(
                tasks,
                index,
                new SearchService(tasks, index, answering, documents),
                updates ? reopener(index, directory, locks, settings) : null);
        makeGarbage(settings);
        return new Figures()
                .put("first_query_ms", (answered - start) / MILLI)
                .put("load_ms", (loaded - start) / MILLI)
                .put("files", filled);
    }

    /** An index opened before the load ends may forever read from elsewhere, so this one is closed afterwards. */
    private void answerOne(Directory directory, SearchTasks tasks) throws IOException {
        try (ServedIndex index = ServedIndex.open(directory)) {
            answering.answer(tasks.task(0), index);
        }
    }

    /** Makes updates from the words of the index. */
    private static SearchDocuments documents(IndexPlace place, Figures settings) throws IOException {
        return new SearchIndex(Fragments.open(place.words()), IndexChild.options(settings)).documents();
    }

    /** Locks files of merges as well. */
    private static Reopener reopener(
            ServedIndex index, Directory directory, @Nullable LockedFiles locks, Figures settings) {
        return new Reopener(
                visible -> {
                    index.reopen(visible);
                    String reason = locks == null ? null : locks.lock(List.of(directory.listAll()));
                    if (reason != null) {
                        throw new LabException(reason); // the figures would be those of an index that is not locked
                    }
                },
                settings.number("reopen_seconds"));
    }

    /** Makes garbage until the process ends. */
    @SuppressWarnings("resource")
    private static void makeGarbage(Figures settings) {
        long bytesPerSecond = settings.whole("garbage_bytes_per_s");
        if (bytesPerSecond > 0) {
            new Garbage(bytesPerSecond);
        }
    }

    private Figures answers() throws IOException {
        long[] answers = serving().service().answers();
        return new Figures().put("answers", Arrays.stream(answers).boxed().toList());
    }

    private Figures start(Figures settings) {
        Serving open = serving();
        TargetServer server = TargetServer.at(
                settings.text("host"),
                open.service(),
                (int) settings.whole("threads"),
                kind -> kind == open.tasks().updateKind());
        return new Figures().put("port", server.address().getPort());
    }

    private ClosedLoop loop(long seed, boolean strict) {
        Serving open = serving();
        return new ClosedLoop(open.tasks(), open.service(), seed, strict);
    }

    /** Ignores wrong answers, which the load counts. */
    private Figures estimate(Figures settings) throws IOException {
        double perSecond = loop(settings.whole("seed"), false)
                .runPart(settings.number("seconds"))
                .perSecond();
        return new Figures().put("per_s", perSecond);
    }

    private Figures warmUp(Figures settings) throws IOException {
        long seed = settings.whole("seed");
        loop(~seed, true).runPart(settings.number("seconds"));
        turns = loop(seed, true);
        return new Figures();
    }

    private Figures turn(Figures settings) throws IOException {
        turns().runPart(settings.number("seconds"));
        return new Figures();
    }

    private Figures finish() throws IOException {
        return turns().finish().figures();
    }

    private ClosedLoop turns() {
        return Require.present(turns, "nothing was warmed up");
    }

    private Figures reopened() {
        Reopener reopener = serving().reopener();
        return reopener == null ? new Figures() : reopener.take();
    }

    private Figures state() throws IOException {
        ServedIndex index = serving().index();
        if (index.isUpdatable()) {
            index.reopen(delay -> {});
        }
        return new Figures().put("documents", index.search(searcher ->
                (long) searcher.getIndexReader().numDocs()));
    }
}
