package dev.larder.lab.array;

import dev.larder.cli.Figures;
import dev.larder.lab.load.LoadSettings;
import dev.larder.lab.result.Attempt;
import dev.larder.lab.result.Rows;
import dev.larder.lab.result.Sample;
import java.util.List;
import java.util.concurrent.FutureTask;

/**
 * A load that kills a node after a quarter of its time, and restarts it at half.
 *
 * <p>Requests come evenly, regardless of answers. So the longest response of a write is the time, as clients see it, until
 * the stripes that the node led accept writes again.
 */
final class Failover {

    private static final double KILLED_AT = 0.25;
    private static final double BACK_AT = 0.5;
    private static final int CALM_INTERVALS = 5;

    private final ArrayNodes nodes;
    private final SubjectLoads loads;
    private final int victim;

    private record Moments(long killedNanos, long startedNanos) {}

    Failover(ArrayNodes nodes, SubjectLoads loads) {
        this.nodes = nodes;
        this.loads = loads;
        victim = nodes.leader();
    }

    /** Runs it; returns its rows, the first of which has the findings. */
    List<Figures> run(double rate, double seconds) {
        LoadSettings settings = loads.settings(SubjectLoads.open(rate, seconds));
        long start = System.nanoTime();
        FutureTask<Moments> events = new FutureTask<>(() -> killAndStart(start, seconds));
        Thread.ofPlatform().daemon().name("failover").start(events);
        Figures seen = loads.metered(() -> loads.conductor().load(settings, "failover"));
        Moments moments = Attempt.await("kill and start a node", events);
        List<Figures> rows =
                loads.rows(seen, new Figures().put("loop", "failover").put("outstanding", null));
        rows.getFirst().putAll(findings(rows, seen.whole("start_nanos"), moments));
        return rows;
    }

    private Moments killAndStart(long start, double seconds) {
        sleepUntil(start, seconds * KILLED_AT);
        long killed = System.nanoTime();
        nodes.kill(victim);
        sleepUntil(start, seconds * BACK_AT);
        long started = System.nanoTime();
        nodes.start(victim);
        return new Moments(killed, started);
    }

    private static void sleepUntil(long start, double seconds) {
        Attempt.sleep(seconds - (System.nanoTime() - start) / 1e9, "wait for a node to be killed");
    }

    private Figures findings(List<Figures> rows, long startNanos, Moments moments) {
        double killed = (moments.killedNanos() - startNanos) / 1e9;
        double back = (moments.startedNanos() - startNanos) / 1e9;
        List<Figures> timeline = rows.getFirst().rows("timeline");
        return new Figures()
                .put("node", victim)
                .put("killed_second", killed)
                .put("back_second", back)
                .put("longest_write_ms", longest(rows, "put"))
                .put("longest_read_ms", longest(rows, "get"))
                .put("calm_after_kill_ms", calmAfterMillis(timeline, killed, back))
                .put("calm_after_return_ms", calmAfterMillis(timeline, back, Double.MAX_VALUE))
                .put(
                        "pauses",
                        List.of(new Figures()
                                .put("kind", "node " + victim + " is down")
                                .put("second", killed)
                                .put("ms", (back - killed) * 1e3)));
    }

    private static double longest(List<Figures> rows, String operation) {
        return Rows.first(rows, "operation", operation).number("max_us") / 1e3;
    }

    /** Returns how long after a moment p99 falls to at most twice its value before the kill, and stays there. */
    static double calmAfterMillis(List<Figures> timeline, double from, double until) {
        double before = new Sample(timeline.stream()
                        .filter(interval ->
                                interval.number("second") < timeline.getLast().number("second") * KILLED_AT)
                        .map(interval -> interval.number("p99_us"))
                        .toList())
                .median();
        List<Figures> after = timeline.stream()
                .filter(interval -> interval.number("second") >= from && interval.number("second") < until)
                .toList();
        for (int index = 0; index + CALM_INTERVALS <= after.size(); index++) {
            boolean isCalm = after.subList(index, index + CALM_INTERVALS).stream()
                    .allMatch(interval -> interval.number("p99_us") <= 2 * before);
            if (isCalm) {
                return Math.max(0, after.get(index).number("second") - from) * 1e3;
            }
        }
        return Double.NaN;
    }
}
