package dev.larder.array.campaign;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A client of an array: one call at a time, on a connection to each node. It follows {@code MOVED} and remembers which node
 * answered for a key. If a node does not answer, it tries another one. The history records what it learns:
 *
 * <pre>
 * an answer                              noted, with both times
 * MOVED, no leader, too busy             nothing was done: again, elsewhere, a few times
 * no answer, "may have been done"        a write is open; a read is forgotten
 * </pre>
 */
final class Client implements AutoCloseable {

    private static final int TRIES = 3;
    private static final int PAUSE_MILLIS = 20;

    private final List<InetSocketAddress> nodes;
    private final Set<InetSocketAddress> left;
    private final History history;
    private final RandomGenerator random;

    /** The node that last answered for a key, or is said to: its place in the list of nodes. */
    private final Map<String, Integer> places = new HashMap<>();

    private final Map<Integer, Connection> connections = new HashMap<>();

    /** Returns a client of one node. It uses no other node, whatever that node says. */
    static Client of(InetSocketAddress node, History history, RandomGenerator random) {
        return new Client(List.of(node), Set.of(), history, random);
    }

    /**
     * A client of several nodes.
     *
     * @param left the nodes that it does not use from now on
     */
    Client(List<InetSocketAddress> nodes, Set<InetSocketAddress> left, History history, RandomGenerator random) {
        this.nodes = nodes;
        this.left = left;
        this.history = history;
        this.random = random;
    }

    /** Sends the next call with a key to a random node: a leader that was replaced may not know that yet. */
    void stray(String key) {
        places.put(key, random.nextInt(nodes.size()));
    }

    private int place(String key) {
        return places.computeIfAbsent(key, unknown -> random.nextInt(nodes.size()));
    }

    /** Makes a call, which is one command or a transaction; returns its results if it was answered. */
    Optional<List<String>> call(String key, List<Command> commands) {
        List<List<String>> words = new ArrayList<>();
        commands.forEach(command -> words.add(command.words(key)));
        if (commands.size() > 1) {
            words.addFirst(List.of("MULTI"));
            words.addLast(List.of("EXEC"));
        }
        for (int i = 0; i < TRIES; i++) {
            int place = place(key);
            Connection open = connection(place);
            if (open == null) {
                history.count("not reached");
                elsewhere(key);
                continue;
            }
            long called = System.nanoTime();
            List<Reply> replies;
            try {
                replies = open.send(words);
            } catch (IOException e) {
                lose(place);
                elsewhere(key);
                unanswered(key, commands, called);
                return Optional.empty();
            }
            long returned = System.nanoTime();
            Reply last = replies.getLast();
            String error = last.isError() ? firstError(replies) : "";
            if (error.startsWith("CLUSTERDOWN The write may")) {
                unanswered(key, commands, called);
                elsewhere(key);
                return Optional.empty();
            }
            if (!isRefusal(error)) {
                List<Reply> answers = commands.size() > 1 ? last.parts() : List.of(last);
                List<String> results = IntStream.range(0, commands.size())
                        .mapToObj(part -> commands.get(part).result(key, answers.get(part), history.ids()))
                        .toList();
                history.answered(key, commands, String.join(",", results), called, returned);
                return Optional.of(results);
            }
            history.count(error.startsWith("MOVED") ? "moved" : error);
            refused(key, error);
        }
        return Optional.empty();
    }

    /** Sends calls of one command each together, and retries none. Each has its own answer, or none. */
    void together(String key, List<Command> commands) {
        int place = place(key);
        Connection open = connection(place);
        if (open == null) {
            elsewhere(key);
            return;
        }
        long called = System.nanoTime();
        List<Reply> replies;
        try {
            replies = open.send(
                    commands.stream().map(command -> command.words(key)).toList());
        } catch (IOException e) {
            lose(place);
            elsewhere(key);
            commands.forEach(command -> unanswered(key, List.of(command), called));
            return;
        }
        long returned = System.nanoTime();
        for (int i = 0; i < commands.size(); i++) {
            Reply reply = replies.get(i);
            List<Command> one = List.of(commands.get(i));
            String error = reply.isError() ? reply.text() : "";
            if (error.startsWith("CLUSTERDOWN The write may")) {
                unanswered(key, one, called);
            } else if (!isRefusal(error)) {
                history.answered(key, one, one.getFirst().result(key, reply, history.ids()), called, returned);
                history.count("together");
            }
        }
        String last = replies.getLast().isError() ? replies.getLast().text() : "";
        if (isRefusal(last)) {
            refused(key, last);
        }
    }

