package dev.larder.server;

import dev.larder.server.session.Node;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A server of a test on a port that the system chooses, and its clients. */
public final class ServerFixture implements AutoCloseable {

    static final long SEGMENT_BYTES = 4 << 20;

    private final ServerOptions options;
    private final List<TestClient> clients = new ArrayList<>();
    private LarderServer server;

    /** A server on a folder, with 16 databases and small segments. */
    public ServerFixture(Path directory) {
        this(directory, options -> options);
    }

    /** A server on a folder, with options that are changed. */
    public ServerFixture(Path directory, UnaryOperator<ServerOptions> change) {
        options = change.apply(
                ServerOptions.of(directory).withPort(0).withDatabases(16).withSegmentBytes(SEGMENT_BYTES));
        server = LarderServer.start(options);
    }

    /** Returns the server. */
    public LarderServer server() {
        return server;
    }

    /** Returns the node that the server's sessions share. */
    public Node node() {
        return server.node();
    }

    /** Connects a client, which is closed with the server. */
    public TestClient client() {
        TestClient client = new TestClient(server.port());
        clients.add(client);
        return client;
    }

    /** Stops the server and starts it again on the same folder, on another port. */
    public void restart() {
        stop();
        server = LarderServer.start(options);
    }

    private void stop() {
        clients.forEach(TestClient::close);
        clients.clear();
        server.close();
    }

    @Override
    public void close() {
        stop();
    }
}
