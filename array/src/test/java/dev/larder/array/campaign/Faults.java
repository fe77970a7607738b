package dev.larder.array.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Brings about the faults of a schedule. All nodes run before and after each fault; lost nodes are replaced. */
final class Faults {

    private static final int GARBLED_MOST = 3;

    /** By how much a clock is ahead or behind at most. */
    private static final int CLOCK_MOST_MILLIS = 3000;

    private final Cluster cluster;

    private final Operator operator;
    private final Load load;

    Faults(Cluster cluster, Operator operator, Load load) {
        this.cluster = cluster;
        this.operator = operator;
        this.load = load;
    }

    void bringAbout(Schedule schedule) {
        if (schedule.moves()) {
            join();
            operator.beginMoves(new SplittableRandom(schedule.seed()));
        }
        for (Fault fault : schedule.faults()) {
            if (schedule.clocks()) {
                stepClocks(new SplittableRandom(fault.pick()));
            }
            bringAbout(fault);
        }
    }

    /** Sets the clock of each node forward or back. A node that starts later has the system's time, which is a step as well. */
    private void stepClocks(SplittableRandom random) {
        for (int node : cluster.nodes()) {
            int aheadMillis = random.nextInt(-CLOCK_MOST_MILLIS, CLOCK_MOST_MILLIS);
            Campaign.tell("the clock of node " + node + " is ahead by " + aheadMillis + " ms");
            cluster.step(node, aheadMillis);
        }
    }

    private void bringAbout(Fault fault) {
        sleep(fault.afterMillis());
        Campaign.tell(fault.toString());
        int victim = victim(fault);
        List<Integer> others =
                cluster.nodes().stream().filter(node -> node != victim).toList();
        int other = others.get(fault.pick() / 8 % others.size());
        switch (fault.kind()) {
            case KILL -> {
                cluster.kill(victim);
                sleep(fault.millis());
                cluster.start(victim);
            }
            case PAUSE -> pause(victim, fault.millis());
            case TORN_TAIL -> {
                cluster.kill(victim);
                int torn = RaftFiles.tear(cluster.folder(victim), new SplittableRandom(fault.pick()));
                Campaign.tell("has torn " + torn + " logs");
                sleep(fault.millis() / 2);
                cluster.start(victim);
            }
            case LOST_DISK -> {
                cluster.kill(victim);
                RaftFiles.empty(cluster.folder(victim));
                replace(victim, "do not start it again");
            }
            case LOST_ENTRIES -> {
                cluster.kill(victim);
                int garbled =
                        RaftFiles.garble(cluster.folder(victim), new SplittableRandom(fault.pick()), GARBLED_MOST);
                Campaign.tell("has damaged " + garbled + " logs");
                if (garbled == 0) { // the node is a member of no stripe
                    cluster.start(victim);
                } else {
                    replace(
                            victim,
                            " of stripe "); // the log cannot be read, or is too short: each error names the member
                }
            }
            case KILL_ALL -> {
                cluster.killAll();
                cluster.startAll();
            }
            case KILL_BESIDE_PAUSE -> {
                cluster.pause(victim);
                sleep(fault.millis() / 2);
                cluster.kill(other);
                cluster.start(other);
                sleep(fault.millis() / 2);
                cluster.resume(victim);
            }
            case ISOLATE -> cut(victim, fault.millis(), true, true);
            case MUTE -> cut(victim, fault.millis(), true, false);
            case DEAF -> cut(victim, fault.millis(), false, true);
            case PART -> {
                cluster.network().cut(victim, other);
                cluster.network().cut(other, victim);
                sleep(fault.millis());
                cluster.network().heal();
            }
        }
    }

    /** Replaces a node that has lost its promises: it does not start, and another one takes its place. */
    private void replace(int lost, String error) {
        assertThat(cluster.tryStart(lost)).as("node %d starts", lost).isFalse();
        assertThat(cluster.logged(lost)).contains(error);
        join();
        cluster.lose(lost);
        operator.replace(lost);
    }

    private void join() {
        int node = operator.add();
        cluster.join(node);
        load.join(node);
        Campaign.tell("node " + node + " has joined");
    }

    private void pause(int victim, int millis) {
        cluster.pause(victim);
        sleep(millis);
        cluster.resume(victim);
    }

    private void cut(int victim, int millis, boolean out, boolean in) {
        cluster.nodes().stream().filter(node -> node != victim).forEach(node -> {
            if (out) {
                cluster.network().cut(victim, node);
            }
            if (in) {
                cluster.network().cut(node, victim);
            }
        });
        sleep(millis);
        cluster.network().heal();
    }

    private int victim(Fault fault) {
        int leader = cluster.leader();
        if (leader >= 0 && fault.toLeader()) {
            return leader;
        }
        List<Integer> others =
                cluster.nodes().stream().filter(node -> node != leader).toList();
        return others.get(fault.pick() % others.size());
    }

    static void sleep(int millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
