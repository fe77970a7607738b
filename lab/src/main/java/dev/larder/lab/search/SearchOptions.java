package dev.larder.lab.search;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.process.Collector;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a run of the search experiment is to do.
 *
 * @param index what is searched
 * @param subjects the directories that serve it
 * @param collectors of each of them
 * @param heapBytes of a server whose index is outside the heap
 * @param onHeapBytes of a server whose index is on the heap; null for {@link #heapBytes} and twice the
 *     index
 * @param threads that search
 * @param beside what else happens in a server, and beside it
 * @param loads the requests at their own pace
 * @param forks the searches one after the other that take the place of the loads; null for loads
 * @param seed of texts, queries, arrivals and orders
 * @param keep whether responses and the servers' files stay
 */
public record SearchOptions(
        Index index,
        List<SearchDirectory> subjects,
        List<Collector> collectors,
        long heapBytes,
        @Nullable Long onHeapBytes,
        int threads,
        Beside beside,
        Loads loads,
        @Nullable Forks forks,
        long seed,
        boolean keep) {

    private static final double SHORT_SECONDS = 5;
    private static final long MIB = 1L << 20;
    private static final double HOUR_SECONDS = 3600;

    /** Checks the ranges; the text names the option, the value and the range. */
    public SearchOptions {
        subjects = List.copyOf(subjects);
        collectors = List.copyOf(collectors);
        check(!subjects.isEmpty(), "--subjects names none of " + SearchDirectory.names());
        check(!collectors.isEmpty(), "--collectors names none of " + List.of(Collector.values()));
        checkHeap("--heap", heapBytes);
        if (onHeapBytes != null) {
            checkHeap("--heap-with-index", onHeapBytes);
        }
        check(threads >= 1 && threads <= 1000, "--threads " + threads + " is not from 1 to 1000");
        check(
                forks == null || subjects.contains(SearchDirectory.MMAP),
                "--throughput compares with mmap, which --subjects does not name");
    }

    private static void checkHeap(String option, long bytes) {
        check(
                bytes >= 64 * MIB && bytes <= 1L << 44,
                option + " " + ByteSize.format(bytes) + " is not from 64 MiB to 16 TiB");
    }

    /**
     * What is searched.
     *
     * @param corpus a dump or folder of text; null for the sources of the running JDK
     * @param documents in the index
     * @param vectorDimensions of each document; 0 for no vectors
     * @param wordsBytes of the corpus' text, from its beginning, that documents are made of
     * @param tasks of each kind; of terms that are highlighted ten times as many
     * @param directory that the index is kept in; null for the result folder
     */
    public record Index(
            @Nullable Path corpus,
            long documents,
            int vectorDimensions,
            long wordsBytes,
            int tasks,
            @Nullable Path directory) {

        /** Checks the ranges. */
        public Index {
            check(
                    vectorDimensions == 0 || (vectorDimensions >= 2 && vectorDimensions <= 1024),
                    "--vectors " + vectorDimensions + " is neither 0 nor from 2 to 1024");
            check(
                    wordsBytes >= 1 << 16 && wordsBytes <= 1 << 30,
                    "--words " + ByteSize.format(wordsBytes) + " is not from 64 KiB to 1 GiB");
            check(tasks >= 1 && tasks <= 500, "--tasks " + tasks + " is not from 1 to 500");
            check(documents >= 1000 && documents <= 1_000_000_000, "--docs " + documents + " is not from 1k to 1G");
        }
    }

    /**
     * What else happens in a server, and beside it.
     *
     * @param updatesPerSecond of documents, at their own pace; 0 for an index that is only read
     * @param reopenSeconds between two looks of the reader at what was updated
     * @param garbageBytesPerSecond made in the server; 0 for none
     * @param pressureBytesPerSecond that a companion under the server's memory limit writes and reads; 0 for none, and
     *     no limit
     */
    public record Beside(
            double updatesPerSecond, double reopenSeconds, long garbageBytesPerSecond, long pressureBytesPerSecond) {

        /** Checks the ranges. */
        public Beside {
            check(
                    updatesPerSecond >= 0 && updatesPerSecond <= 100_000,
                    "--updates " + updatesPerSecond + " is not from 0 to 100k");
            check(
                    reopenSeconds >= 0.01 && reopenSeconds <= HOUR_SECONDS,
                    "--reopen " + reopenSeconds + " s is not from 10 ms to an hour");
            check(
                    garbageBytesPerSecond >= 0 && garbageBytesPerSecond <= 1L << 34,
                    "--garbage " + ByteSize.format(garbageBytesPerSecond) + " is not from 0 to 16 GiB a second");
            check(
                    pressureBytesPerSecond >= 0 && pressureBytesPerSecond <= 1L << 34,
                    "--pressure-rate " + ByteSize.format(pressureBytesPerSecond) + " is not from 0 to 16 GiB a second");
        }

        boolean updates() {
            return updatesPerSecond > 0;
        }

        boolean pressure() {
            return pressureBytesPerSecond > 0;
        }
    }

    /**
     * The requests at their own pace.
     *
     * @param ratesPerSecond of searches, one load after another; empty to look for the saturation first
     * @param percents of the saturation, where it is looked for: each one's own, and that of the first configuration
     * @param seconds of each load
     * @param warmUpSeconds before each load, at most
     */
    public record Loads(List<Double> ratesPerSecond, List<Double> percents, double seconds, double warmUpSeconds) {

        /** Checks the ranges. */
        public Loads {
            ratesPerSecond = List.copyOf(ratesPerSecond);
            percents = List.copyOf(percents);
            for (double rate : ratesPerSecond) {
                check(rate > 0 && rate <= 1e6, "--rates " + rate + " is not above 0, up to 1M");
            }
            for (double percent : percents) {
                check(percent > 0 && percent <= 200, "--percent " + percent + " is not above 0, up to 200");
            }
            check(!ratesPerSecond.isEmpty() || !percents.isEmpty(), "neither --rates nor --percent names a load");
            check(seconds > 0 && seconds <= HOUR_SECONDS, "--seconds " + seconds + " is not above 0, up to 3600");
            check(
                    warmUpSeconds >= 0 && warmUpSeconds <= HOUR_SECONDS,
                    "--warm-up " + warmUpSeconds + " s is not from 0 to an hour");
        }

        boolean sweep() {
            return ratesPerSecond.isEmpty();
        }
    }

    /**
     * Searches one after the other.
     *
     * @param count of processes for each configuration, which take turns
     * @param seconds measured in each
     * @param warmUpSeconds before
     */
    public record Forks(int count, double seconds, double warmUpSeconds) {

        /** Checks the ranges. */
        public Forks {
            check(count >= 1 && count <= 1000, "--forks " + count + " is not from 1 to 1000");
            check(seconds > 0 && seconds <= HOUR_SECONDS, "--seconds " + seconds + " is not above 0, up to 3600");
            check(
                    warmUpSeconds >= 0 && warmUpSeconds <= HOUR_SECONDS,
                    "--warm-up " + warmUpSeconds + " s is not from 0 to an hour");
        }
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Returns what a quick run compares. */
    public static List<SearchDirectory> quickSubjects() {
        return List.of(SearchDirectory.MMAP, SearchDirectory.LARDER);
    }

    /** Returns whether it runs to be seen working, and not for its figures. */
    boolean isShort() {
        return (forks == null ? loads.seconds() : forks.seconds()) < SHORT_SECONDS;
    }

    /** Returns the options for a result; paths are the machine's own business, so of a corpus only its name is told. */
    public Figures figures() {
        Path corpus = index.corpus();
        return new Figures()
                .put("corpus", corpus == null ? null : Objects.requireNonNullElse(corpus.getFileName(), corpus))
                .put("documents", index.documents())
                .put("vector_dimensions", index.vectorDimensions())
                .put("words_bytes", index.wordsBytes())
                .put("tasks", index.tasks())
                .put("subjects", subjects)
                .put("collectors", collectors)
                .put("heap_bytes", heapBytes)
                .put("on_heap_bytes", onHeapBytes)
                .put("threads", threads)
                .put("updates_per_s", forks == null ? beside.updatesPerSecond() : 0)
                .put("reopen_seconds", beside.reopenSeconds())
                .put("garbage_bytes_per_s", beside.garbageBytesPerSecond())
                .put("pressure_bytes_per_s", beside.pressureBytesPerSecond())
                .put("rates_per_s", loads.ratesPerSecond())
                .put("percents", loads.sweep() ? loads.percents() : null)
                .put("seconds", forks == null ? loads.seconds() : forks.seconds())
                .put("warm_up_seconds", forks == null ? loads.warmUpSeconds() : forks.warmUpSeconds())
                .put("forks", forks == null ? null : forks.count())
                .put("keep", keep);
    }
}
