package dev.larder.arraycli.demo;

import dev.larder.memory.LarderException;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The course of the demo: load, a node is killed, it comes back. Prints a line each second. */
final class Demo {

    /** The node that is killed. */
    static final int VICTIM = 1;

    private static final int START_SECONDS_MOST = 300;
    private static final int LATER_SECONDS_MOST = 20;
    private static final int RETURN_SECONDS_MOST = 300;
    private static final int FILL_SECONDS_MOST = 20;

    private final DemoNodes nodes;
    private final DemoLoad load;
    private final LeaderWatch watch;
    private final PrintStream out;
    private final Timeline timeline = new Timeline();
    private final long beganNanos = System.nanoTime();
    private Tally.Counts counted = new Tally.Counts(0, 0, 0, 0);
    private long countedNanos = beganNanos;

    /**
     * The extent of the demo: keys, and how long each part lasts, in seconds.
     *
     * @param keys how many keys are written
     * @param steady the seconds with all nodes
     * @param down the seconds without one node
     * @param back the seconds with all nodes again
     */
    record Course(int keys, int steady, int down, int back) {}

    Demo(DemoNodes nodes, DemoLoad load, LeaderWatch watch, PrintStream out) {
        this.nodes = nodes;
        this.load = load;
        this.watch = watch;
        this.out = out;
    }

    /** Waits until all nodes of an array serve. */
    static void awaitStart(DemoNodes nodes, LeaderWatch watch) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MOST);
        while (!watch.isWhole()) {
            nodes.requireRunning();
            if (System.nanoTime() > deadline) {
                throw new LarderException("the nodes did not start to serve within " + START_SECONDS_MOST + " s");
            }
            Thread.sleep(100);
        }
    }

    Timeline run(Course course) throws InterruptedException {
        out.printf(
                Locale.ROOT,
                "%6s  %8s  %10s  %7s  %s%n",
                "second",
                "ops/s",
                "longest ms",
                "retries",
                "leaders of the stripes");
        happened(load.keys() + " keys are written; from now on one operation in ten is a write");
        load.start();
        until(load::isFilled, FILL_SECONDS_MOST);
        seconds(course.steady());

        nodes.kill(VICTIM);
        happened("node " + VICTIM + " is killed");
        noteWhen(() -> watch.isServingWithout(VICTIM), "all stripes have leaders again", course.down());

        nodes.start(VICTIM);
        happened("node " + VICTIM + " is started again");
        noteWhen(() -> watch.isLeading(VICTIM), "node " + VICTIM + " leads again", course.back());
        until(watch::isWhole, RETURN_SECONDS_MOST);
        return timeline;
    }

    /** Continues for so many seconds, or longer until a condition holds. Records when the condition first holds. */
    private void noteWhen(BooleanSupplier condition, String text, int seconds) throws InterruptedException {
        boolean isNoted = false;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        long next = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        long patience = end + TimeUnit.SECONDS.toNanos(LATER_SECONDS_MOST);
        while (System.nanoTime() < end || (!isNoted && System.nanoTime() < patience)) {
            if (!isNoted && condition.getAsBoolean()) {
                happened(text);
                isNoted = true;
            }
            if (System.nanoTime() >= next) {
                sample();
                next += TimeUnit.SECONDS.toNanos(1);
            }
            Thread.sleep(50);
        }
    }

    private void seconds(int count) throws InterruptedException {
        for (int second = 0; second < count; second++) {
            Thread.sleep(1000);
            sample();
        }
    }

    private void until(BooleanSupplier condition, int secondsMost) throws InterruptedException {
        for (int second = 0; second < secondsMost && !condition.getAsBoolean(); second++) {
            seconds(1);
        }
    }

    private void happened(String text) {
        timeline.add(new Timeline.Event(second(System.nanoTime()), text));
        out.printf(Locale.ROOT, "%6.1f  %s%n", second(System.nanoTime()), text);
        out.flush();
    }

    private void sample() {
        nodes.requireRunning();
        long nanos = System.nanoTime();
        Tally.Counts now = load.counts();
        double interval = (nanos - countedNanos) / 1e9;
        Timeline.Sample sample = new Timeline.Sample(
                second(nanos),
                (now.operations() - counted.operations()) / interval,
                load.takeLongestNanos() / 1e6,
                now.retries() - counted.retries(),
                watch.leaders());
        counted = now;
        countedNanos = nanos;
        timeline.add(sample);
        out.printf(
                Locale.ROOT,
                "%6.1f  %8.0f  %10.1f  %7d  %s%n",
                sample.second(),
                sample.operations(),
                sample.longestMillis(),
                sample.retries(),
                sample.leaders());
        out.flush();
    }

    private double second(long nanos) {
        return (nanos - beganNanos) / 1e9;
    }
}
