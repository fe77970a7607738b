package dev.larder.lab.redis;

import dev.larder.cli.Figures;
import java.util.List;
import java.util.stream.Stream;

/**
 * The target of a load.
 *
 * @param kind of target
 * @param addresses of a running Redis
 * @param perSecond the target's capacity, if it has one
 */
public record LoadTarget(Kind kind, List<String> addresses, double perSecond) {

    /** The kinds of target. */
    public enum Kind {
        /** A running Redis. */
        REDIS("HOST:PORT", "redis"),
        /** A Redis started for the run. */
        START("start", "redis"),
        /** A lab target that takes a known time for each request, regardless of their number. */
        DELAYS("known:delays", "known-delays"),
        /** A lab target that serves one request after the other, so many a second. */
        CAPACITY("known:capacity=", "known-capacity"),
        /** None: the generator answers. */
        ECHO("echo", "generator");

        private final String word;
        private final String subject;

        Kind(String word, String subject) {
            this.word = word;
            this.subject = subject;
        }
    }

    private static final double SHORTEST_US = 500;
    private static final double MEAN_US = 1_000;

    /** Copies the addresses. */
    public LoadTarget {
        addresses = List.copyOf(addresses);
    }

    /**
     * Returns the target that {@code --target} names; commas separate addresses.
     *
     * @throws IllegalArgumentException with the given and the accepted values
     */
    public static LoadTarget parse(String values) {
        List<String> addresses = List.of(values.split(",", -1));
        if (addresses.stream().allMatch(RedisAddress::isOne)) {
            return new LoadTarget(
                    Kind.REDIS,
                    addresses.stream()
                            .map(address -> RedisAddress.parse(address).toString())
                            .toList(),
                    Double.NaN);
        }
        return Stream.of(Kind.START, Kind.ECHO, Kind.DELAYS)
                .filter(kind -> kind.word.equals(values))
                .findFirst()
                .map(kind -> new LoadTarget(kind, List.of(), Double.NaN))
                .orElseGet(() -> new LoadTarget(Kind.CAPACITY, List.of(), capacity(values)));
    }

    private static double capacity(String value) {
        try {
            double perSecond = value.startsWith(Kind.CAPACITY.word)
                    ? Double.parseDouble(value.substring(Kind.CAPACITY.word.length()))
                    : 0;
            if (perSecond > 0 && perSecond <= 1e9) {
                return perSecond;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new IllegalArgumentException("--target " + value + " is none of: HOST:PORT, HOST:PORT,HOST:PORT (nodes"
                + " of a cluster), start, known:delays, known:capacity=2000, echo");
    }

    /** Returns whether it speaks the Redis protocol. */
    public boolean isRedis() {
        return kind == Kind.REDIS || kind == Kind.START;
    }

    /** Returns whether it is a {@link dev.larder.lab.load.KnownTarget}. */
    public boolean isKnown() {
        return kind == Kind.DELAYS || kind == Kind.CAPACITY;
    }

    /** Returns its name in a result. */
    public String subject() {
        return kind.subject;
    }

    /** Returns the behaviour of a known target. */
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
        return kind == Kind.REDIS
                ? String.join(",", addresses)
                : kind == Kind.CAPACITY ? kind.word + perSecond : kind.word;
    }
}
