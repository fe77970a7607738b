package dev.larder.lab.array;

import dev.larder.lab.redis.RedisServer;
import java.util.List;

/** What is put under load: servers on this host that speak the protocol of Redis. */
interface Subject extends AutoCloseable {

    /** Returns where they listen: {@code HOST:PORT}, with commas between. */
    String addresses();

    /** Returns whether it is a cluster, in which leaders change. */
    boolean isCluster();

    /** Returns the processes that run. */
    List<Long> pids();

    @Override
    void close();

    /** Returns a single redis-server as a subject that owns it. */
    static Subject of(RedisServer server) {
        return new Subject() {
            @Override
            public String addresses() {
                return server.address();
            }

            @Override
            public boolean isCluster() {
                return false;
            }

            @Override
            public List<Long> pids() {
                return List.of(server.pid());
            }

            @Override
            public void close() {
                server.close();
            }
        };
    }
}
