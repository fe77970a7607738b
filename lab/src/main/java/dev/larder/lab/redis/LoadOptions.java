package dev.larder.lab.redis;

import dev.larder.cli.Figures;
import dev.larder.lab.load.ArrivalKind;
import dev.larder.lab.result.Require;
import dev.larder.lab.study.Setting;
import dev.larder.lab.study.Settings;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options of the load experiment. */
public record LoadOptions(
        @Setting("--target NAME=start HOST:PORT of a Redis server (HOST:PORT,HOST:PORT for several nodes of"
                + " a cluster); start: a private redis-server for the run; known:delays, known:capacity=2000:"
                + " a target of known behaviour; echo: the generator alone")
        LoadTarget target,

        @Setting("--cluster The target is a Redis Cluster") boolean cluster,

        Hosts hosts,
        Loads loads,
        Keys keys,

        @Setting("--connections COUNT=2 [1..1000] Connections to the target, or to each node")
        int connections,

        @Setting("--quick A small run of less than a minute")
        boolean quick,

        @Setting("--seed SEED=1 The seed of all random choices")
        long seed) {

    /** Checks combinations; an error names the option, the value and the range, as in the parts. */
    public LoadOptions {
        Require.that(
                loads.arrivals() != ArrivalKind.REPLAY || hosts.generator() == null,
                "--arrivals replay reads a file of this host: no --generator");
        Require.that(!cluster || target.isRedis(), "--cluster needs a Redis, not --target " + target);
        Require.that(
                cluster || target.addresses().size() < 2,
                "several --target are nodes of a cluster: give --cluster as well");
        Require.that(
                hosts.targetOn() == null || target.isKnown(),
                "--target-on starts known:delays or known:capacity, not --target " + target);
    }

    /** The hosts. */
    public record Hosts(
            @Setting("--generator COMMAND The command that starts the generator on another host: ssh"
                    + " HOST larder lab play (this one)")
            @Nullable
            String generator,

            @Setting("--target-on COMMAND The command that starts a known target on another host: ssh"
                    + " HOST larder lab play (this one)")
            @Nullable
            String targetOn,

            @Setting("--target-host NAME=127.0.0.1 The address at which that target listens, with" + " --target-on")
            String targetHost) {}

    /** The rates and moments of requests. */
    public record Loads(
            @Setting("--rate RATE=10k|1k,5k [1..10M] {--sweep:; --arrivals=replay:} Requests a second;"
                    + " several rates give a load each")
            List<Double> rates,

            @Setting("--sweep Find the rate at which the target saturates, then load it at percentages"
                    + " of that rate")
            boolean sweep,

            @Setting("--percent PERCENT=10,25,50,75,90,100 [0.1..1000] Loads in percent of the"
                    + " saturation rate, with --sweep")
            List<Double> percents,

            @Setting("--arrivals NAME=poisson How requests arrive: poisson, constant or replay")
            ArrivalKind arrivals,

            @Setting("--replay FILE A file of recorded arrivals for --arrivals replay: ascending"
                    + " seconds, one per line (none)")
            @Nullable
            Path replay,

            @Setting("--seconds NUMBER=30|3 [0.01..86400] {--arrivals=replay:} The seconds of each load"
                    + " (30; the length of a replay)")
            @Nullable
            Double seconds) {

        /** Checks the ranges. */
        public Loads {
            boolean replayed = arrivals == ArrivalKind.REPLAY;
            Require.that(replayed == (replay != null), "--arrivals replay and --replay FILE go together");
            Require.that(
                    !replayed || (rates.isEmpty() && !sweep),
                    "--arrivals replay has its own rate: no --rate, no --sweep");
            Require.that(replayed || sweep || !rates.isEmpty(), "no load: give --rate or --sweep");
            Require.that(rates.isEmpty() || !sweep, "--rate and --sweep exclude each other");
        }
    }

    /** The keys and values. */
    public record Keys(
            @Setting("--keys COUNT=100k|10k [1..1000G] The number of keys")
            long keys,

            @Setting("--value SIZE=1KiB [16B..1MiB] The size of a value")
            int valueBytes,

            @Setting("--writes PERCENT=10 [0..100] The percentage of requests that are writes")
            double writesPercent,

            @Setting("--no-fill Do not write every key (larder-lab:0 and so on) first. Without --keep"
                    + " the lab deletes the keys at the end")
            boolean fill,

            @Setting("--keep Keep the data") boolean keep) {

        long count() {
            return keys;
        }
    }

    /** Returns the options for a result, without paths. */
    public Figures figures() {
        return Settings.figures(this).put("generator", hosts.generator() == null ? "here" : hosts.generator());
    }
}
