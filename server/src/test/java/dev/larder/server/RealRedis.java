package dev.larder.server;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.tests.support.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The reference: a redis-server of this machine, in memory, on a port of its own. Tests compare replies with its replies. */
public final class RealRedis implements AutoCloseable {

    private static final List<Path> PLACES = List.of(
            Path.of("/usr/bin/redis-server"),
            Path.of("/usr/local/bin/redis-server"),
            Path.of("/opt/redis/redis-server"));
    private static final int PATIENCE_SECONDS = 60;
    private static final int PAUSE_MILLIS = 20;

    private final Process process;
    private final int port;

    private RealRedis(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts a redis-server in a folder. The test is skipped if no version 7.0 is installed. */
    public static RealRedis start(Path directory) {
        Optional<Path> program = PLACES.stream().filter(Files::isExecutable).findFirst();
        assumeTrue(program.isPresent(), "redis-server is not installed");
        try {
            String version = run(program.get().toString(), "--version");
            assumeTrue(version.contains(" v=7.0."), "redis-server is not of version 7.0: " + version.strip());
            int port = FreePorts.takeOne();
            Process process = new ProcessBuilder(
                            program.get().toString(),
                            "--port",
                            Integer.toString(port),
                            "--bind",
                            "127.0.0.1",
                            "--save",
                            "",
                            "--appendonly",
                            "no",
                            "--dir",
                            directory.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("redis.log").toFile())
                    .start();
            RealRedis redis = new RealRedis(process, port);
            redis.awaitPort();
            return redis;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private void awaitPort() throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (true) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return;
            } catch (IOException e) {
                if (!process.isAlive() || System.nanoTime() > end) {
                    process.destroyForcibly();
                    throw e;
                }
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Connects a client, which the caller closes. */
    public TestClient client() {
        return new TestClient(port);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
