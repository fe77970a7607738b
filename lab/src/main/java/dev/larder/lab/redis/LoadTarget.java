package dev.larder.lab.redis;

import dev.larder.cli.Figures;
import java.util.List;

/**
 * What is put under load.
 *
 * @param kind of target
 * @param addresses of a Redis that runs
 * @param perSecond the capacity of a target that has one
 */
public record LoadTarget(Kind kind, List<String> addresses, double perSecond) {

    /** The kinds of target. */
    public enum Kind {
        /** A Redis that runs. */
        REDIS,
        /** A Redis that is started for the run. */
        START,
        /** A target of ours that takes a known time for each request, however many there are. */
        DELAYS,
        /** A target of ours that serves one request after the other, so many a second. */
        CAPACITY,
        /** None: the generator answers itself. */
        ECHO
    }

    private static final String CAPACITY = "known:capacity=";
    private static final double SHORTEST_US = 500;
    private static final double MEAN_US = 1_000;

    /** Copies the addresses. */
    public LoadTarget {
        addresses = List.copyOf(addresses);
    }

    /** Returns the target that the values of {@code --target}, with commas between them, name. */
    public static LoadTarget parse(String values) {
        return parse(List.of(values.split(",", -1)));
    }

    /**
     * Returns the target that the values of {@code --target} name.
     *
     * @throws IllegalArgumentException with what was found and what is accepted
     */
    public static LoadTarget parse(List<String> values) {
        if (values.stream().allMatch(RedisAddress::isOne)) {
            return new LoadTarget(
                    Kind.REDIS,
                    values.stream()
                            .map(RedisAddress::parse)
                            .map(RedisAddress::toString)
                            .toList(),
                    Double.NaN);
        }
        String value = String.join(",", values);
        return switch (value) {
            case "start" -> of(Kind.START, Double.NaN);
            case "echo" -> of(Kind.ECHO, Double.NaN);
            case "known:delays" -> of(Kind.DELAYS, Double.NaN);
            default -> of(Kind.CAPACITY, capacity(value));
        };
    }

    private static LoadTarget of(Kind kind, double perSecond) {
        return new LoadTarget(kind, List.of(), perSecond);
    }

    private static double capacity(String value) {
        try {
            double perSecond = value.startsWith(CAPACITY) ? Double.parseDouble(value.substring(CAPACITY.length())) : 0;
            if (perSecond > 0 && perSecond <= 1e9) {
                return perSecond;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new IllegalArgumentException("--target " + value + " is none of: HOST:PORT (again for further nodes of a"
                + " cluster), start, known:delays, known:capacity=2000, echo");
    }

    /** Returns whether it speaks the Redis protocol. */
    public boolean isRedis() {
        return kind == Kind.REDIS || kind == Kind.START;
    }

    /** Returns whether it is a {@link dev.larder.lab.load.KnownTarget}. */
    public boolean isKnown() {
        return kind == Kind.DELAYS || kind == Kind.CAPACITY;
    }

    /** Returns what it is called in a result. */
    public String subject() {
        return switch (kind) {
            case REDIS, START -> "redis";
            case DELAYS -> "known-delays";
            case CAPACITY -> "known-capacity";
            case ECHO -> "generator";
        };
    }

    /** Returns how a known target is to behave. */
    Figures behaviour(long seed) {
        return kind == Kind.CAPACITY
                ? new Figures().put("behaviour", "capacity").put("per_second", perSecond)
                : new Figures()
                        .put("behaviour", "delays")
                        .put("shortest_us", SHORTEST_US)
                        .put("mean_us", MEAN_US)
                        .put("seed", seed);
    }

    /**
     * Returns the response times that a target of known delays should show, in microseconds: {@code p50_us}, ...; empty
     * for others.
     */
    Figures theory() {
        Figures theory = new Figures();
        if (kind == Kind.DELAYS) {
            theory.put("mean_us", MEAN_US);
            theory.put("p50_us", quantile(0.5)).put("p90_us", quantile(0.9));
            theory.put("p99_us", quantile(0.99)).put("p999_us", quantile(0.999));
        }
        return theory;
    }

    private static double quantile(double share) {
        return SHORTEST_US - (MEAN_US - SHORTEST_US) * Math.log(1 - share);
    }

    @Override
    public String toString() {
        return switch (kind) {
            case REDIS -> String.join(",", addresses);
            case START -> "start";
            case DELAYS -> "known:delays";
            case CAPACITY -> CAPACITY + perSecond;
            case ECHO -> "echo";
        };
    }
}
