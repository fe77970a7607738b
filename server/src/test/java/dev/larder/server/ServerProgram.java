package dev.larder.server;

import java.nio.file.Path;

/** A server in a process of its own: prints its port, and runs until it is killed. */
final class ServerProgram {

    private ServerProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        ServerOptions options = ServerOptions.of(Path.of(arguments[0]))
                .withPort(0)
                .withDatabases(16)
                .withSegmentBytes(4 << 20)
                .withDurability(
                        Boolean.parseBoolean(arguments[1]) ? Durability.ofEveryWrite() : Durability.everySecond());
        try (LarderServer server = LarderServer.start(options)) {
            System.out.println(server.port());
            server.awaitStop();
        }
    }
}
