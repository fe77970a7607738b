package dev.larder.lab.search;

import dev.larder.lab.process.Collector;
import dev.larder.lab.result.Require;
import dev.larder.lab.search.index.QueryKind;
import dev.larder.lab.study.Setting;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options of the search experiment. */
public record SearchOptions(
        Index index,

        @Setting("--subjects NAME=mmap,mmap-preloaded,mmap-locked,bytebuffers,larder|mmap,larder What to"
                + " measure: mmap, mmap-preloaded, mmap-locked, bytebuffers, larder (all)")
        List<SearchDirectory> subjects,

        @Setting("--collectors NAME=g1,zgc,parallel|g1 Collectors: g1, zgc, parallel, shenandoah")
        List<Collector> collectors,

        @Setting("--heap SIZE=1GiB|128MiB [64MiB..16TiB] The heap of subjects outside the heap")
        long heapBytes,

        @Setting("--heap-with-index SIZE [64MiB..16TiB] The heap of subjects on the heap (--heap and"
                + " twice the index)")
        @Nullable
        Long onHeapBytes,

        @Setting("--threads COUNT [1..1000] Threads that search (the processors, less one)") @Nullable
        Integer searchThreads,

        Beside beside,
        Loads loads,
        Hosts hosts,

        @Setting("--throughput Measure throughput instead of loads: one search after another, in forks"
                + " that take turns")
        @Nullable
        Forks forks,

        @Setting("--seed SEED=1 The seed of all random choices")
        long seed,

        @Setting("--keep Keep the data") boolean keep) {

    private static final double SHORT_SECONDS = 5;

    /** Checks the ranges; an error names the option, the value and the range. */
    public SearchOptions {
        Require.that(
                forks == null || subjects.contains(SearchDirectory.MMAP),
                "--throughput compares with mmap, which --subjects does not name");
        Require.that(forks == null || hosts.generator() == null, "--throughput sends no requests: no --generator");
    }

    int threads() {
        return searchThreads == null ? Math.max(1, Runtime.getRuntime().availableProcessors() - 1) : searchThreads;
    }

    /** The index. */
    public record Index(
            @Setting("--corpus FILE The text to index: a MediaWiki dump, a file of lines, a folder, a"
                    + " src.zip (the running JDK's src.zip)")
            @Nullable
            Path corpus,

            @Setting("--docs COUNT=1M|4k [1k..1G] Documents of 1000 characters in the index")
            long documents,

            @Setting("--vectors COUNT=0 [0..1024] Dimensions of a vector for each document; 0 for none")
            int vectorDimensions,

            @Setting("--words SIZE=64MiB|4MiB [64KiB..1GiB] How much of the corpus' text documents are" + " made of")
            long wordsBytes,

            @Setting("--tasks COUNT=50|5 [1..500] Tasks per kind of query; ten times as many for the"
                    + " most frequent terms, highlighted")
            int tasks,

            @Setting("--kinds NAME Kinds of queries to run, such as highlight or and-high-high (all)")
            List<QueryKind> kinds,

            @Setting("--index DIRECTORY Where to build the index, and keep it for other runs (the result"
                    + " folder, until the run is complete)")
            @Nullable
            Path directory) {

        /** Checks the ranges. */
        public Index {
            Require.that(vectorDimensions != 1, "--vectors 1 is neither 0 nor from 2 to 1024");
        }
    }

    /** The other work in a server, and beside it. */
    public record Beside(
            @Setting("--updates RATE=100 [0..100k] Documents updated a second; 0 for none")
            double updatesPerSecond,

            @Setting("--reopen TIME=1s [10ms..1h] The interval at which the reader is reopened")
            double reopenSeconds,

            @Setting(
                    "--garbage BYTE_RATE=0 [0..16GiB] Garbage to make during the searches, such as" + " 50MiB/s (none)")
            long garbageBytesPerSecond,

            @Setting("--pressure Put the server and a companion under one memory limit: heap, index and"
                    + " 15 %. The companion writes and reads files of four times as much")
            boolean pressure,

            @Setting("--pressure-rate BYTE_RATE=200MiB/s [0..16GiB] How fast the companion writes and" + " reads")
            long companionBytesPerSecond) {

        boolean updates() {
            return updatesPerSecond > 0;
        }
    }

    /** The requests at their own pace. */
    public record Loads(
            @Setting("--rates RATE [1..1M] {--quick --percent:; --quick: 50,150} Searches a second, one"
                    + " load after another (percentages of the saturation rate, which the lab finds)")
            List<Double> ratesPerSecond,

            @Setting("--percent PERCENT=10,30,50,70,90,100 [0.1..200] Loads in percent of the saturation"
                    + " rate: of each subject's own, and of the first subject's")
            List<Double> percents,

            @Setting("--seconds NUMBER=60|2 [0.001..3600] {--throughput --quick: 1; --throughput: 30}"
                    + " The seconds of each load or fork (60; --throughput: 30)")
            double seconds,

            @Setting("--warm-up TIME=60s|2s [0s..1h] {--throughput --quick: 1s; --throughput: 20s} The"
                    + " longest warm-up before each load or fork (60s; --throughput: 20s)")
            double warmUpSeconds) {

        /** Checks the ranges. */
        public Loads {
            Require.that(
                    !ratesPerSecond.isEmpty() || !percents.isEmpty(), "neither --rates nor --percent names a load");
        }

        boolean sweep() {
            return ratesPerSecond.isEmpty();
        }
    }

    /** The generator's host. */
    public record Hosts(
            @Setting("--generator COMMAND The command that starts the generator on another host: ssh"
                    + " HOST larder lab play (this one)")
            @Nullable
            String generator,

            @Setting("--listen NAME=127.0.0.1 The address of this host at which servers listen")
            String listen) {}

    /** Searches one after the other, for as long as a load. */
    public record Forks(
            @Setting("--forks COUNT=10|2 [1..1000] Forks of each configuration, with --throughput")
            int forks) {

        int count() {
            return forks;
        }
    }

    /** Returns whether the run is a test, not for its figures. */
    boolean isShort() {
        return loads.seconds() < SHORT_SECONDS;
    }
}
