package dev.larder.lab.command;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.tests.support.FreePorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** An OpenSSH server for a test, on the loopback address, with its own keys. Skips the test if none is installed. */
final class SshServer implements AutoCloseable {

    private final Path directory;
    private final int port;
    private final Process process;

    private SshServer(Path directory, int port, Process process) {
        this.directory = directory;
        this.port = port;
        this.process = process;
    }

    static SshServer start(Path directory) throws IOException, InterruptedException {
        Path program = Stream.of("/usr/sbin/sshd", "/usr/local/sbin/sshd")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        assumeTrue(program != null, "there is no sshd");
        Files.createDirectories(directory);
        for (String key : List.of("host", "user")) {
            Process keys = run(directory, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key);
            assumeTrue(keys.waitFor() == 0, "ssh-keygen makes no keys");
        }
        int port = FreePorts.takeOne();
        Path configuration = directory.resolve("sshd_config");
        Files.write(
                configuration,
                List.of(
                        "Port " + port,
                        "ListenAddress 127.0.0.1",
                        "HostKey " + directory.resolve("host"),
                        "AuthorizedKeysFile " + directory.resolve("user.pub"),
                        "PidFile none",
                        "StrictModes no",
                        "UsePAM no",
                        "PasswordAuthentication no",
                        "PermitRootLogin yes"),
                StandardCharsets.UTF_8);
        String sshd = String.valueOf(program);
        assumeTrue(
                run(directory, sshd, "-t", "-f", configuration.toString()).waitFor() == 0, "sshd does not start here");
        SshServer server =
                new SshServer(directory, port, run(directory, sshd, "-D", "-e", "-f", configuration.toString()));
        Awaitility.await().atMost(60, TimeUnit.SECONDS).until(() -> server.answers() || !server.process.isAlive());
        return server;
    }

    private static Process run(Path directory, String... command) throws IOException {
        return new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("log").toFile()))
                .start();
    }

    private boolean answers() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(way().split(" ", -1)));
        command.add("true");
        return run(directory, command.toArray(String[]::new)).waitFor() == 0;
    }

    /** Returns the command that leads to this host. */
    String way() {
        return "ssh -p " + port + " -i " + directory.resolve("user")
                + " -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=" + directory.resolve("known")
                + " 127.0.0.1";
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
