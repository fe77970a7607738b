package dev.larder.lab.load;

import dev.larder.lab.result.Figures;
import dev.larder.lab.result.LabException;
import java.nio.file.Path;

/** Workloads and arrivals by name, as a conductor tells them to a generator. */
final class Workloads {

    private Workloads() {}

    /** Returns the workload that {@code {"workload": "keys", "keys": N, "writes_percent": P}} stands for. */
    static Workload workload(Figures settings, long seed) {
        String name = settings.text("workload");
        return switch (name) {
            case "keys" -> new KeyWorkload(settings.whole("keys"), settings.number("writes_percent"), seed);
            default -> throw new LabException("no workload '" + name + "'; there is: keys");
        };
    }

    /** Returns the arrivals that {@code {"arrivals": "poisson", "rate_per_s": R}} stands for. */
    static Arrivals arrivals(Figures settings, long seed) {
        String name = settings.text("arrivals");
        double rate = settings.number("rate_per_s");
        return switch (ArrivalKind.named(name)) {
            case POISSON -> new PoissonArrivals(rate, seed);
            case CONSTANT -> new ConstantArrivals(rate);
            case REPLAY -> new ReplayArrivals(Path.of(settings.text("replay")), 1);
        };
    }
}
