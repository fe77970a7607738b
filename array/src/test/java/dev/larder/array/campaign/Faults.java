package dev.larder.array.campaign;

import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Brings about what a schedule says. All nodes run before and behind each fault. */
final class Faults {

    private final Cluster cluster;

    Faults(Cluster cluster) {
        this.cluster = cluster;
    }

    void bringAbout(Schedule schedule) {
        schedule.faults().forEach(this::bringAbout);
    }

    private void bringAbout(Fault fault) {
        sleep(fault.afterMillis());
        Campaign.tell(fault.toString());
        int victim = victim(fault);
        int other = (victim + 1 + fault.pick() / 8 % (cluster.nodes() - 1)) % cluster.nodes();
        switch (fault.kind()) {
            case KILL -> {
                cluster.kill(victim);
                sleep(fault.millis());
                cluster.start(victim);
            }
            case PAUSE -> pause(victim, fault.millis());
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

    private void pause(int victim, int millis) {
        cluster.pause(victim);
        sleep(millis);
        cluster.resume(victim);
    }

    private void cut(int victim, int millis, boolean out, boolean in) {
        IntStream.range(0, cluster.nodes()).filter(node -> node != victim).forEach(node -> {
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
        if (leader < 0) {
            return fault.pick() % cluster.nodes();
        }
        return fault.toLeader() ? leader : (leader + 1 + fault.pick() % (cluster.nodes() - 1)) % cluster.nodes();
    }

    static void sleep(int millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
