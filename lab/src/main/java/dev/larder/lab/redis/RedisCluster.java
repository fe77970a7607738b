package dev.larder.lab.redis;

import dev.larder.lab.machine.SystemCommand;
import dev.larder.memory.LarderException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Private servers that are a cluster of three nodes, without replicas. */
final class RedisCluster {

    private static final int NODES = 3;

    private RedisCluster() {}

    /** Starts the nodes and makes them one cluster, by {@code redis-cli --cluster create}. */
    static List<RedisServer> start(Path directory) {
        String program = SystemCommand.require(
                "redis-cli", "install it (for example: apt-get install redis-tools), or name a cluster that runs");
        List<RedisServer> nodes = new ArrayList<>();
        try {
            for (int node = 0; node < NODES; node++) {
                nodes.add(RedisServer.start(directory.resolve("node-" + node), "--cluster-enabled", "yes"));
            }
            List<String> command = new ArrayList<>(List.of(program, "--cluster", "create"));
            nodes.forEach(node -> command.add(node.address()));
            command.add("--cluster-yes");
            SystemCommand.answer(command.toArray(String[]::new));
            return nodes;
        } catch (LarderException e) {
            nodes.forEach(RedisServer::close);
            throw e;
        }
    }
}
