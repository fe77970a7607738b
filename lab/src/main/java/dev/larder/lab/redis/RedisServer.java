package dev.larder.lab.redis;

import dev.larder.lab.machine.SystemCommand;
import dev.larder.lab.process.LocalServer;
import dev.larder.lab.result.Directories;
import dev.larder.memory.LarderException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A private redis-server, or a cluster of three without replicas, for the time of a run: on free ports of the loopback
 * interface, without data on disk.
 */
public final class RedisServer implements RedisServers {

    private static final String PROGRAM = "redis-server";
    private static final int NODES = 3;

    /** The offset of the port for talk between a cluster's nodes. */
    private static final int CLUSTER_BUS_OFFSET = 10_000;

    private final List<LocalServer> nodes = new ArrayList<>();
    private final List<String> addresses = new ArrayList<>();

    private RedisServer() {}

    /** Returns whether one can start here. */
    public static boolean isInstalled() {
        return SystemCommand.find(PROGRAM).isPresent();
    }

    /**
     * Starts one, and waits until it answers.
     *
     * @param directory for its log
     * @throws dev.larder.lab.result.LabException if the program is missing, or does not start
     */
    public static RedisServer start(Path directory) {
        RedisServer server = new RedisServer();
        server.add(directory);
        return server;
    }

    /** Starts the nodes, each with its own folder, and joins them by {@code redis-cli --cluster create}. */
    static RedisServer startCluster(Path directory) {
        String program = SystemCommand.require(
                "redis-cli", "install it (for example: apt-get install redis-tools), or name a running cluster");
        RedisServer cluster = new RedisServer();
        try {
            for (int node = 0; node < NODES; node++) {
                cluster.add(directory.resolve("node-" + node), "--cluster-enabled", "yes");
            }
            List<String> command = new ArrayList<>(List.of(program, "--cluster", "create"));
            command.addAll(cluster.addresses);
            command.add("--cluster-yes");
            SystemCommand.answer(command.toArray(String[]::new));
            return cluster;
        } catch (LarderException e) {
            cluster.close();
            throw e;
        }
    }

    private void add(Path directory, String... further) {
        String program = SystemCommand.require(
                PROGRAM,
                "install it (for example: apt-get install redis-server), or name a running one: --target HOST:PORT");
        Directories.create(directory);
        int port = LocalServer.freePort(CLUSTER_BUS_OFFSET);
        List<String> command = new ArrayList<>(List.of(program, "--port", Integer.toString(port)));
        command.addAll(List.of("--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--daemonize", "no"));
        command.addAll(List.of("--dir", directory.toAbsolutePath().toString()));
        command.addAll(List.of("--logfile", "redis.log"));
        command.addAll(List.of(further));
        LocalServer node = LocalServer.start(
                PROGRAM, "TERM", List.of(), command, directory, directory.resolve("redis-errors.log"));
        node.await(() -> LocalServer.listens(port), () -> LocalServer.lastWords(directory.resolve("redis.log")));
        nodes.add(node);
        addresses.add("127.0.0.1:" + port);
    }

    @Override
    public String addresses() {
        return String.join(",", addresses);
    }

    @Override
    public boolean isCluster() {
        return nodes.size() > 1;
    }

    @Override
    public List<Long> pids() {
        return nodes.stream().map(LocalServer::pid).toList();
    }

    @Override
    public void close() {
        nodes.forEach(LocalServer::close);
    }
}
