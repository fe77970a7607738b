package dev.larder.lab.load;

import dev.larder.cli.Figures;
import dev.larder.lab.machine.ProcessorTime;
import dev.larder.lab.process.Peer;
import dev.larder.lab.result.Attempt;
import dev.larder.lab.result.ResultFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Makes a generator load a target, and combines the measurements of both.
 *
 * <p>Before a measured load, the same load warms up the target until its response times have settled.
 */
public final class Conductor {

    /** A target does not keep up above this growth of the backlog, as a share of the requests sent. */
    private static final double GROWTH = 0.02;

    /** This many requests may queue in any target. */
    private static final long PENDING_MIN = 16;

    /** Windows of a warm-up that differ by no more than this agree. */
    private static final double NOTHING_US = 20;

    private static final int CONNECTIONS = 2;
    private static final String LOOPBACK = "127.0.0.1";
    private static final Pattern NUMBERED = Pattern.compile("(\\d{3,9})-.*");

    private final Peer generator;
    private final Optional<Peer> target;
    private final Path directory;
    private final Figures driver;
    private int loads;

    /**
     * A conductor of two processes; an empty target is not a lab process, and is not metered.
     *
     * @param driver how requests travel, such as {@code socket}, with its settings
     * @param directory gets a directory for each load
     */
    public Conductor(Peer generator, Optional<Peer> target, Figures driver, Path directory) {
        this.driver = driver;
        this.generator = generator;
        this.target = target;
        this.directory = directory;
        this.loads = lastNumber(directory);
    }

    /**
     * Makes a lab target listen: a process that serves a {@link TargetLoop} with a command {@code start}, which opens a
     * {@link TargetServer} and answers with its {@code port}. The caller owns generator and target.
     *
     * @param configuration for {@code start}; without a {@code host}, the target listens on loopback
     */
    public static Conductor of(Peer generator, Peer target, Figures configuration, Path directory) {
        Figures driver = socket(
                configuration.has("host") ? configuration.text("host") : LOOPBACK,
                target.ask("start", configuration),
                CONNECTIONS);
        return new Conductor(generator, Optional.of(target), driver, directory);
    }

    /** Returns the driver of a target that answered with its {@code port}. */
    public static Figures socket(String host, Figures started, int connections) {
        return new Figures()
                .put("name", "socket")
                .put("host", host)
                .put("port", started.whole("port"))
                .put("connections", connections);
    }

    /** Returns a load of Poisson arrivals on the target. */
    public LoadSettings settings(Figures workload, LoadPlan plan, long seed) {
        return settings(workload, ArrivalKind.POISSON, plan, seed);
    }

    /** Returns a load on the target. */
    public LoadSettings settings(Figures workload, ArrivalKind arrivals, LoadPlan plan, long seed) {
        return new LoadSettings(driver, workload, arrivals, null, plan, seed, Pacer.SPIN_NANOS);
    }

    /** Numbers continue after an earlier conductor's. */
    private static int lastNumber(Path directory) {
        if (!Files.isDirectory(directory)) {
            return 0;
        }
        return Attempt.giving("read " + directory, () -> {
            try (Stream<Path> places = Files.list(directory)) {
                return places.map(place -> NUMBERED.matcher(place.getFileName().toString()))
                        .filter(Matcher::matches)
                        .mapToInt(name -> Integer.parseInt(name.group(1)))
                        .max()
                        .orElse(0);
            }
        });
    }

    /**
     * Runs one load. The answer holds {@code operations}, {@code timeline}, {@code pauses}, {@code hiccups} (both with
     * their {@code second} within the load; a hiccup with its {@code process}), {@code target_start_nanos} by the target's
     * clock, {@code saturated}, the target's resource use, and of the conductor's machine {@code steal_percent} and
     * {@code busy_processors}.
     */
    public Figures load(LoadSettings settings, String name) {
        return load(settings, name, false);
    }

    /** As {@link #load}, but drops the responses once they are summed up. */
    public Figures probe(LoadSettings settings, String name) {
        return load(settings, name, true);
    }

    private Figures load(LoadSettings settings, String name, boolean discard) {
        Path place = directory.resolve(String.format(Locale.ROOT, "%03d-%s", ++loads, name));
        target.ifPresent(process -> process.ask("begin", new Figures()));
        ProcessorTime before = ProcessorTime.read();
        Figures seen = generator.ask(
                "load",
                settings.figures().put("directory", generator.place(place)).put("discard", discard));
        ProcessorTime after = ProcessorTime.read();
        Figures used = target.map(process -> process.ask("end", new Figures())).orElseGet(Figures::new);
        return together(settings, seen, used)
                .put("steal_percent", ProcessorTime.stealPercent(before, after))
                .put("busy_processors", ProcessorTime.busyProcessors(before, after))
                .put("directory", place.getFileName());
    }

