package dev.larder.lab.search;

import dev.larder.cli.Figures;
import dev.larder.lab.load.Request;
import dev.larder.lab.load.Workload;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Searches and updates in random order.
 *
 * <p>Each arrives by its own Poisson process. Together these form a third one, whose rate is the sum of both: requests
 * are drawn from it. Each of its arrivals is an update with a fixed probability, independent of earlier ones.
 * Tasks come in passes: all of them once, shuffled, then all again, reshuffled. Each document is as likely to be updated
 * as any other.
 */
final class SearchWorkload implements Workload {

    /** The name that a conductor uses for it. */
    static final String NAME = "search";

    /** The name of all searches together. */
    static final String SEARCHES = "search";

    private final SearchTasks tasks;
    private final byte[][] lines;
    private final int[] kinds;
    private final Shuffle order;
    private final long documents;
    private final double updatesShare;
    private final SplittableRandom random;

    /** A workload in which a share of the requests, from 0 to 1, updates one of so many documents. */
    SearchWorkload(SearchTasks tasks, long documents, double updatesShare, long seed) {
        this.tasks = tasks;
        this.documents = documents;
        this.updatesShare = updatesShare;
        this.random = new SplittableRandom(seed);
        this.order = new Shuffle(tasks.count(), random.split());
        this.kinds = IntStream.range(0, tasks.count()).map(tasks::kind).toArray();
        this.lines = IntStream.range(0, tasks.count())
                .mapToObj(task -> tasks.task(task).bytes())
                .toArray(byte[][]::new);
    }

    /** Returns a conductor's settings of it. */
    static Figures figures(long documents, double updatesShare) {
        return new Figures().put("workload", NAME).put("documents", documents).put("updates_share", updatesShare);
    }

    static SearchWorkload open(SearchTasks tasks, Figures settings, long seed) {
        return new SearchWorkload(tasks, settings.whole("documents"), settings.number("updates_share"), seed);
    }

    @Override
    public List<String> kinds() {
        return tasks.kinds();
    }

    @Override
    public Optional<Foreground> foreground() {
        return Optional.of(new Foreground(SEARCHES, tasks.searches()));
    }

    @Override
    public void next(Request request) {
        if (random.nextDouble() < updatesShare) {
            request.set(tasks.updateKind(), random.nextLong(documents));
        } else {
            int task = order.next();
            request.set(kinds[task], task, lines[task]);
        }
    }
}
