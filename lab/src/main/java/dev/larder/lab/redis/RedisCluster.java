package dev.larder.lab.redis;

import dev.larder.lab.result.LabException;
import dev.larder.memory.LarderException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Private servers that are a cluster of three nodes, without replicas. */
final class RedisCluster {

    private static final int NODES = 3;
    private static final long PATIENCE_SECONDS = 60;

    private RedisCluster() {}

    /** Starts the nodes and makes them one cluster, by {@code redis-cli --cluster create}. */
    static List<RedisServer> start(Path directory) {
        Path program = RedisServer.program("redis-cli")
                .orElseThrow(() -> new LabException("there is no redis-cli on the PATH to make a cluster with; install"
                        + " it (for example: apt-get install redis-tools), or name a cluster that runs"));
        List<RedisServer> nodes = new ArrayList<>();
        try {
            for (int node = 0; node < NODES; node++) {
                nodes.add(RedisServer.start(directory.resolve("node-" + node), "--cluster-enabled", "yes"));
            }
            join(program, nodes, directory.resolve("cluster.log"));
            return nodes;
        } catch (LarderException e) {
            nodes.forEach(RedisServer::close);
            throw e;
        }
    }

    private static void join(Path program, List<RedisServer> nodes, Path log) {
        List<String> command = new ArrayList<>(List.of(program.toString(), "--cluster", "create"));
        nodes.forEach(node -> command.add(node.address()));
        command.add("--cluster-yes");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new LabException("redis-cli could not make a cluster: "
                        + Files.readString(log, StandardCharsets.UTF_8).strip());
            }
        } catch (IOException e) {
            throw new LabException("cannot make a cluster: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted while a cluster was made", e);
        }
    }
}
