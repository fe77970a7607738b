package dev.larder.lab.search;

import dev.larder.cli.Figures;
import dev.larder.memory.LarderException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/**
 * A process of each of some candidates, which are alive together and search in turns of a second:
 *
 * <pre>
 *  mmap    |--open--|      |warm|      |--|  |--|  |--|      |finish|
 *  larder         |--open--|    |warm|    |--|  |--|  |--|          |finish|
 *                                      turns
 * </pre>
 *
 * What a machine's neighbours do to it lasts for seconds, and slows what it meets by a third. So it meets all of them.
 */
final class ForkRound implements AutoCloseable {

    private static final double TURN_SECONDS = 1;

    private final int fork;
    private final SearchConditions conditions;
    private final SearchOptions.Loads forks;
    private final BiConsumer<SearchCandidate, LarderException> failed;
    private final Map<SearchCandidate, SearchServer> servers = new LinkedHashMap<>();

    /**
     * A round without servers.
     *
     * @param failed is told of a candidate that cannot be served or fails; it is out of the round then
     */
    ForkRound(int fork, SearchConditions conditions, BiConsumer<SearchCandidate, LarderException> failed) {
        this.fork = fork;
        this.conditions = conditions;
        forks = conditions.options().loads();
        this.failed = failed;
    }

    /** Starts a server, and has it answer every task once. */
    void start(SearchCandidate candidate, Answers answers) {
        try {
            SearchServer server = SearchServer.start(candidate, conditions);
            servers.put(candidate, server);
            server.check(answers);
        } catch (LarderException e) {
            leave(candidate, e);
        }
    }

    private void leave(SearchCandidate candidate, LarderException why) {
        SearchServer server = servers.remove(candidate);
        if (server != null) {
            server.close();
        }
        failed.accept(candidate, why);
    }

    /** Returns a sample of each server that has come to the end. */
    List<Figures> measure() {
        SequentialRead.warm(
                conditions.files().directory()); // a server that loads lets go of what the system has cached
        each((candidate, server) -> server.ask("warm-up", settings(forks.warmUpSeconds())));
        double turn = Math.min(TURN_SECONDS, forks.seconds());
        for (int turns = (int) Math.ceil(forks.seconds() / turn); turns > 0; turns--) {
            each((candidate, server) -> server.ask("turn", settings(turn)));
        }
        return each((candidate, server) -> sample(candidate, server, server.ask("finish", new Figures())));
    }

    private Figures settings(double seconds) {
        return new Figures()
                .put("seconds", seconds)
                .put("seed", conditions.options().seed() + fork);
    }

    private List<Figures> each(BiFunction<SearchCandidate, SearchServer, Figures> question) {
        List<Figures> answers = new ArrayList<>();
        for (Map.Entry<SearchCandidate, SearchServer> seat : List.copyOf(servers.entrySet())) {
            try {
                answers.add(question.apply(seat.getKey(), seat.getValue()));
            } catch (LarderException e) {
                leave(seat.getKey(), e);
            }
        }
        return answers;
    }

    private Figures sample(SearchCandidate candidate, SearchServer server, Figures measured) {
        return candidate
                .figures()
                .put("sample", "fork")
                .put("fork", fork)
                .put("beside", servers.size() - 1)
                .put("index_bytes", conditions.files().bytes())
                .put("index_cached_bytes", server.cachedBytes())
                .put("load_ms", server.opened().get("load_ms"))
                .put("first_query_ms", server.opened().get("first_query_ms"))
                .putAll(measured)
                .put("valid", true);
    }

    @Override
    public void close() {
        servers.values().forEach(SearchServer::close);
        servers.clear();
    }
}
