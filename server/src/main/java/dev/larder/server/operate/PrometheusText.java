package dev.larder.server.operate;

import dev.larder.map.MapInfo;
import dev.larder.server.local.KeyspacePart;
import dev.larder.server.local.KeyspacePart.Figure;
import dev.larder.server.operate.Figures.Count;
import dev.larder.server.operate.Figures.Seen;
import dev.larder.server.session.KnownCommand;
import dev.larder.server.store.Store;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The figures of a server in the text format of Prometheus. Names begin with {@code larder_server_}, units are last. */
final class PrometheusText {

    private static final double SECOND_NANOS = 1e9;
    private static final double[] QUANTILES = {0.5, 0.99, 0.999};
    private static final int PERCENT = 100;

    private final Figures figures;
    private final StringBuilder text = new StringBuilder();

    PrometheusText(Figures figures) {
        this.figures = figures;
        addNode();
        addStores();
        addStripes();
        addCommands();
        addErrors();
    }

    private void head(String name, String type, String help) {
        text.append("# HELP larder_server_")
                .append(name)
                .append(' ')
                .append(help)
                .append('\n');
        text.append("# TYPE larder_server_")
                .append(name)
                .append(' ')
                .append(type)
                .append('\n');
    }

    private void value(String name, String labels, Number value) {
        text.append("larder_server_").append(name);
        if (!labels.isEmpty()) {
            text.append('{').append(labels).append('}');
        }
        text.append(' ').append(value).append('\n');
    }

    private void single(String name, String type, String help, Number value) {
        head(name, type, help);
        value(name, "", value);
    }

    private void addNode() {
        List<Seen> maps = figures.look();
        long upMillis = System.currentTimeMillis() - figures.node().startedMillis();
        single("uptime_seconds", "gauge", "time since the start", upMillis / 1000.0);
        single("clients", "gauge", "open connections", figures.node().sessions().size());
        single(
                "connections_total",
                "counter",
                "connections made",
                figures.node().connections());
        single(
                "connections_refused_total",
                "counter",
                "connections refused",
                figures.node().admission().refused());
        single("input_bytes_total", "counter", "bytes read from clients", figures.inputBytes());
        single("output_bytes_total", "counter", "bytes written to clients", figures.outputBytes());
        single("used_memory_bytes", "gauge", "records of strings, and indexes", figures.usedBytes(maps));
        single("heap_bytes", "gauge", "heap in use", Figures.heapBytes());
        single("resident_memory_bytes", "gauge", "resident memory", ProcessFigures.residentBytes());
        single("lookup_hits_total", "counter", "lookups that found a key", figures.sumSinceReset(maps, Count.HITS));
        single("lookup_misses_total", "counter", "lookups that found none", figures.sumSinceReset(maps, Count.MISSES));
        single("expired_keys_total", "counter", "keys that expired", figures.sumSinceReset(maps, Count.EXPIRED));
        single("evicted_keys_total", "counter", "keys that were evicted", figures.sumSinceReset(maps, Count.EVICTED));
        single(
                "checkpoints_total",
                "counter",
                "checkpoints by command",
                figures.checkpoints().count());
    }

    private void addStores() {
        head("keys", "gauge", "keys of a database");
        figures.storesByDatabase()
                .forEach((database, stores) -> value(
                        "keys",
                        "database=\"" + database + "\"",
                        stores.stream().mapToLong(Store::size).sum()));
        storeGauge(
                "file_bytes",
                "size of the files of a database",
                info -> info.space().fileBytes());
        storeGauge(
                "live_bytes",
                "records of the keys of a database",
                info -> info.space().liveBytes());
        storeGauge("index_bytes", "memory of the index of a database", MapInfo::indexBytes);
    }

    private void storeGauge(String name, String help, ToLongFunction<MapInfo> figure) {
        head(name, "gauge", help);
        figures.storesByDatabase()
                .forEach((database, stores) -> value(
                        name,
                        "database=\"" + database + "\"",
                        stores.stream().map(Store::info).mapToLong(figure).sum()));
    }

    private void addStripes() {
        List<KeyspacePart> parts = figures.data().parts().get();
        if (parts.isEmpty()) {
            return;
        }
        List<Figure> described = parts.getFirst().figures();
        for (int i = 0; i < described.size(); i++) {
            Figure figure = described.get(i);
            String name = "stripe_" + figure.name() + (figure.isCounter() ? "_total" : "");
            head(name, figure.isCounter() ? "counter" : "gauge", figure.help());
            for (KeyspacePart part : parts) {
                value(
                        name,
                        "stripe=\"" + part.number() + "\"",
                        part.figures().get(i).value());
            }
        }
    }

    private void addCommands() {
        List<KnownCommand> called = figures.node().commands().allKnown().stream()
                .filter(known -> known.calls().sum() + known.rejected().sum() > 0)
                .sorted(Comparator.comparing(known -> known.command().name()))
                .toList();
        commandCounter(
                called, "commands_total", "commands run", known -> known.calls().sum());
        commandCounter(
                called,
                "commands_failed_total",
                "commands whose reply is an error",
                known -> known.failed().sum());
        commandCounter(
                called,
                "commands_rejected_total",
                "commands that were not run",
                known -> known.rejected().sum());
        commandCounter(
                called,
                "commands_seconds_total",
                "time of commands",
                known -> known.nanos().sum() / SECOND_NANOS);
        head("command_seconds", "gauge", "quantiles of the time of commands");
        for (KnownCommand known : called) {
            for (double quantile : QUANTILES) {
                double seconds = known.times().percentileNanos(quantile * PERCENT) / SECOND_NANOS;
                value("command_seconds", label(known) + ",quantile=\"" + quantile + "\"", seconds);
            }
        }
    }

    private void commandCounter(
            List<KnownCommand> called, String name, String help, Function<KnownCommand, Number> count) {
        head(name, "counter", help);
        called.forEach(known -> value(name, label(known), count.apply(known)));
    }

    private static String label(KnownCommand known) {
        return "command=\"" + known.command().name() + "\"";
    }

    /**
     * Adds the errors by code. Codes may come from clients ({@code DEBUG ERROR}), so characters other than letters, digits and
     * {@code _} are replaced.
     */
    private void addErrors() {
        head("error_replies_total", "counter", "error replies by code");
        figures.observation()
                .errors()
                .forEach((code, count) ->
                        value("error_replies_total", "code=\"" + code.replaceAll("[^A-Za-z0-9_]", "_") + "\"", count));
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
