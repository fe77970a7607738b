package dev.larder.lab.queue;

import dev.larder.cli.Figures;
import dev.larder.lab.result.Sample;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The arithmetic from bursts to the claim: the cost of a GiB below memory, beyond it, and against the baselines.
 *
 * <p>"Below" are the bursts that end before half the limit, "beyond" those that begin at twice the limit or later,
 * counted from the beginning of their own queue. Times are scaled to one GiB of messages. Ratios to a baseline are the
 * median over the bursts, each against the baseline beside it; ratios of beyond to below, and to {@code pwrite}, are of
 * means. Without bursts, or without a count, a figure has no value.
 */
final class QueueSummary {

    private static final double GIB = 1L << 30;

    private final List<Figures> bursts;
    private final List<Figures> below;
    private final List<Figures> beyond;

    /**
     * A summary of the bursts of one kind.
     *
     * @param memoryBytes the memory of the bursts: the limit, or the machine's
     */
    QueueSummary(List<Figures> bursts, long memoryBytes) {
        this.bursts = bursts;
        below = bursts.stream()
                .filter(burst -> burst.whole("begin_bytes") + burst.whole("bytes") < memoryBytes / 2)
                .toList();
        beyond = bursts.stream()
                .filter(burst -> burst.whole("begin_bytes") >= 2 * memoryBytes)
                .toList();
    }

    /** Returns the summary for a result. */
    Figures figures(@Nullable Long memoryLimitBytes) {
        return new Figures()
                .put("memory_limit_bytes", memoryLimitBytes)
                .put("below", perGib(below))
                .put("beyond", perGib(beyond))
                .put("write_over_copy", medianRatio("write_ms", "copy_ms"))
                .put("read_over_sum", medianRatio("read_ms", "sum_ms"))
                .put(
                        "write_sync_beyond_over_below",
                        mean(beyond, QueueSummary::writeSync) / mean(below, QueueSummary::writeSync))
                .put("read_beyond_over_below", mean(beyond, of("read_ms")) / mean(below, of("read_ms")))
                .put("write_sync_over_pwrite", writeSyncOverPwrite())
                .put("write_rate_last_over_second_tenth", lastOverSecondTenth())
                .put("recycled_over_entered", recycledOverEntered())
                .put("allocated_bytes_per_message", sum(bursts, "allocated_bytes") / sum(bursts, "messages"));
    }

    /** Returns whether a queue keeps its pace: the write rate of its last tenth divided by its second's. */
    private double lastOverSecondTenth() {
        return mean(tenth(1), of("write_ms")) / mean(tenth(9), of("write_ms"));
    }

    private List<Figures> tenth(int number) {
        return bursts.stream().filter(burst -> tenthOf(burst) == number).toList();
    }

    private long tenthOf(Figures burst) {
        return burst.whole("begin_bytes") * 10 / Math.max(1, totalBytes());
    }

    private long totalBytes() {
        return bursts.stream()
                .mapToLong(burst -> burst.whole("begin_bytes") + burst.whole("bytes"))
                .max()
                .orElse(0);
    }

    /** Returns the share of reused files among the segments entered after the first tenth. */
    private double recycledOverEntered() {
        List<Figures> later =
                bursts.stream().filter(burst -> tenthOf(burst) > 0).toList();
        return sum(later, "segments_recycled") / sum(later, "segments_entered");
    }

    private static double sum(List<Figures> bursts, String name) {
        return bursts.stream().mapToDouble(burst -> burst.number(name)).sum();
    }

    private static Figures perGib(List<Figures> bursts) {
        return new Figures()
                .put("write_ms", sample(bursts, of("write_ms")).figures())
                .put("sync_ms", sample(bursts, of("sync_ms")).figures())
                .put("write_sync_ms", sample(bursts, QueueSummary::writeSync).figures())
                .put("read_ms", sample(bursts, of("read_ms")).figures());
    }

    private double medianRatio(String subject, String baseline) {
        return new Sample(bursts.stream()
                        .map(burst -> burst.number(subject) / burst.number(baseline))
                        .toList())
                .median();
    }

    /** Prefers bursts beyond memory, and plain writes under the same limit, if there are any. */
    private double writeSyncOverPwrite() {
        List<Figures> rows = beyond.isEmpty() ? bursts : beyond;
        double limited = mean(rows, of("pwrite_limited_ms"));
        return mean(rows, QueueSummary::writeSync) / (Double.isNaN(limited) ? mean(rows, of("pwrite_ms")) : limited);
    }

    /** Returns a time of a burst, in ms per GiB. */
    static ToDoubleFunction<Figures> of(String name) {
        return burst -> burst.number(name) * GIB / burst.number("bytes");
    }

    static double writeSync(Figures burst) {
        return of("write_ms").applyAsDouble(burst) + of("sync_ms").applyAsDouble(burst);
    }

    private static double mean(List<Figures> bursts, ToDoubleFunction<Figures> figure) {
        return sample(bursts, figure).mean();
    }

    static Sample sample(List<Figures> bursts, ToDoubleFunction<Figures> figure) {
        return new Sample(bursts.stream().map(figure::applyAsDouble).toList());
    }
}
