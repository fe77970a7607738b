package dev.larder.array.plan;

import java.util.Arrays;

/**
 * A network, and the cheapest flow through it: successive shortest paths (Ahuja, Magnanti and Orlin, Network Flows, 1993, section
 * 9.7), each found by Bellman and Ford's method with a queue. Costs must not be below 0. If capacities are whole numbers, so is
 * the flow.
 */
final class Flow {

    private static final int NONE = -1;
    private static final long FAR = Long.MAX_VALUE;

    private final int[] lastArc; // of each place: the arc that was added last, which leads to the others
    private int[] earlierArc = new int[64];
    private int[] to = new int[64];
    private int[] room = new int[64];
    private long[] cost = new long[64];
    private int arcs;

    Flow(int places) {
        lastArc = new int[places];
        Arrays.fill(lastArc, NONE);
    }

    /** Adds an arc, and returns its number. Its reverse, which gives flow back, has the next number. */
    int arc(int from, int target, int capacity, long costOfOne) {
        add(from, target, capacity, costOfOne);
        add(target, from, 0, -costOfOne);
        return arcs - 2;
    }

    private void add(int from, int target, int capacity, long costOfOne) {
        if (arcs == to.length) {
            earlierArc = Arrays.copyOf(earlierArc, 2 * arcs);
            to = Arrays.copyOf(to, 2 * arcs);
            room = Arrays.copyOf(room, 2 * arcs);
            cost = Arrays.copyOf(cost, 2 * arcs);
        }
        to[arcs] = target;
        room[arcs] = capacity;
        cost[arcs] = costOfOne;
        earlierArc[arcs] = lastArc[from];
        lastArc[from] = arcs++;
    }

    /** Sends up to an amount, at the least cost. Returns how much got through. */
    int send(int source, int sink, int amount) {
        int sent = 0;
        while (sent < amount) {
            int[] arrivals = shortestPaths(source);
            if (arrivals[sink] == NONE) {
                break;
            }
            for (int place = sink; place != source; place = to[arrivals[place] ^ 1]) {
                room[arrivals[place]]--;
                room[arrivals[place] ^ 1]++;
            }
            sent++;
        }
        return sent;
    }

    /** Returns for each place the arc by which the cheapest path reaches it. */
    private int[] shortestPaths(int source) {
        int places = lastArc.length;
        int[] arrivals = new int[places];
        long[] distance = new long[places];
        boolean[] waits = new boolean[places];
        int[] queue = new int[places];
        Arrays.fill(arrivals, NONE);
        Arrays.fill(distance, FAR);
        distance[source] = 0;
        queue[0] = source;
        int waiting = 1;
        for (int next = 0; waiting > 0; next = (next + 1) % places) {
            int place = queue[next];
            waits[place] = false;
            waiting--;
            for (int arc = lastArc[place]; arc != NONE; arc = earlierArc[arc]) {
                if (room[arc] > 0 && distance[place] + cost[arc] < distance[to[arc]]) {
                    distance[to[arc]] = distance[place] + cost[arc];
                    arrivals[to[arc]] = arc;
                    if (!waits[to[arc]]) {
                        waits[to[arc]] = true;
                        queue[(next + 1 + waiting++) % places] = to[arc];
                    }
                }
            }
        }
        return arrivals;
    }

    /** Returns the flow through an arc. */
    int through(int arc) {
        return room[arc ^ 1];
    }
}
