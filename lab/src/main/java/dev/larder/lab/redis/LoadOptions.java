package dev.larder.lab.redis;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.agent.AgentAddress;
import dev.larder.lab.load.ArrivalKind;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run of the load experiment is to do.
 *
 * @param target what is put under load
 * @param cluster whether the target is a Redis Cluster
 * @param hosts that its parts run on
 * @param loads that the target is put under
 * @param keys that the requests ask for
 * @param connections from 1 to 1000
 * @param quick whether sweep and warm-up are short
 * @param seed of arrivals and requests
 */
public record LoadOptions(
        LoadTarget target,
        boolean cluster,
        Hosts hosts,
        Loads loads,
        Keys keys,
        int connections,
        boolean quick,
        long seed) {

    private static final double RATE_MAX = 1e7;
    private static final double SECONDS_MAX = 86_400;
    private static final int CONNECTIONS_MAX = 1_000;
    private static final double PERCENT_MAX = 1_000;
    private static final long KEYS_MAX = 1_000_000_000_000L;

    /** Checks what goes together; the text names the option, the value and the range, as those of the parts do. */
    public LoadOptions {
        check(
                connections >= 1 && connections <= CONNECTIONS_MAX,
                "--connections " + connections + " is not from 1 to 1000");
        check(
                loads.arrivals() != ArrivalKind.REPLAY || hosts.generator() == null,
                "--arrivals replay reads a file of this host: no --generator");
        check(!cluster || target.isRedis(), "--cluster needs a Redis, not --target " + target);
        check(
                cluster || target.addresses().size() < 2,
                "several --target are nodes of a cluster: give --cluster as well");
        check(
                hosts.target() == null || target.isKnown(),
                "--target-agent starts known:delays or known:capacity, not --target " + target);
    }

    /**
     * Where it runs.
     *
     * @param generator the agent whose host sends the requests; null for this one
     * @param target the agent whose host runs a known target; null for this one
     */
    public record Hosts(
            @Nullable AgentAddress generator, @Nullable AgentAddress target) {}

    /**
     * How many requests come, and when.
     *
     * @param rates of requests a second, one load each; empty with a sweep, and with a replay
     * @param sweep whether the target's saturation is looked for, and the loads are shares of that
     * @param percents of the saturation, with a sweep
     * @param arrivals how requests arrive
     * @param replay the file of recorded arrivals; null unless they are replayed
     * @param seconds of each load; null for the length of a replay
     */
    public record Loads(
            List<Double> rates,
            boolean sweep,
            List<Double> percents,
            ArrivalKind arrivals,
            @Nullable Path replay,
            @Nullable Double seconds) {

        /** Checks the ranges. */
        public Loads {
            rates = List.copyOf(rates);
            percents = List.copyOf(percents);
            rates.forEach(rate -> check(rate > 0 && rate <= RATE_MAX, "--rate " + rate + " is not above 0, to 10M"));
            percents.forEach(percent ->
                    check(percent > 0 && percent <= PERCENT_MAX, "--percent " + percent + " is not above 0, to 1000"));
            check(
                    seconds == null || (seconds > 0 && seconds <= SECONDS_MAX),
                    "--seconds " + seconds + " is not above 0, to 86400");
            boolean replayed = arrivals == ArrivalKind.REPLAY;
            check(replayed == (replay != null), "--arrivals replay and --replay FILE go together");
            check(
                    !replayed || (rates.isEmpty() && !sweep),
                    "--arrivals replay has its own rate: no --rate, no --sweep");
            check(replayed || sweep || !rates.isEmpty(), "no load: give --rate or --sweep");
            check(rates.isEmpty() || !sweep, "--rate and --sweep exclude each other");
        }
    }

    /**
     * What is asked for.
     *
     * @param count of keys, from 1
     * @param valueBytes from 16 B to 1 MiB
     * @param writesPercent of the requests, 0 to 100
     * @param fill whether the keys are given values first
     * @param keep whether they stay
     */
    public record Keys(long count, int valueBytes, double writesPercent, boolean fill, boolean keep) {

        /** Checks the ranges. */
        public Keys {
            check(count >= 1 && count <= KEYS_MAX, "--keys " + count + " is not from 1 to " + KEYS_MAX);
            check(
                    valueBytes >= RedisValue.BYTES_MIN && valueBytes <= 1 << 20,
                    "--value " + ByteSize.format(valueBytes) + " is not from 16 B to 1 MiB");
            check(
                    writesPercent >= 0 && writesPercent <= 100,
                    "--writes " + writesPercent + " % is not from 0 to 100 %");
        }
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Returns the options for a result: no token, no path. */
    public Figures figures() {
        Path replay = loads.replay();
        AgentAddress generator = hosts.generator();
        AgentAddress targetAgent = hosts.target();
        return new Figures()
                .put("target", target)
                .put("cluster", cluster)
                .put("rates", loads.rates())
                .put("sweep", loads.sweep())
                .put("percents", loads.sweep() ? loads.percents() : null)
                .put("keys", keys.count())
                .put("value_bytes", keys.valueBytes())
                .put("writes_percent", keys.writesPercent())
                .put("arrivals", loads.arrivals())
                .put("replay", replay == null ? null : replay.getFileName())
                .put("seconds", loads.seconds())
                .put("connections", connections)
                .put("fill", keys.fill())
                .put("keep", keys.keep())
                .put("generator", generator == null ? "here" : generator.place())
                .put("target_agent", targetAgent == null ? null : targetAgent.place())
                .put("quick", quick);
    }
}
