package dev.larder.server.operate;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.larder.memory.StorageException;
import dev.larder.server.store.Store;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * A port of loopback for programs that watch the server:
 *
 * <pre>
 * /health/live     200 while the process answers
 * /health/ready    200 while the server takes commands; 503 with the reasons, one a line
 * /metrics         figures in the text format of Prometheus
 * </pre>
 */
final class HealthServer implements AutoCloseable {

    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;
    private static final int NOT_FOUND = 404;
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

    private final Figures figures;
    private final HttpServer server;

    /** A thread for each request: a client that sends a part of a request keeps its own thread waiting, and no other client. */
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("larder-health").factory());

    /**
     * Listens on a port of loopback.
     *
     * @throws StorageException if it cannot listen
     */
    HealthServer(Figures figures, int port) {
        this.figures = figures;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException e) {
            throw new StorageException("cannot listen on health-port " + port + ": " + e.getMessage(), e);
        }
        server.createContext("/", exchange -> answer(exchange, NOT_FOUND, TEXT, () -> "not found\n"));
        server.createContext("/health/live", exchange -> answer(exchange, OK, TEXT, () -> "live\n"));
        server.createContext("/health/ready", this::answerReady);
        server.createContext(
                "/metrics", exchange -> answer(exchange, OK, METRICS, () -> new PrometheusText(figures).toString()));
        server.setExecutor(threads);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void answerReady(HttpExchange exchange) throws IOException {
        List<String> reasons = figures.stores().stream()
                .map(Store::info)
                .map(info -> info.space().failure())
                .flatMap(Optional::stream)
                .toList();
        if (reasons.isEmpty()) {
            answer(exchange, OK, TEXT, () -> "ready\n");
        } else {
            answer(exchange, UNAVAILABLE, TEXT, () -> String.join("\n", reasons) + "\n");
        }
    }

    private static void answer(HttpExchange exchange, int status, String type, Supplier<String> text)
            throws IOException {
        try (exchange) {
            byte[] body = text.get().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.getResponseHeaders().set("Connection", "close"); // clients that poll keep no connection open
            exchange.sendResponseHeaders(status, body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
