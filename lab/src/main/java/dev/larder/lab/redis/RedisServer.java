package dev.larder.lab.redis;

import dev.larder.cli.Figures;
import dev.larder.lab.machine.ProcessUse;
import dev.larder.lab.machine.SystemCommand;
import dev.larder.lab.process.LocalServer;
import dev.larder.lab.result.Directories;
import dev.larder.lab.result.LabException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A private redis-server: on a free port of the loopback interface, keeping nothing on disk, for as long as a run. */
public final class RedisServer implements AutoCloseable {

    private static final String PROGRAM = "redis-server";
    /** A cluster's nodes talk to each other at a port so much higher. */
    private static final int CLUSTER_BUS_OFFSET = 10_000;

    private final LocalServer server;
    private final int port;

    private RedisServer(LocalServer server, int port) {
        this.server = server;
        this.port = port;
    }

    /** Returns whether one can be started here. */
    public static boolean isInstalled() {
        return SystemCommand.find(PROGRAM).isPresent();
    }

    /**
     * Starts one, and waits until it answers.
     *
     * @param directory for its log
     * @param further arguments
     * @throws LabException when the program is missing, or does not come up
     */
    public static RedisServer start(Path directory, String... further) {
        String program = SystemCommand.require(
                PROGRAM,
                "install it (for example: apt-get install redis-server), or name one that runs: --target HOST:PORT");
        Directories.create(directory);
        int port = LocalServer.freePort(CLUSTER_BUS_OFFSET);
        List<String> command = new ArrayList<>(List.of(program, "--port", Integer.toString(port)));
        command.addAll(List.of("--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--daemonize", "no"));
        command.addAll(List.of("--dir", directory.toAbsolutePath().toString()));
        command.addAll(List.of("--logfile", "redis.log"));
        command.addAll(List.of(further));
        LocalServer server = LocalServer.start(
                PROGRAM, "TERM", List.of(), command, directory, directory.resolve("redis-errors.log"));
        server.await(() -> LocalServer.listens(port), () -> LocalServer.lastWords(directory.resolve("redis.log")));
        return new RedisServer(server, port);
    }

    /** Returns {@code HOST:PORT}. */
    public String address() {
        return "127.0.0.1:" + port;
    }

    /** Returns the number of its process. */
    public long pid() {
        return server.pid();
    }

    /** Returns what all of several have used, as {@link ProcessUse#of}. */
    static Figures used(List<RedisServer> servers) {
        return ProcessUse.of(servers.stream().map(RedisServer::pid).toList());
    }

    @Override
    public void close() {
        server.close();
    }
}
