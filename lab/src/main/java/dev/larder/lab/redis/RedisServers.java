package dev.larder.lab.redis;

import dev.larder.cli.Figures;
import dev.larder.lab.machine.ProcessUse;
import java.util.List;

/** The servers under load: on this host, with the Redis protocol. */
public interface RedisServers extends AutoCloseable {

    /** Returns their addresses: {@code HOST:PORT}, separated by commas. */
    String addresses();

    /** Returns whether they are a cluster, in which leaders change. */
    boolean isCluster();

    /** Returns the running processes. */
    List<Long> pids();

    /** Returns their use so far, as {@link ProcessUse#of}. */
    default Figures used() {
        return ProcessUse.of(pids());
    }

    /** Ends them. */
    @Override
    void close();
}