    /**
     * Reads a key and sets it, if it has not changed meanwhile: WATCH, GET, MULTI, SET, EXEC. Each part may fail with the node.
     */
    void replace(String key, String value) {
        int place = place(key);
        Connection watching = connection(place);
        if (watching == null) {
            elsewhere(key);
            return;
        }
        try {
            List<Reply> seen = watching.send(List.of(List.of("WATCH", key)));
            if (seen.getLast().isError()) {
                refused(key, seen.getLast().text());
                return;
            }
        } catch (IOException e) {
            lose(place);
            elsewhere(key);
            return;
        }
        Optional<List<String>> before = call(key, List.of(Command.GET));
        if (before.isEmpty() || place != place(key) || !watching.equals(connections.get(place))) {
            lose(place); // another connection watches nothing
            return;
        }
        set(key, value, before.get().getFirst(), place, watching);
    }

    private void set(String key, String value, String before, int place, Connection watching) {
        List<Command> commands = List.of(Command.GET, new Command("set", value));
        long called = System.nanoTime();
        try {
            Reply end = watching.send(
                            List.of(List.of("MULTI"), commands.getLast().words(key), List.of("EXEC")))
                    .getLast();
            long returned = System.nanoTime();
            if (end.isNil()) {
                history.count("watched key changed");
            } else if (!end.isError()) {
                history.count("watched key unchanged");
                String results = before + "," + end.parts().getFirst().result();
                history.answered(key, commands, results, called, returned);
            } else if (end.text().startsWith("CLUSTERDOWN The write may")) {
                unanswered(key, List.of(commands.getLast()), called);
                elsewhere(key);
            } else {
                refused(key, end.text());
                lose(place);
            }
        } catch (IOException e) {
            lose(place);
            elsewhere(key);
            unanswered(key, List.of(commands.getLast()), called);
        }
    }

    /** Returns why a call failed. For a discarded transaction, the reply to a queued command says so. */
    private static String firstError(List<Reply> replies) {
        return replies.stream().filter(Reply::isError).findFirst().orElseThrow().text();
    }

    private static boolean isRefusal(String error) {
        return error.startsWith("MOVED")
                || error.startsWith("CLUSTERDOWN")
                || error.startsWith("TRYAGAIN")
                || error.startsWith("EXECABORT");
    }

    private void unanswered(String key, List<Command> commands, long called) {
        if (commands.stream().allMatch(Command::isRead)) {
            history.count("read without an answer");
        } else {
            history.open(key, commands, called);
        }
    }

    /** Switches to the node that is said to lead, or to another one a little later. */
    private void refused(String key, String error) {
        String[] words = error.split(" ", -1);
        if (words[0].equals("MOVED")) {
            int colon = words[2].lastIndexOf(':');
            InetSocketAddress leader = new InetSocketAddress(
                    words[2].substring(0, colon), Integer.parseInt(words[2].substring(colon + 1)));
            places.put(key, Math.max(nodes.indexOf(leader), 0));
            if (nodes.size() == 1) {
                pause();
            }
        } else {
            elsewhere(key);
        }
    }

    private void elsewhere(String key) {
        stray(key);
        pause();
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the connection to a node; null if it cannot be reached. */
    private @Nullable Connection connection(int place) {
        if (left.contains(nodes.get(place))) {
            return null;
        }
        Connection open = connections.get(place);
        if (open == null) {
            try {
                open = new Connection(nodes.get(place));
            } catch (IOException e) {
                return null;
            }
            connections.put(place, open);
        }
        return open;
    }

    private void lose(int place) {
        Connection lost = connections.remove(place);
        if (lost != null) {
            lost.close();
        }
    }

    @Override
    public void close() {
        connections.values().forEach(Connection::close);
    }
}
