package dev.larder.lab.redis;

import dev.larder.cli.Figures;
import dev.larder.lab.machine.ProcessUse;
import java.util.List;

/** What is put under load: servers on this host that speak the protocol of Redis. */
public interface RedisServers extends AutoCloseable {

    /** Returns where they listen: {@code HOST:PORT}, with commas between. */
    String addresses();

    /** Returns whether they are a cluster, in which leaders change. */
    boolean isCluster();

    /** Returns the processes that run. */
    List<Long> pids();

    /** Returns what all of them have used so far, as {@link ProcessUse#of}. */
    default Figures used() {
        return ProcessUse.of(pids());
    }

    /** Ends them. */
    @Override
    void close();
}
