package dev.larder.lab.load;

import dev.larder.cli.Figures;
import dev.larder.lab.result.LabException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Workloads and arrivals by name, as a conductor tells them to a generator. */
final class Workloads {

    private final Map<String, Workload.Factory> factories = new TreeMap<>(Map.of("keys", Workloads::keys));

    /** The one that every generator knows: {@code {"workload": "keys", "keys": N, "writes_percent": P}}. */
    Workloads() {}

    private static Workload keys(Figures settings, long seed) {
        return new KeyWorkload(settings.whole("keys"), settings.number("writes_percent"), seed);
    }

    void add(String name, Workload.Factory factory) {
        factories.put(name, factory);
    }

    /** Returns the workload that {@code {"workload": NAME, ...}} stands for. */
    Workload workload(Figures settings, long seed) {
        String name = settings.text("workload");
        Workload.Factory factory = factories.get(name);
        if (factory == null) {
            throw new LabException("no workload '" + name + "'; there are: " + String.join(", ", factories.keySet()));
        }
        return factory.open(settings, seed);
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
