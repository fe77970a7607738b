package dev.larder.lab.heap;

import dev.larder.lab.load.GrowingKeys;
import dev.larder.lab.process.Collector;
import dev.larder.lab.result.ByteSize;
import dev.larder.lab.result.Figures;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a run of the heap experiment is to do.
 *
 * @param liveBytes of the values, one size after another
 * @param heapFactor the heap of a subject on the heap, as a multiple of the live bytes; null for {@link #heapBytes}' rule
 * @param subjects by name
 * @param collectors of subjects on the heap
 * @param offHeapCollectors of subjects outside the heap
 * @param smallHeapBytes the heap of a subject outside the heap
 * @param ratePerSecond of requests
 * @param writesPercent of the requests, one share after another
 * @param newKeysPercent of the writes: those of keys that are not there yet; 0 for keys that stay
 * @param refreshPerSecond values replaced beside the requests, in a second phase; 0 for no such phase
 * @param seconds measured, of each phase
 * @param warmUpSeconds of each phase before it is measured, at most
 * @param threads that serve requests
 * @param directory that the responses go to; null for the result folder
 * @param seed of arrivals and keys
 * @param keep whether the responses stay
 */
public record HeapOptions(
        List<Long> liveBytes,
        @Nullable Double heapFactor,
        List<String> subjects,
        List<Collector> collectors,
        List<Collector> offHeapCollectors,
        long smallHeapBytes,
        double ratePerSecond,
        List<Double> writesPercent,
        int newKeysPercent,
        double refreshPerSecond,
        double seconds,
        double warmUpSeconds,
        int threads,
        @Nullable Path directory,
        long seed,
        boolean keep) {

    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;
    private static final double FACTOR_MIN = 1.25; // each value has 5 % of headers, entry and key with it
    private static final double FACTOR_MAX = 100;
    private static final double PERCENT = 100;

    /** Checks the ranges; the text names the option, the value and the range. */
    public HeapOptions {
        liveBytes = List.copyOf(liveBytes);
        subjects = List.copyOf(subjects);
        collectors = List.copyOf(collectors);
        offHeapCollectors = List.copyOf(offHeapCollectors);
        writesPercent = List.copyOf(writesPercent);
        check(!liveBytes.isEmpty(), "--live names no size");
        for (long live : liveBytes) {
            check(live >= MIB && live <= 1L << 44, "--live " + ByteSize.format(live) + " is not from 1 MiB to 16 TiB");
        }
        check(
                heapFactor == null || (heapFactor >= FACTOR_MIN && heapFactor <= FACTOR_MAX),
                "--heap-factor " + heapFactor + " is not from " + FACTOR_MIN + " to " + FACTOR_MAX);
        check(!subjects.isEmpty(), "--subjects names none of " + HeapSubject.names());
        for (String subject : subjects) {
            check(allSubjects().contains(subject), "--subjects " + subject + " is none of " + allSubjects());
        }
        check(!collectors.isEmpty() && !offHeapCollectors.isEmpty(), "--collectors names none");
        check(
                smallHeapBytes >= 32 * MIB,
                "--small-heap " + ByteSize.format(smallHeapBytes) + " is below what the service itself needs: 32 MiB");
        check(ratePerSecond > 0 && ratePerSecond <= 1e6, "--rate " + ratePerSecond + " is not above 0, up to 1M");
        check(!writesPercent.isEmpty(), "--writes names no share");
        for (double percent : writesPercent) {
            check(percent >= 0 && percent <= 100, "--writes " + percent + " is not from 0 to 100");
        }
        check(
                Set.copyOf(writesPercent).size() == writesPercent.size(),
                "--writes " + writesPercent + " names a share twice");
        check(newKeysPercent >= 0 && newKeysPercent <= 100, "--new-keys " + newKeysPercent + " is not from 0 to 100");
        check(
                newKeysPercent == 0 || writesPercent.stream().anyMatch(percent -> percent > 0),
                "--new-keys " + newKeysPercent + " is a share of puts, and --writes " + writesPercent
                        + " asks for none");
        check(
                refreshPerSecond >= 0 && refreshPerSecond <= 1e7,
                "--refresh " + refreshPerSecond + " is not from 0 to 10M");
        check(seconds > 0 && seconds <= 3600, "--seconds " + seconds + " is not above 0, up to 3600");
        check(warmUpSeconds >= 0 && warmUpSeconds <= 600, "--warm-up " + warmUpSeconds + " is not from 0 s to 600 s");
        check(threads >= 1 && threads <= 1000, "--threads " + threads + " is not from 1 to 1000");
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

    /**
     * Returns the heap for so many live bytes on it, in whole 2 MiB. Unless a factor was given it is twice as large up to 2
     * GiB of live bytes, and half as large again and a GiB more above: 4 GiB for 2, 10 GiB for 6.
     */
    public long heapBytes(long live) {
        double bytes = heapFactor == null ? 1.5 * live + Math.min(live / 2, GIB) : heapFactor * live;
        return (long) Math.ceil(bytes / (2 * MIB)) * 2 * MIB;
    }

    /** Returns the shares of puts, each of which is measured on its own. */
    List<Puts> puts() {
        return writesPercent.stream()
                .map(percent -> writesPercent.size() == 1
                        ? new Puts(percent, newKeysPercent, newKeys(percent), "")
                        : Puts.marked(percent, newKeysPercent, newKeys(percent)))
                .toList();
    }

    /** Returns how many keys may come in all phases together: arrivals are drawn, and a window of warm-up may be begun late. */
    private long newKeys(double percent) {
        double seconds = phases().size() * (this.seconds + warmUpSeconds + HeapRun.WINDOW_SECONDS_MAX);
        return GrowingKeys.mostOf(ratePerSecond * seconds * percent / PERCENT * newKeysPercent / PERCENT);
    }

    List<Phase> phases() {
        return refreshPerSecond > 0 ? List.of(Phase.STEADY, Phase.REFRESH) : List.of(Phase.STEADY);
    }

    /** Returns the options for a result. */
    public Figures figures() {
        return new Figures()
                .put("live_bytes", liveBytes)
                .put("heap_factor", heapFactor)
                .put("subjects", subjects)
                .put("collectors", collectors)
                .put("off_heap_collectors", offHeapCollectors)
                .put("small_heap_bytes", smallHeapBytes)
                .put("rate_per_s", ratePerSecond)
                .put("writes_percent", writesPercent)
                .put("new_keys_percent", newKeysPercent)
                .put("refresh_per_s", refreshPerSecond)
                .put("seconds", seconds)
                .put("warm_up_seconds", warmUpSeconds)
                .put("threads", threads)
                .put("value_bytes", Value.BYTES)
                .put("garbage_bytes_per_request", HeapService.OBJECT_BYTES)
                .put("keep", keep);
    }
}
