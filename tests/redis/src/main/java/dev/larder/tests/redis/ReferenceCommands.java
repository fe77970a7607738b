package dev.larder.tests.redis;

import dev.larder.tests.support.FreePorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The commands that the installed {@code redis-server} knows. */
final class ReferenceCommands {

    private static final int ATTEMPTS = 100;

    private ReferenceCommands() {}

    /** Returns their names; the names of subcommands have the form {@code client|id}. */
    static Set<String> list() throws IOException, InterruptedException {
        int port = FreePorts.takeOne();
        Process server = new ProcessBuilder(
                        "redis-server", "--port", "" + port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                Set<String> names = ask(port);
                if (names.size() > 1) {
                    return names;
                }
                Thread.sleep(50);
            }
            throw new IOException("redis-server does not answer");
        } finally {
            server.destroy();
        }
    }

    private static Set<String> ask(int port) throws IOException, InterruptedException {
        Process client = new ProcessBuilder(List.of("redis-cli", "-p", "" + port, "COMMAND", "LIST"))
                .redirectErrorStream(true)
                .start();
        String output = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        client.waitFor();
        return new TreeSet<>(output.lines().map(String::trim).toList());
    }
}
