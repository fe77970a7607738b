package dev.larder.tests.support;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.jr.ob.JSON;

/** The DevTools protocol: numbered calls with answers, and events, as JSON over a web socket. */
final class DevTools implements WebSocket.Listener, AutoCloseable {

    private static final long ANSWER_SECONDS = 60;

    /** An event that the browser sends by itself. */
    record Event(String session, String method, Map<String, Object> parameters) {}

    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicInteger calls = new AtomicInteger();
    private final Map<Integer, CompletableFuture<Map<String, Object>>> answers = new ConcurrentHashMap<>();
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private WebSocket socket;

    private DevTools() {}

    static DevTools connect(String address) throws IOException {
        DevTools tools = new DevTools();
        try {
            tools.socket = tools.client
                    .newWebSocketBuilder()
                    .buildAsync(URI.create(address), tools)
                    .join();
            return tools;
        } catch (CompletionException e) {
            throw new IOException("cannot connect to " + address, e);
        }
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
        text.append(part);
        if (last) {
            receive(map(JSON.std.anyFrom(text.toString())));
            text.setLength(0);
        }
        from.request(1);
        return null;
    }

    private void receive(Map<String, Object> message) {
        if (message.get("id") instanceof Integer call) {
            answers.remove(call).complete(message);
        } else {
            events.add(new Event(
                    String.valueOf(message.get("sessionId")),
                    String.valueOf(message.get("method")),
                    map(message.get("params"))));
        }
    }

    /** Calls a method and returns its result. */
    Map<String, Object> call(String session, String method, Map<String, Object> parameters) {
        int call = calls.incrementAndGet();
        CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
        answers.put(call, answer);
        Map<String, Object> message = new LinkedHashMap<>(Map.of("id", call, "method", method, "params", parameters));
        if (!session.isEmpty()) {
            message.put("sessionId", session);
        }
        socket.sendText(JSON.std.asString(message), true).join();
        return result(method, answer.orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS).join());
    }

    private static Map<String, Object> result(String method, Map<String, Object> answer) {
        if (answer.containsKey("error")) {
            throw new IllegalStateException(method + ": " + answer.get("error"));
        }
        return map(answer.get("result"));
    }

    /** Returns the events of one page so far, in order of arrival. */
    List<Event> events(String session) {
        return events.stream().filter(event -> event.session().equals(session)).toList();
    }

    @SuppressWarnings("unchecked") // JSON: the names of an object are texts
    static Map<String, Object> map(Object value) {
        return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
    }

    @Override
    public void close() {
        socket.abort();
        client.shutdownNow();
    }
}