    /**
     * Keeps the histograms of a load in the folder of the run.
     *
     * @param load as {@link #load(LoadSettings, String)} has answered
     */
    public void keepHistograms(Figures load, ResultFolder folder, String name) {
        folder.keepHistograms(name, generator.ask("histograms", place(load)).text("text"));
    }

    /** Deletes the responses of a load. */
    public void forget(Figures load) {
        generator.ask("forget", place(load));
    }

    private Figures place(Figures load) {
        return new Figures().put("directory", generator.place(directory.resolve(load.text("directory"))));
    }

    private Figures together(LoadSettings settings, Figures seen, Figures used) {
        long start = seen.whole("start_nanos");
        long targetStart = start
                - generator.clockAheadNanos()
                + target.map(Peer::clockAheadNanos).orElse(0L);
        List<Figures> hiccups = new ArrayList<>(within(hiccups("generator", seen), start));
        hiccups.addAll(within(hiccups("target", used), targetStart));
        return new Figures()
                .put("rate_per_s", settings.plan().ratePerSecond())
                .putAll(used)
                .putAll(seen)
                .put("cpu_cores", used.has("cpu_ms") ? cores(used.number("cpu_ms"), seen) : null)
                .put("target_start_nanos", targetStart)
                .put("saturated", isSaturated(seen))
                .put("pauses", within(used.rows("pauses"), targetStart))
                .put("hiccups", hiccups);
    }

    /**
     * Returns the average number of processors at work on a load. Its time excludes opening the connections before it, and
     * writing the responses after it.
     *
     * @param cpuMillis the processor time used meanwhile
     * @param load as {@link #load(LoadSettings, String)} has answered
     */
    public static double cores(double cpuMillis, Figures load) {
        return cpuMillis * 1e6 / (load.whole("end_nanos") - load.whole("start_nanos"));
    }

    /** Returns whether a target did not keep up: the backlog kept growing, or the load was stopped. */
    private static boolean isSaturated(Figures seen) {
        boolean grew = seen.number("backlog_growth") > GROWTH && seen.whole("backlog_max") > PENDING_MIN;
        return seen.flag("stopped") || grew;
    }

    private static List<Figures> hiccups(String process, Figures answer) {
        return answer.rows("hiccups").stream()
                .map(hiccup -> new Figures().put("process", process).putAll(hiccup))
                .toList();
    }

    /** Returns the spans since the start of a load, each with the second at which it began. */
    public static List<Figures> within(List<Figures> spans, long start) {
        return spans.stream()
                .filter(span -> span.whole("start_nanos") >= start)
                .map(span -> new Figures()
                        .putAll(span)
                        .put("second", (span.whole("start_nanos") - start) / 1e9)
                        .put("start_nanos", null))
                .toList();
    }

    /**
     * Warms the target up with windows of a load. It is warm when two successive windows agree: their medians differ by less than
     * a tenth, and their 99th percentiles by less than a third. Then compiler and caches have settled.
     *
     * @param maxSeconds the time after which no further window begins
     * @return {@code warm_up_seconds}, and in {@code warm_up_converged} whether two windows agreed
     */
    public Figures warmUp(LoadSettings settings, double windowSeconds, double maxSeconds) {
        Figures last = new Figures();
        int windows = 0;
        boolean converged = false;
        while (!converged && windowSeconds > 0 && (windows + 1) * windowSeconds <= maxSeconds) {
            LoadSettings window = settings.withPlan(settings.plan().lasting(windowSeconds))
                    .withSeed(settings.seed() + 1_000 + windows);
            Figures now = probe(window, "warm-up").rows("operations").getFirst();
            converged = windows > 0 && agree(last, now, "p50_us", 0.1) && agree(last, now, "p99_us", 0.33);
            last = now;
            windows++;
        }
        return new Figures().put("warm_up_seconds", windows * windowSeconds).put("warm_up_converged", converged);
    }

    private static boolean agree(Figures before, Figures now, String name, double share) {
        double larger = Math.max(before.number(name), now.number(name));
        return Math.abs(now.number(name) - before.number(name)) <= Math.max(NOTHING_US, share * larger);
    }
}
