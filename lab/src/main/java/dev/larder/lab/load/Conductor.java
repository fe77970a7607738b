package dev.larder.lab.load;

import dev.larder.lab.machine.ProcessorTime;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.result.Figures;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Has a generator put a load on a target, and puts together what both have seen.
 *
 * <p>Before a load is measured the target is warmed up by the same load, until its response times have settled.
 */
public final class Conductor {

    private final ChildProcess generator;
    private final Optional<ChildProcess> target;
    private final Path directory;
    private int loads;

    /**
     * A conductor of two processes; the target is none of ours where it is empty, and is not metered then.
     *
     * @param directory gets a directory for each load
     */
    public Conductor(ChildProcess generator, Optional<ChildProcess> target, Path directory) {
        this.generator = generator;
        this.target = target;
        this.directory = directory;
    }

    /**
     * Runs one load. The answer holds {@code operations}, {@code timeline}, {@code pauses} and {@code hiccups} (both
     * with {@code second} within the load; a hiccup with the {@code process} that had it), {@code saturated}, what the
     * target used, and of the conductor's machine {@code steal_percent} and {@code busy_processors}.
     */
    public Figures load(LoadSettings settings, String name) {
        Path place = directory.resolve(String.format(Locale.ROOT, "%03d-%s", ++loads, name));
        target.ifPresent(process -> process.ask("begin", new Figures()));
        ProcessorTime before = ProcessorTime.read();
        Figures seen = generator.ask("load", settings.figures().put("directory", place.toAbsolutePath()));
        ProcessorTime after = ProcessorTime.read();
        Figures used = target.map(process -> process.ask("end", new Figures())).orElseGet(Figures::new);
        return together(settings, seen, used)
                .put("steal_percent", ProcessorTime.stealPercent(before, after))
                .put("busy_processors", ProcessorTime.busyProcessors(before, after))
                .put("directory", place.getFileName());
    }

    private static Figures together(LoadSettings settings, Figures seen, Figures used) {
        long start = seen.whole("start_nanos");
        List<Figures> hiccups = new ArrayList<>(hiccups("generator", seen));
        hiccups.addAll(hiccups("target", used));
        return new Figures()
                .put("rate_per_s", settings.plan().ratePerSecond())
                .putAll(used)
                .putAll(seen)
                .put("saturated", Saturation.of(seen))
                .put("pauses", within(used.rows("pauses"), start))
                .put("hiccups", within(hiccups, start));
    }

    private static List<Figures> hiccups(String process, Figures answer) {
        return answer.rows("hiccups").stream()
                .map(hiccup -> new Figures().put("process", process).putAll(hiccup))
                .toList();
    }

    /** Gives each span the second within the load at which it began; those before the load are left out. */
    private static List<Figures> within(List<Figures> spans, long start) {
        return spans.stream()
                .filter(span -> span.whole("start_nanos") >= start)
                .map(span -> new Figures()
                        .putAll(span)
                        .put("second", (span.whole("start_nanos") - start) / 1e9)
                        .put("start_nanos", null))
                .toList();
    }

    /**
     * Warms the target up with windows of a load until two in a row agree, or the time is over; returns what was done:
     * {@code seconds}, {@code converged}.
     */
    public Figures warmUp(LoadSettings settings, double windowSeconds, double maxSeconds) {
        WarmUp warmUp = new WarmUp(windowSeconds, maxSeconds);
        while (warmUp.goesOn()) {
            LoadPlan plan = settings.plan();
            LoadSettings window = settings.withPlan(
                            new LoadPlan(plan.ratePerSecond(), windowSeconds, plan.drainSeconds(), plan.pendingMax()))
                    .withSeed(settings.seed() + 1_000 + warmUp.windows());
            warmUp.add(load(window, "warm-up").rows("operations").getFirst());
        }
        return warmUp.figures();
    }
}
