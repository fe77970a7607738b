package dev.larder.tests.clients;

import dev.larder.server.LarderServer;
import dev.larder.server.ServerOptions;
import java.nio.file.Path;

/** A server for a tour. */
final class TourServer {

    private TourServer() {}

    static LarderServer start(Path directory) {
        return LarderServer.start(ServerOptions.of(directory).withPort(0));
    }
}
