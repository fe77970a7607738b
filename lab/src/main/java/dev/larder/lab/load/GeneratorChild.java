package dev.larder.lab.load;

import dev.larder.lab.machine.HiccupRecorder;
import dev.larder.lab.process.ChildLoop;
import dev.larder.lab.result.Directories;
import dev.larder.lab.result.Figures;
import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * The process that sends requests. Command {@code load}: runs one load, leaves its responses in a queue and a histogram
 * log in the directory named, and answers with what they show.
 */
public final class GeneratorChild {

    private final HiccupRecorder hiccups;

    private GeneratorChild(HiccupRecorder hiccups) {
        this.hiccups = hiccups;
    }

    /** Serves a conductor until it ends. */
    public static void main(String[] arguments) throws IOException {
        try (HiccupRecorder recorder = new HiccupRecorder()) {
            GeneratorChild child = new GeneratorChild(recorder);
            new ChildLoop().on("load", child::load).serve();
        }
    }

    private Figures load(Figures settings) {
        LoadPlan plan = new LoadPlan(
                settings.number("rate_per_s"),
                settings.number("load_seconds"),
                settings.number("drain_seconds"),
                settings.whole("pending_max"));
        long seed = settings.whole("seed");
        Workload workload = Workloads.workload(settings.part("workload"), seed);
        Path directory = Directories.create(Path.of(settings.text("directory")));
        Generator generator = new Generator(
                plan, Workloads.arrivals(settings, ~seed), workload, new Pacer(settings.whole("spin_nanos")));
        Generator.Done done = generator.run(driver(settings.part("driver")), directory.resolve("responses"));
        return result(done, directory, workload, plan.seconds()).put("hiccups", hiccups.since(done.startNanos()));
    }

    private static Function<Driver.Answers, Driver> driver(Figures driver) {
        String name = driver.text("name");
        return switch (name) {
            case "socket" -> socket(driver);
            case "echo" -> EchoDriver::new;
            default -> throw new LabException("no driver '" + name + "'; there are: socket, echo");
        };
    }

    private static Function<Driver.Answers, Driver> socket(Figures driver) {
        InetSocketAddress target = new InetSocketAddress(driver.text("host"), (int) driver.whole("port"));
        return answers -> new SocketDriver(target, (int) driver.whole("connections"), answers);
    }

    private static Figures result(Generator.Done done, Path directory, Workload workload, double seconds) {
        LoadSummary summary = LoadSummary.of(
                directory.resolve("responses"), directory.resolve("responses.hlog"), workload.kinds(), seconds);
        return new Figures()
                .put("start_nanos", done.startNanos())
                .put("sent", done.sent())
                .put("unanswered", done.unanswered())
                .put("stopped", done.stopped())
                .put("backlog_growth", done.backlogGrowth())
                .put("backlog_max", done.backlogMax())
                .put("invalid_reason", summary.invalidReason())
                .put("operations", summary.operations())
                .put("timeline", summary.timeline());
    }
}
