package dev.larder.array.form;

import dev.larder.array.MemberName;
import dev.larder.array.plan.Node;
import dev.larder.array.plan.NodeState;
import dev.larder.array.plan.Plan;
import dev.larder.array.plan.PlanSummary;
import dev.larder.array.plan.Planner;
import dev.larder.array.plan.Stripe;
import dev.larder.array.plan.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * A forecast of the needs and the work of an array that nobody has built. It is computed from measurements of a small array, with
 * the real planner. Three mirrors keep each stripe.
 *
 * @param entries how many there are
 * @param servers how many keep them, each a zone
 * @param stripes of the array
 * @param measured what was measured
 */
record ArrayForecast(long entries, int servers, int stripes, Measured measured) {

    private static final int MIRRORS = 3;
    private static final int VALUE_BYTES = 1700;
    private static final double SECONDS_AN_HOUR = 3600;
    private static final double TERA = 1e12;
    private static final double GIGA = 1e9;
    private static final double MEGA = 1e6;

    /**
     * What was measured on one machine.
     *
     * @param entryBytes bytes of an entry beside key and value, at most
     * @param operationMicros processor time of an operation, of all nodes together
     * @param operationLoopbackBytes bytes sent for an operation, between nodes and to clients
     * @param operationDiskBytes bytes written for an operation, by all nodes
     * @param pullBytes bytes that a node pulls in a second
     */
    record Measured(
            double entryBytes,
            double operationMicros,
            double operationLoopbackBytes,
            double operationDiskBytes,
            double pullBytes) {}

    private Topology array() {
        return Planner.create(new Topology(
                1,
                MIRRORS,
                0,
                IntStream.range(0, servers).mapToObj(ArrayForecast::server).toList(),
                IntStream.range(0, stripes).mapToObj(Stripe::empty).toList()));
    }

    private static Node server(int number) {
        return new Node(number, "rack" + number, 1, NodeState.IN);
    }

    /** Returns the array once a server is lost, and each stripe that it led has elected another leader. */
    private static Topology without(Topology array, int lost) {
        Topology left = array.with(server(lost).withState(NodeState.LOST));
        for (Stripe stripe : left.stripes()) {
            if (stripe.leader().isEmpty()) {
                Optional<MemberName> next = stripe.members().stream()
                        .map(member -> member.name())
                        .filter(name -> name.node() != lost)
                        .findFirst();
                left = left.with(stripe.withLeader(next));
            }
        }
        return left;
    }

    long valueBytes() {
        return entries * VALUE_BYTES;
    }

    long stripeBytes() {
        return valueBytes() / stripes;
    }

    /** Returns how many hours the slowest server copies under a plan. */
    double hours(PlanSummary plan) {
        long most = plan.copiedByNode().isEmpty()
                ? 0
                : Collections.max(plan.copiedByNode().values());
        return most / measured.pullBytes / SECONDS_AN_HOUR;
    }

    /** Returns what each server holds and does at a rate of requests, as rows of a table. */
    List<String> servers(double operationsPerSecond) {
        double members = (double) stripes * MIRRORS / servers;
        double rate = operationsPerSecond / servers;
        return List.of(
                String.format(
                        Locale.ROOT,
                        "| stripes that a server has members of; leads | %.0f; %.1f |",
                        members,
                        members / MIRRORS),
                String.format(Locale.ROOT, "| values of a server | %.2f TB |", members * stripeBytes() / TERA),
                String.format(
                        Locale.ROOT,
                        "| entries, beside key and value | %.0f GB |",
                        members * entries / stripes * measured.entryBytes / GIGA),
                String.format(
                        Locale.ROOT,
                        "| its processors, at %,.0f requests a second | %.1f |",
                        operationsPerSecond,
                        rate * measured.operationMicros / MEGA),
                String.format(
                        Locale.ROOT,
                        "| its network, both ways together | %.0f MB/s |",
                        rate * measured.operationLoopbackBytes / MEGA),
                String.format(
                        Locale.ROOT, "| its disk, written | %.0f MB/s |", rate * measured.operationDiskBytes / MEGA));
    }

    /** Returns what happens as servers fail and come, as rows of a table. */
    List<String> events() {
        Topology array = array();
        List<String> rows = new ArrayList<>();
        rows.add(row("one server is lost, the others take over", without(array, 1)));
        rows.add(row("it is replaced by an empty one", without(array, 1).with(server(servers))));
        rows.add(row("one more is added", array.with(server(servers))));
        return rows;
    }

    private String row(String event, Topology after) {
        PlanSummary plan = summary(after);
        return String.format(
                Locale.ROOT,
                "| %s | %d | %.2f TB | %.1f h | %d |",
                event,
                plan.copies(),
                plan.copiedBytes() / TERA,
                hours(plan),
                plan.transfers());
    }

    PlanSummary summary(Topology after) {
        Plan plan = Planner.plan(after, 2);
        return PlanSummary.of(plan, stripeBytes());
    }

    PlanSummary afterOneLost() {
        return summary(without(array(), 1));
    }

    /**
     * Returns how likely it is that some stripe has {@code lost} members on {@code lost} random servers, and how many stripes
     * have: on average, and at most. Two of three members are its majority; three are all.
     */
    String losses(int lost) {
        Map<Set<Integer>, Integer> stripesOf = new HashMap<>();
        Topology array = array();
        for (Stripe stripe : array.stripes()) {
            List<Integer> nodes = stripe.members().stream()
                    .map(member -> member.node())
                    .sorted()
                    .toList();
            choices(nodes, lost).forEach(chosen -> stripesOf.merge(chosen, 1, Integer::sum));
        }
        double cases = 1;
        for (int i = 0; i < lost; i++) {
            cases = cases * (servers - i) / (i + 1);
        }
        int sum = stripesOf.values().stream().mapToInt(Integer::intValue).sum();
        return String.format(
                Locale.ROOT,
                "| %d | %.4f | %.2f | %d |",
                lost,
                stripesOf.size() / cases,
                sum / cases,
                Collections.max(stripesOf.values()));
    }

    private static Set<Set<Integer>> choices(List<Integer> nodes, int count) {
        Set<Set<Integer>> all = Set.of(Set.of());
        for (int round = 0; round < count; round++) {
            Set<Set<Integer>> next = new HashSet<>();
            for (Set<Integer> chosen : all) {
                for (int node : nodes) {
                    Set<Integer> more = new TreeSet<>(chosen);
                    if (more.add(node)) {
                        next.add(more);
                    }
                }
            }
            all = next;
        }
        return all;
    }
}
