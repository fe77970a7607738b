package dev.larder.lab.heap;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.load.GrowingKeys;
import dev.larder.lab.load.WriteShares;
import dev.larder.lab.process.Collector;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a run of the heap experiment is to do.
 *
 * @param liveBytes of the values, one size after another
 * @param subjects by name
 * @param heaps of the subjects
 * @param requests that they serve
 * @param seconds measured, of each phase
 * @param warmUpSeconds of each phase before it is measured, at most
 * @param directory that the responses go to; null for the result folder
 * @param seed of arrivals and keys
 * @param keep whether the responses stay
 */
public record HeapOptions(
        List<Long> liveBytes,
        List<String> subjects,
        Heaps heaps,
        Requests requests,
        double seconds,
        double warmUpSeconds,
        @Nullable Path directory,
        long seed,
        boolean keep) {

    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;
    private static final double FACTOR_MIN = 1.25; // each value has 5 % of headers, entry and key with it
    private static final double FACTOR_MAX = 100;
    private static final double PERCENT = 100;

    /** Checks the ranges; the text names the option, the value and the range, as those of the parts do. */
    public HeapOptions {
        liveBytes = List.copyOf(liveBytes);
        subjects = List.copyOf(subjects);
        check(!liveBytes.isEmpty(), "--live names no size");
        for (long live : liveBytes) {
            check(live >= MIB && live <= 1L << 44, "--live " + ByteSize.format(live) + " is not from 1 MiB to 16 TiB");
        }
        check(!subjects.isEmpty(), "--subjects names none of " + HeapSubject.names());
        for (String subject : subjects) {
            check(allSubjects().contains(subject), "--subjects " + subject + " is none of " + allSubjects());
        }
        check(seconds > 0 && seconds <= 3600, "--seconds " + seconds + " is not above 0, up to 3600");
        check(warmUpSeconds >= 0 && warmUpSeconds <= 600, "--warm-up " + warmUpSeconds + " is not from 0 s to 600 s");
    }

    /**
     * The heaps of the subjects, and who collects them.
     *
     * @param factor the heap of a subject on the heap, as a multiple of the live bytes; null for the rule of {@link #bytes}
     * @param smallBytes the heap of a subject outside the heap
     * @param collectors of subjects on the heap
     * @param offHeapCollectors of subjects outside the heap
     */
    public record Heaps(
            @Nullable Double factor, long smallBytes, List<Collector> collectors, List<Collector> offHeapCollectors) {

        /** Checks the ranges. */
        public Heaps {
            collectors = List.copyOf(collectors);
            offHeapCollectors = List.copyOf(offHeapCollectors);
            check(
                    factor == null || (factor >= FACTOR_MIN && factor <= FACTOR_MAX),
                    "--heap-factor " + factor + " is not from " + FACTOR_MIN + " to " + FACTOR_MAX);
            check(
                    smallBytes >= 32 * MIB,
                    "--small-heap " + ByteSize.format(smallBytes) + " is below what the service itself needs: 32 MiB");
            check(!collectors.isEmpty() && !offHeapCollectors.isEmpty(), "--collectors names none");
        }

        /**
         * Returns the heap for so many live bytes on it, in whole 2 MiB. Unless a factor was given it is twice as large up
         * to 2 GiB of live bytes, and half as large again and a GiB more above: 4 GiB for 2, 10 GiB for 6.
         */
        public long bytes(long live) {
            double bytes = factor == null ? 1.5 * live + Math.min(live / 2, GIB) : factor * live;
            return (long) Math.ceil(bytes / (2 * MIB)) * 2 * MIB;
        }
    }

    /**
     * What is asked of a subject, and what happens beside.
     *
     * @param perSecond how many
     * @param threads that serve them
     * @param writesPercent of them, one share after another
     * @param newKeysPercent of the writes: those of keys that are not there yet; 0 for keys that stay
     * @param refreshPerSecond values replaced beside them, in a second phase; 0 for no such phase
     */
    public record Requests(
            double perSecond, int threads, List<Double> writesPercent, int newKeysPercent, double refreshPerSecond) {

        /** Checks the ranges. */
        public Requests {
            writesPercent = List.copyOf(writesPercent);
            check(perSecond > 0 && perSecond <= 1e6, "--rate " + perSecond + " is not above 0, up to 1M");
            check(threads >= 1 && threads <= 1000, "--threads " + threads + " is not from 1 to 1000");
            checkWrites(writesPercent, newKeysPercent);
            check(
                    refreshPerSecond >= 0 && refreshPerSecond <= 1e7,
                    "--refresh " + refreshPerSecond + " is not from 0 to 10M");
        }

        private static void checkWrites(List<Double> writesPercent, int newKeysPercent) {
            check(!writesPercent.isEmpty(), "--writes names no share");
            check(
                    Set.copyOf(writesPercent).size() == writesPercent.size(),
                    "--writes " + writesPercent + " names a share twice");
            WriteShares.check(writesPercent, newKeysPercent);
        }

        List<Phase> phases() {
            return refreshPerSecond > 0 ? List.of(Phase.STEADY, Phase.REFRESH) : List.of(Phase.STEADY);
        }
    }

    /** Returns the names of all subjects. */
    public static List<String> allSubjects() {
        return HeapSubject.names();
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Returns the shares of puts, each of which is measured on its own. */
    List<Puts> puts() {
        List<Double> shares = requests.writesPercent();
        int newKeysPercent = requests.newKeysPercent();
        return shares.stream()
                .map(percent -> shares.size() == 1
                        ? new Puts(percent, newKeysPercent, newKeys(percent), "")
                        : Puts.marked(percent, newKeysPercent, newKeys(percent)))
                .toList();
    }

    /** Returns how many keys may come in all phases together: arrivals are drawn, and a window of warm-up may be begun late. */
    private long newKeys(double percent) {
        double seconds = requests.phases().size() * (this.seconds + warmUpSeconds + HeapRun.WINDOW_SECONDS_MAX);
        return GrowingKeys.mostOf(
                requests.perSecond() * seconds * percent / PERCENT * requests.newKeysPercent() / PERCENT);
    }

    /** Returns the options for a result. */
    public Figures figures() {
        return new Figures()
                .put("live_bytes", liveBytes)
                .put("heap_factor", heaps.factor())
                .put("subjects", subjects)
                .put("collectors", heaps.collectors())
                .put("off_heap_collectors", heaps.offHeapCollectors())
                .put("small_heap_bytes", heaps.smallBytes())
                .put("rate_per_s", requests.perSecond())
                .put("writes_percent", requests.writesPercent())
                .put("new_keys_percent", requests.newKeysPercent())
                .put("refresh_per_s", requests.refreshPerSecond())
                .put("seconds", seconds)
                .put("warm_up_seconds", warmUpSeconds)
                .put("threads", requests.threads())
                .put("value_bytes", Value.BYTES)
                .put("garbage_bytes_per_request", HeapService.OBJECT_BYTES)
                .put("keep", keep);
    }
}
