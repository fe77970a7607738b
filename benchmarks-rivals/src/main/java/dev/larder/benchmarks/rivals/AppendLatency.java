package dev.larder.benchmarks.rivals;

import dev.larder.cli.Figures;
import dev.larder.lab.queue.Rival;
import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Measures the latency of an append at a fixed rate, Larder against Chronicle Queue. Child JVMs take turns, one subject each,
 * with a new queue each time.
 *
 * <p>Arguments (all or none): directory for the data, result file, rounds, seconds, appends per second. Prints a table
 * of the medians over the rounds; the result file holds every round.
 */
public final class AppendLatency {

    private static final List<String> SUBJECTS = List.of("larder", "chronicle", "larder-default-sync");
    private static final List<String> PERCENTILES =
            List.of("p50_ns", "p90_ns", "p99_ns", "p999_ns", "p9999_ns", "max_ns");
    private static final int[] MESSAGE_BYTES = {256, 1024};
    private static final int WARM_UP_SECONDS = 10;

    private final Path directory;
    private final int seconds;
    private final int perSecond;
    private final List<Figures> rounds = new ArrayList<>();

    private AppendLatency(Path directory, int seconds, int perSecond) {
        this.directory = directory;
        this.seconds = seconds;
        this.perSecond = perSecond;
    }

    /** Runs all rounds. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        boolean given = arguments.length == 5;
        Path data = given ? Path.of(arguments[0]) : Path.of("lab-results", "append-latency-data");
        Path result = given ? Path.of(arguments[1]) : Path.of("lab-results", "append-latency.json");
        int rounds = given ? Integer.parseInt(arguments[2]) : 5;
        AppendLatency comparison = given
                ? new AppendLatency(data, Integer.parseInt(arguments[3]), Integer.parseInt(arguments[4]))
                : new AppendLatency(data, 20, 10_000);
        for (int round = 0; round < rounds; round++) {
            comparison.round(round, System.err);
        }
        Files.writeString(result, comparison.figures().toPrettyJson());
        comparison.print(System.out);
    }

    private void round(int round, PrintStream progress) throws IOException, InterruptedException {
        for (int bytes : MESSAGE_BYTES) {
            for (int turn = 0; turn < SUBJECTS.size(); turn++) {
                String subject = SUBJECTS.get((turn + round) % SUBJECTS.size());
                Figures figures = run(subject, bytes);
                rounds.add(new Figures()
                        .put("round", round)
                        .put("subject", subject)
                        .put("message_bytes", bytes)
                        .putAll(figures));
                progress.println("round " + round + ", " + subject + ", " + bytes + " B: " + figures.part("append"));
            }
        }
    }

    private Figures run(String subject, int bytes) throws IOException, InterruptedException {
        Path place = Files.createDirectories(directory).resolve(subject);
        delete(place);
        List<String> command = javaCommand();
        command.addAll(List.of(
                AppendLatencyChild.class.getName(),
                subject,
                place.toString(),
                Integer.toString(bytes),
                Integer.toString(perSecond),
                Integer.toString(WARM_UP_SECONDS),
                Integer.toString(seconds)));
        Process child = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String answer = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (child.waitFor() != 0) {
            throw new LabException("the child of " + subject + " ended with exit code " + child.exitValue());
        }
        delete(place);
        return Figures.parse(
                answer.lines().filter(line -> line.startsWith("{")).findFirst().orElse(answer));
    }

    /** Returns the java command. All subjects run with the flags that the rival requires; Larder needs only native access. */
    private static List<String> javaCommand() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(List.of(java, "-Xms256m", "-Xmx256m"));
        command.addAll(Rival.named("chronicle").getFirst().flags());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        return command;
    }

    private Figures figures() {
        return new Figures()
                .put("experiment", "append-latency")
                .put("appends_per_second", perSecond)
                .put("seconds", seconds)
                .put("rounds", rounds);
    }

    private void print(PrintStream out) {
        for (String kind : List.of("append", "response")) {
            out.printf(Locale.ROOT, "%n%s, ns (median of the rounds)%n%-28s", kind, "");
            PERCENTILES.forEach(name -> out.printf(Locale.ROOT, "%12s", name.replace("_ns", "")));
            for (int bytes : MESSAGE_BYTES) {
                for (String subject : SUBJECTS) {
                    out.printf(Locale.ROOT, "%n%-28s", subject + " " + bytes + " B");
                    PERCENTILES.forEach(name -> out.printf(Locale.ROOT, "%12.0f", median(kind, subject, bytes, name)));
                }
            }
            out.println();
        }
    }

    private double median(String kind, String subject, int bytes, String name) {
        double[] values = rounds.stream()
                .filter(round -> subject.equals(round.get("subject")) && round.whole("message_bytes") == bytes)
                .mapToDouble(round -> round.part(kind).number(name))
                .sorted()
                .toArray();
        return values.length == 0 ? Double.NaN : values[values.length / 2];
    }

    private static void delete(Path place) throws IOException {
        if (Files.exists(place)) {
            try (Stream<Path> files = Files.walk(place)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
