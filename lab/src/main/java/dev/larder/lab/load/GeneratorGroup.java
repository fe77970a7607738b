package dev.larder.lab.load;

import dev.larder.cli.Figures;
import dev.larder.lab.process.Peer;
import dev.larder.lab.result.Attempt;
import dev.larder.lab.result.Directories;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Several generators of this host that share a load, like several processes of an application.
 *
 * <p>A {@link Conductor} sees one generator. Their responses are read as one load.
 */
public final class GeneratorGroup implements Peer {

    private static final List<String> KINDS = List.of("get", "put");
    private static final long SEED_STEP = 7_919;

    private final List<Peer> members;

    /** A group that owns its members. */
    public GeneratorGroup(List<? extends Peer> members) {
        this.members = List.copyOf(members);
    }

    /** Divides a load among the members; the first one answers all else. */
    @Override
    public Figures ask(String command, Figures arguments) {
        return command.equals("load") ? load(arguments) : members.getFirst().ask(command, arguments);
    }

    private Figures load(Figures settings) {
        Path directory = Path.of(settings.text("directory"));
        List<Figures> seen = askAll(settings, directory);
        LoadSummary summary = LoadSummary.of(
                IntStream.range(0, members.size())
                        .mapToObj(member -> place(directory, member).resolve("responses"))
                        .toList(),
                KINDS,
                settings.number("load_seconds"));
        if (settings.flag("discard")) {
            Directories.delete(directory);
        }
        return new Figures()
                .put(
                        "start_nanos",
                        seen.stream()
                                .mapToLong(one -> one.whole("start_nanos"))
                                .min()
                                .orElse(0))
                .put(
                        "end_nanos",
                        seen.stream()
                                .mapToLong(one -> one.whole("end_nanos"))
                                .max()
                                .orElse(0))
                .put("sent", sum(seen, "sent"))
                .put("unanswered", sum(seen, "unanswered"))
                .put("stopped", seen.stream().anyMatch(one -> one.flag("stopped")))
                .put("backlog_growth", growth(seen))
                .put("backlog_max", sum(seen, "backlog_max"))
                .put("first_error", firstError(seen))
                .put("invalid_reason", summary.invalidReason())
                .put("operations", summary.operations())
                .put("timeline", summary.timeline())
                .put(
                        "hiccups",
                        seen.stream()
                                .flatMap(one -> one.rows("hiccups").stream())
                                .toList());
    }

    private List<Figures> askAll(Figures settings, Path directory) {
        try (ExecutorService threads = Executors.newFixedThreadPool(members.size())) {
            List<Future<Figures>> answers = IntStream.range(0, members.size())
                    .mapToObj(member -> threads.submit(() ->
                            members.get(member).ask("load", share(settings, place(directory, member), member))))
                    .toList();
            return answers.stream()
                    .map(answer -> Attempt.await("have several clients send", answer))
                    .toList();
        }
    }

    private static Path place(Path directory, int member) {
        return directory.resolve("client-" + member);
    }

    private Figures share(Figures settings, Path directory, int member) {
        int all = members.size();
        long pending = settings.whole("pending_max");
        return new Figures()
                .putAll(settings)
                .put("rate_per_s", settings.number("rate_per_s") / all)
                .put("pending_max", pending / all + (member < pending % all ? 1 : 0))
                .put("seed", settings.whole("seed") + member * SEED_STEP)
                .put("directory", directory.toString())
                .put("discard", false);
    }

    private static long sum(List<Figures> seen, String name) {
        return seen.stream().mapToLong(one -> one.whole(name)).sum();
    }

    /** Weights each growth by the requests of its generator. */
    private static double growth(List<Figures> seen) {
        return seen.stream()
                        .mapToDouble(one -> one.number("backlog_growth") * one.whole("sent"))
                        .sum()
                / sum(seen, "sent");
    }

    private static @Nullable Object firstError(List<Figures> seen) {
        return seen.stream()
                .map(one -> one.get("first_error"))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    @Override
    public String place(Path directory) {
        return members.getFirst().place(directory);
    }

    @Override
    public long clockAheadNanos() {
        return 0;
    }

    @Override
    public String host() {
        return members.getFirst().host();
    }

    @Override
    public void destroy() {
        members.forEach(Peer::destroy);
    }

    @Override
    public void close() {
        members.forEach(Peer::close);
    }
}
