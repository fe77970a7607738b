package dev.larder.lab.load;

import dev.larder.cli.Figures;
import dev.larder.lab.machine.HiccupRecorder;
import dev.larder.lab.process.ChildLoop;
import dev.larder.lab.result.Directories;
import dev.larder.lab.result.Require;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * The conductor's side of a generator process. Command {@code load} runs one load, and answers with a summary. Unless it
 * must {@code discard} them, it leaves its responses in a queue and a histogram log in a given directory.
 * {@code histograms} answers with that log; {@code forget} deletes the directory.
 */
public final class GeneratorLoop {

    private static final String HISTOGRAMS = "responses.hlog";

    private final HiccupRecorder hiccups = new HiccupRecorder();
    private final ChildLoop loop = new ChildLoop()
            .on("load", this::load)
            .on("histograms", GeneratorLoop::histograms)
            .on("forget", GeneratorLoop::forget);
    private final Map<String, Driver.Factory> drivers =
            new TreeMap<>(Map.of("echo", (settings, answers) -> Driver.echo(answers), "socket", GeneratorLoop::socket));
    private final Map<String, Workload.Factory> workloads = new TreeMap<>(Map.of("keys", GeneratorLoop::keys));

    /**
     * A loop that knows the drivers {@code echo} and {@code socket}, and the workload {@code {"workload": "keys", "keys": N,
     * "writes_percent": P}}.
     */
    public GeneratorLoop() {}

    /** Adds a driver under a {@code name}, which a conductor uses. */
    public GeneratorLoop driver(String name, Driver.Factory factory) {
        drivers.put(name, factory);
        return this;
    }

    /** Adds a workload under a {@code name}, which a conductor uses. */
    public GeneratorLoop workload(String name, Workload.Factory factory) {
        workloads.put(name, factory);
        return this;
    }

    /** Returns the loop itself, to which a generator adds its own commands. */
    public ChildLoop commands() {
        return loop;
    }

    private static Workload keys(Figures settings, long seed) {
        return new KeyWorkload(settings.whole("keys"), settings.number("writes_percent"), seed);
    }

    private static Driver socket(Figures settings, Driver.Answers answers) {
        InetSocketAddress target = new InetSocketAddress(settings.text("host"), (int) settings.whole("port"));
        return new SocketDriver(target, (int) settings.whole("connections"), answers);
    }

    private Figures load(Figures settings) {
        LoadPlan plan = new LoadPlan(
                settings.number("rate_per_s"),
                settings.number("load_seconds"),
                settings.number("drain_seconds"),
                settings.whole("pending_max"),
                settings.flag("closed"));
        long seed = settings.whole("seed");
        Figures asked = settings.part("workload");
        Workload workload = named("workload", asked.text("workload"), workloads).open(asked, seed);
        Path directory = Directories.create(Path.of(settings.text("directory")));
        Figures driver = settings.part("driver");
        Driver.Factory factory = named("driver", driver.text("name"), drivers);
        Arrivals arrivals = Arrivals.of(settings, ~seed);
        Generator generator = new Generator(plan, arrivals, workload, new Pacer(settings.whole("spin_nanos")));
        Generator.Done done;
        try {
            done = generator.run(answers -> factory.open(driver, answers), directory.resolve("responses"));
        } finally {
            if (arrivals instanceof ReplayArrivals replay) {
                replay.close();
            }
        }
        Figures result = result(done, directory, workload, plan.seconds());
        if (settings.flag("discard")) {
            Directories.delete(directory);
        }
        return result.put("hiccups", hiccups.since(done.startNanos()));
    }

    private static Figures histograms(Figures settings) throws IOException {
        Path log = Path.of(settings.text("directory")).resolve(HISTOGRAMS);
        return new Figures().put("text", Files.readString(log, StandardCharsets.ISO_8859_1));
    }

    private static Figures forget(Figures settings) {
        Directories.delete(Path.of(settings.text("directory")));
        return new Figures();
    }

    private static <T> T named(String what, String name, Map<String, T> known) {
        return Require.present(
                known.get(name), "no " + what + " '" + name + "'; there are: " + String.join(", ", known.keySet()));
    }

    private static Figures result(Generator.Done done, Path directory, Workload workload, double seconds) {
        LoadSummary summary =
                LoadSummary.of(directory.resolve("responses"), directory.resolve(HISTOGRAMS), workload, seconds);
        return new Figures()
                .put("start_nanos", done.startNanos())
                .put("end_nanos", done.endNanos())
                .put("sent", done.sent())
                .put("unanswered", done.unanswered())
                .put("stopped", done.stopped())
                .put("backlog_growth", done.backlogGrowth())
                .put("backlog_max", done.backlogMax())
                .put("first_error", done.firstError())
                .put("invalid_reason", summary.invalidReason())
                .put("operations", summary.operations())
                .put("timeline", summary.timeline());
    }

    /** Runs a process that sends requests to lab targets. */
    public static void main(String[] arguments) throws IOException {
        new GeneratorLoop().serve();
    }

    /** Serves until the conductor ends. */
    public void serve() throws IOException {
        try (hiccups) {
            loop.serve();
        }
    }
}
