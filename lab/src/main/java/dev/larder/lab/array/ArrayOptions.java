package dev.larder.lab.array;

import dev.larder.lab.result.Require;
import dev.larder.lab.study.Setting;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options of the array's experiment. */
public record ArrayOptions(
        @Setting("--subjects NAME=array,redis What to measure: array, and redis: a redis-server without"
                + " replicas or files on the same processors")
        List<String> subjects,

        Shape shape,
        Data data,
        Loads loads,

        @Setting("--failover NUMBER=40|6 [0..3600] Seconds of a load during which a node is killed and"
                + " restarted; 0 for no failover")
        double failoverSeconds,

        @Setting("--scaling COUNT=1,2,4,8,16,64|0 [0..1024] Numbers of stripes to compare, each in a new"
                + " array; 0 for none")
        List<Integer> scaling,

        @Setting("--directory DIRECTORY Where to put the data (the result folder)") @Nullable
        Path directory,

        @Setting("--quick A small run of less than a minute")
        boolean quick,

        @Setting("--seed SEED=1 The seed of all random choices")
        long seed) {

    static final String ARRAY = "array";
    static final String REDIS = "redis";

    /** Checks the ranges; an error names the option, the value and the range, as in the parts. */
    public ArrayOptions {
        subjects = List.copyOf(subjects);
        scaling = List.copyOf(scaling);
        for (String subject : subjects) {
            Require.that(
                    subject.equals(ARRAY) || subject.equals(REDIS),
                    "--subjects " + subject + " is not one of array, redis");
        }
    }

    /** The array. */
    public record Shape(
            @Setting("--nodes COUNT=3 [3..9] Processes of the array; three of them keep each stripe")
            int nodes,

            @Setting("--stripes COUNT=4 [1..1024] The number of stripes of the array")
            int stripes,

            @Setting("--heap SIZE=512MiB|256MiB [64MiB..] The heap of each node")
            long heapBytes,

            @Setting("--values-once Write large values once on each node, as larder array init" + " --values-once does")
            boolean valuesOnce) {}

    /** The stored data. */
    public record Data(
            @Setting("--keys COUNT=100k|500 [1..1000G] The number of keys")
            long keys,

            @Setting("--value SIZE=1700B [16B..1MiB] The size of a value")
            int valueBytes,

            @Setting("--writes PERCENT=10 [0..100] The percentage of requests that are writes")
            double writesPercent) {}

    /** The requests. */
    public record Loads(
            @Setting("--clients COUNT=4|2 [1..64] Client processes")
            int clients,

            @Setting("--connections COUNT=2 [1..100] Connections of each client to each node")
            int connections,

            @Setting("--mixed Send reads and writes on the same connections. Without it each has half of" + " them")
            boolean mixed,

            @Setting("--outstanding COUNT=100,800,1500|16,64 [1..100k] Closed loops: the outstanding"
                    + " requests of all clients together")
            List<Integer> outstanding,

            @Setting("--percent PERCENT=25,50,60,75,90|50 [1..200] Open loops with even arrivals:"
                    + " loads in percent of the saturation rate")
            List<Double> percents,

            @Setting("--seconds NUMBER=15|1.5 [0.1..86400] The length of each load")
            double seconds,

            @Setting("--warm-up TIME=5m|3s [0s..1h] The longest warm-up: all closed loops in turn, until none has"
                    + " become faster for 90 s")
            double warmUpSeconds) {

        /** Checks the ranges. */
        public Loads {
            outstanding = List.copyOf(outstanding);
            percents = List.copyOf(percents);
            for (int out : outstanding) {
                Require.that(out >= clients, "--outstanding " + out + " is less than --clients " + clients);
            }
        }
    }
}
