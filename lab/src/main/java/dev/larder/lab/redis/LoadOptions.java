package dev.larder.lab.redis;

import dev.larder.lab.agent.AgentAddress;
import dev.larder.lab.load.ArrivalKind;
import dev.larder.lab.result.ByteSize;
import dev.larder.lab.result.Figures;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run of the experiment {@code load} is to do.
 *
 * @param target what is put under load
 * @param cluster whether the target is a Redis Cluster
 * @param rates of requests a second, one load each; empty with a sweep, and with a replay
 * @param sweep whether the target's saturation is looked for, and the loads are shares of that
 * @param percents of the saturation, with a sweep
 * @param keys from 1
 * @param valueBytes from 16 B to 1 MiB
 * @param writesPercent of the requests, 0 to 100
 * @param arrivals how requests arrive
 * @param replay the file of recorded arrivals; null unless they are replayed
 * @param seconds of each load; null for the length of a replay
 * @param connections from 1 to 1000
 * @param fill whether the keys are given values first
 * @param keep whether the keys stay
 * @param generator the agent whose host sends the requests; null for this one
 * @param targetAgent the agent whose host runs a known target; null for this one
 * @param quick whether sweep and warm-up are short
 * @param seed of arrivals and requests
 */
public record LoadOptions(
        LoadTarget target,
        boolean cluster,
        List<Double> rates,
        boolean sweep,
        List<Double> percents,
        long keys,
        int valueBytes,
        double writesPercent,
        ArrivalKind arrivals,
        @Nullable Path replay,
        @Nullable Double seconds,
        int connections,
        boolean fill,
        boolean keep,
        @Nullable AgentAddress generator,
        @Nullable AgentAddress targetAgent,
        boolean quick,
        long seed) {

    private static final double RATE_MAX = 1e7;
    private static final double SECONDS_MAX = 86_400;
    private static final int CONNECTIONS_MAX = 1_000;
    private static final double PERCENT_MAX = 1_000;
    private static final long KEYS_MAX = 1_000_000_000_000L;

    /** Checks the ranges; the text names the option, the value and the range. */
    public LoadOptions {
        rates = List.copyOf(rates);
        percents = List.copyOf(percents);
        rates.forEach(rate -> check(rate > 0 && rate <= RATE_MAX, "--rate " + rate + " is not above 0, to 10M"));
        percents.forEach(percent ->
                check(percent > 0 && percent <= PERCENT_MAX, "--percent " + percent + " is not above 0, to 1000"));
        check(keys >= 1 && keys <= KEYS_MAX, "--keys " + keys + " is not from 1 to " + KEYS_MAX);
        check(
                valueBytes >= RedisValue.BYTES_MIN && valueBytes <= 1 << 20,
                "--value " + ByteSize.format(valueBytes) + " is not from 16 B to 1 MiB");
        check(writesPercent >= 0 && writesPercent <= 100, "--writes " + writesPercent + " % is not from 0 to 100 %");
        check(
                seconds == null || (seconds > 0 && seconds <= SECONDS_MAX),
                "--seconds " + seconds + " is not above 0, to 86400");
        check(
                connections >= 1 && connections <= CONNECTIONS_MAX,
                "--connections " + connections + " is not from 1 to 1000");
        checkArrivals(arrivals, replay, rates, sweep, generator);
        checkTogether(target, cluster, rates, sweep, targetAgent);
    }

    private static void checkArrivals(
            ArrivalKind arrivals,
            @Nullable Path replay,
            List<Double> rates,
            boolean sweep,
            @Nullable AgentAddress generator) {
        boolean replayed = arrivals == ArrivalKind.REPLAY;
        check(replayed == (replay != null), "--arrivals replay and --replay FILE go together");
        check(!replayed || (rates.isEmpty() && !sweep), "--arrivals replay has its own rate: no --rate, no --sweep");
        check(!replayed || generator == null, "--arrivals replay reads a file of this host: no --generator");
        check(replayed || sweep || !rates.isEmpty(), "no load: give --rate or --sweep");
    }

    private static void checkTogether(
            LoadTarget target, boolean cluster, List<Double> rates, boolean sweep, @Nullable AgentAddress targetAgent) {
        check(rates.isEmpty() || !sweep, "--rate and --sweep exclude each other");
        check(!cluster || target.isRedis(), "--cluster needs a Redis, not --target " + target);
        check(
                cluster || target.addresses().size() < 2,
                "several --target are nodes of a cluster: give --cluster as well");
        check(
                targetAgent == null || target.isKnown(),
                "--target-agent starts known:delays or known:capacity, not --target " + target);
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Returns the options for a result: no token, no path. */
    public Figures figures() {
        return new Figures()
                .put("target", target)
                .put("cluster", cluster)
                .put("rates", rates)
                .put("sweep", sweep)
                .put("percents", sweep ? percents : null)
                .put("keys", keys)
                .put("value_bytes", valueBytes)
                .put("writes_percent", writesPercent)
                .put("arrivals", arrivals)
                .put("replay", replay == null ? null : replay.getFileName())
                .put("seconds", seconds)
                .put("connections", connections)
                .put("fill", fill)
                .put("keep", keep)
                .put("generator", generator == null ? "here" : generator.place())
                .put("target_agent", targetAgent == null ? null : targetAgent.place())
                .put("quick", quick);
    }
}
