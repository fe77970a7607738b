package dev.larder.lab.load;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests at the moments of an {@link Arrivals}, on one thread, and keeps every response.
 *
 * <p>In a closed load the next request leaves when one is answered, see {@link LoadPlan}.
 *
 * <p>A request that could not leave on time, because this thread was late, leaves at once; its response time counts from
 * its intended moment.
 */
final class Generator {

    private static final long LEAD_NANOS = 20_000_000;
    private static final long LOOK_NANOS = 1_000_000;
    private static final int UNFLUSHED_MAX = 64;

    private final LoadPlan plan;
    private final Arrivals arrivals;
    private final Workload workload;
    private final Pacer pacer;
    private final Backlog backlog = new Backlog();
    private final Request request = new Request();

    Generator(LoadPlan plan, Arrivals arrivals, Workload workload, Pacer pacer) {
        this.plan = plan;
        this.arrivals = arrivals;
        this.workload = workload;
        this.pacer = pacer;
    }

    /**
     * The outcome.
     *
     * @param startNanos by {@code System.nanoTime()}
     * @param endNanos when everything was sent, and the last answer had arrived
     * @param sent requests
     * @param unanswered requests given up
     * @param stopped whether the load was stopped early: too many requests were not answered
     * @param backlogGrowth see {@link Backlog#growth}
     * @param backlogMax the most unanswered requests
     * @param firstError the first error; null if there was none
     */
    record Done(
            long startNanos,
            long endNanos,
            long sent,
            long unanswered,
            boolean stopped,
            double backlogGrowth,
            long backlogMax,
            @Nullable String firstError) {}

    /** Runs the load with the driver from {@code drivers}, and leaves the responses in a directory. */
    Done run(Function<Driver.Answers, Driver> drivers, Path responses) {
        try (ResponseLog log = new ResponseLog(responses)) {
            InFlight inFlight = new InFlight(log);
            try (Driver driver = drivers.apply(
                    (id, status, waited, served) -> inFlight.end(id, System.nanoTime(), status, waited, served))) {
                return run(driver, inFlight);
            }
        }
    }

    /** Sets the start when the driver is ready: connecting may take long. */
    private Done run(Driver driver, InFlight inFlight) {
        Pacer.sharpenTimer();
        long start = System.nanoTime() + LEAD_NANOS;
        inFlight.start(start);
        boolean stopped = !(plan.isClosed() ? sendInTurn(driver, inFlight, start) : send(driver, inFlight, start));
        long sentNanos = System.nanoTime();
        drain(driver, inFlight);
        long unanswered = inFlight.pending();
        inFlight.giveUp(System.nanoTime());
        long end = sentNanos + Math.max(0, inFlight.lastNanos() - sentNanos);
        return new Done(
                start,
                end,
                inFlight.begun(),
                unanswered,
                stopped,
                backlog.growth(),
                backlog.max(),
                driver.firstError());
    }

    /** Sends until the time is over; returns false if too many are unanswered before. */
    private boolean send(Driver driver, InFlight inFlight, long start) {
        long end = (long) (plan.seconds() * TimeUnit.SECONDS.toNanos(1));
        int unflushed = 0;
        for (long intended = arrivals.next(); intended < end; intended = arrivals.next()) {
            if (start + intended - System.nanoTime() > 0 || unflushed == UNFLUSHED_MAX) {
                driver.flush();
                unflushed = 0;
                await(driver, start + intended);
            }
            workload.next(request);
            long sent = System.nanoTime() - start;
            driver.send(inFlight.begin(intended, sent, request.kind), request);
            unflushed++;
            if (backlog.isDue(sent)) {
                backlog.sample(sent, inFlight.begun(), inFlight.pending());
            }
            if (inFlight.pending() > plan.pendingMax()) {
                return false;
            }
        }
        await(driver, start + end);
        backlog.sample(end, inFlight.begun(), inFlight.pending());
        return true;
    }

    /** Sends whenever fewer requests are in flight than planned, until the time is over. */
    private boolean sendInTurn(Driver driver, InFlight inFlight, long start) {
        long end = start + (long) (plan.seconds() * TimeUnit.SECONDS.toNanos(1));
        pacer.await(start);
        for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
            for (long free = plan.pendingMax() - inFlight.pending(); free > 0; free--) {
                workload.next(request);
                long sent = System.nanoTime() - start;
                driver.send(inFlight.begin(sent, sent, request.kind), request);
            }
            driver.flush();
            if (backlog.isDue(now - start)) {
                backlog.sample(now - start, inFlight.begun(), inFlight.pending());
            }
            inFlight.awaitAnswer(plan.pendingMax(), LOOK_NANOS);
        }
        return true;
    }

    /** Waits for a moment, and flushes meanwhile. */
    private void await(Driver driver, long moment) {
        boolean flushed = driver.flush();
        while (moment - System.nanoTime() > 0) {
            pacer.await(flushed ? moment : Math.min(moment, System.nanoTime() + LOOK_NANOS));
            flushed = driver.flush();
        }
    }

    private void drain(Driver driver, InFlight inFlight) {
        long end = System.nanoTime() + (long) (plan.drainSeconds() * TimeUnit.SECONDS.toNanos(1));
        while (inFlight.pending() > 0 && end - System.nanoTime() > 0) {
            driver.flush();
            pacer.await(System.nanoTime() + LOOK_NANOS);
        }
    }
}
