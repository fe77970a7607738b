package dev.larder.arraycli.state;

import dev.larder.array.NodeAddresses;
import dev.larder.array.form.LagReport;
import dev.larder.array.slots.StripeSlots;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeySlot;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisClusterException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** Asks a node for its status. A node leads a stripe if it answers a read of it, since a majority confirms each read. */
final class StatusQuestion {

    private static final int TIMEOUT_MILLIS = 2_000;

    /** How many times the keys are counted, if the node loses a stripe each time. */
    private static final int COUNTS_MOST = 3;

    /** A key of each stripe, by the stripe. The key is read, and need not exist. */
    private final SortedMap<Integer, String> keys;

    private final NodeAccess access;

    StatusQuestion(int stripes, NodeAccess access) {
        this.keys = keys(stripes);
        this.access = access;
    }

    /** Returns a key of each stripe. */
    static SortedMap<Integer, String> keys(int stripes) {
        StripeSlots slots = new StripeSlots(stripes);
        SortedMap<Integer, String> keys = new TreeMap<>();
        for (int number = 0; keys.size() < stripes; number++) {
            String key = "larder-status-" + number;
            keys.putIfAbsent(slots.stripeOf(KeySlot.of(Bytes.of(key))), key);
        }
        return keys;
    }

    NodeStatus ask(int node, NodeAddresses addresses) {
        String text = ArrayDescription.text(
                access.address(addresses).or(() -> addresses.clients(true)).orElse(addresses.clients()));
        try (Jedis client = access.connect(addresses, TIMEOUT_MILLIS)) {
            SortedSet<Integer> leads = led(client);
            OptionalLong count = count(client);
            for (int i = 1; count.isEmpty() && i < COUNTS_MOST; i++) {
                leads = led(client);
                count = count(client);
            }
            return new NodeStatus(node, text, leads, count.orElse(0), lines(client.info()), lag(client), "");
        } catch (JedisException e) {
            return NodeStatus.silent(node, text, reason(e));
        }
    }

    private SortedSet<Integer> led(Jedis client) {
        List<Map.Entry<Integer, Response<Boolean>>> answers = new ArrayList<>();
        try (Pipeline pipeline = client.pipelined()) {
            keys.forEach((stripe, key) -> answers.add(Map.entry(stripe, pipeline.exists(key))));
            pipeline.sync();
        }
        SortedSet<Integer> led = new TreeSet<>();
        for (Map.Entry<Integer, Response<Boolean>> answer : answers) {
            if (isAnswered(answer.getValue())) {
                led.add(answer.getKey());
            }
        }
        return led;
    }

    /** Returns the number of keys; empty if the node has just lost a stripe, since it refuses the count then. */
    private static OptionalLong count(Jedis client) {
        try {
            return OptionalLong.of(client.dbSize());
        } catch (JedisRedirectionException | JedisClusterException e) { // MOVED, CLUSTERDOWN
            return OptionalLong.empty();
        }
    }

    /** Returns the lags that a node reports. A node of an earlier version does not know the question. */
    private static LagReport lag(Jedis client) {
        try {
            Object reply = client.sendCommand(Protocol.Command.CLUSTER, "LAG");
            return reply instanceof byte[] json
                    ? LagReport.read(new String(json, StandardCharsets.UTF_8))
                    : NodeStatus.NO_LAG;
        } catch (JedisDataException | IllegalArgumentException e) {
            return NodeStatus.NO_LAG;
        }
    }

    private static boolean isAnswered(Response<Boolean> answer) {
        try {
            answer.get();
            return true;
        } catch (JedisDataException e) {
            return false; // MOVED: another node leads; CLUSTERDOWN: no node is known to lead
        }
    }

    /** Returns the lines {@code name:value} of a reply. */
    static Map<String, String> lines(String reply) {
        Map<String, String> lines = new HashMap<>();
        reply.lines().filter(line -> line.indexOf(':') > 0).forEach(line -> {
            int colon = line.indexOf(':');
            lines.put(line.substring(0, colon), line.substring(colon + 1));
        });
        return lines;
    }

    private static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null || cause.getSuppressed().length > 0) {
            cause = cause.getCause() != null ? cause.getCause() : cause.getSuppressed()[0];
        }
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message.strip();
    }
}
