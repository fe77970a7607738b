package dev.larder.server.operate;

import dev.larder.resp.Command;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.operate.LatencyMonitor.Latest;
import dev.larder.server.operate.LatencyMonitor.Sample;
import dev.larder.server.session.KnownCommand;
import dev.larder.server.session.Session;
import dev.larder.server.session.SessionHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** {@code LATENCY} and its subcommands. */
final class LatencyCommands {

    private static final int ROWS = 4;
    private static final int COLUMNS = 80;
    private static final int MICRO_NANOS = 1000;

    private final LatencyMonitor monitor;

    LatencyCommands(LatencyMonitor monitor) {
        this.monitor = monitor;
    }

    Map<String, SessionHandler> all() {
        return Map.of(
                "latency|doctor", this::advise,
                "latency|graph", this::draw,
                "latency|histogram", LatencyCommands::distribution,
                "latency|history", this::history,
                "latency|latest", this::latest,
                "latency|reset", this::forget);
    }

    private void history(Session session, Request request) {
        List<Sample> samples = monitor.samples(request.text(2));
        session.reply().array(samples.size());
        samples.forEach(sample -> {
            session.reply().array(2);
            session.reply().integer(sample.second());
            session.reply().integer(sample.millis());
        });
    }

    private void latest(Session session, Request request) {
        List<Latest> all = monitor.latest(); // another client may reset kinds meanwhile
        session.reply().array(all.size());
        for (Latest one : all) {
            session.reply().array(4);
            session.reply().text(one.kind());
            session.reply().integer(one.last().second());
            session.reply().integer(one.last().millis());
            session.reply().integer(one.worst());
        }
    }

    private void forget(Session session, Request request) {
        List<String> kinds = new ArrayList<>();
        for (int i = 2; i < request.count(); i++) {
            kinds.add(request.text(i));
        }
        List<String> asked = kinds.isEmpty() ? monitor.kinds() : kinds;
        session.reply().integer(asked.stream().filter(monitor::forget).count());
    }

    private void draw(Session session, Request request) {
        String kind = request.text(2);
        List<Sample> samples = monitor.samples(kind);
        if (samples.isEmpty()) {
            throw new ReplyException("ERR No samples available for event '" + kind + "'");
        }
        long high = samples.stream().mapToLong(Sample::millis).max().orElse(0);
        long low = samples.stream().mapToLong(Sample::millis).min().orElse(0);
        StringBuilder text = new StringBuilder(kind + " - high " + high + " ms, low " + low + " ms (all time high "
                + monitor.worst(kind) + " ms)\n" + "-".repeat(COLUMNS) + "\n");
        List<Sample> shown = samples.subList(Math.max(0, samples.size() - COLUMNS), samples.size());
        for (int row = ROWS; row > 0; row--) {
            for (Sample sample : shown) {
                text.append(height(sample.millis(), low, high) >= row ? '#' : ' ');
            }
            text.append('\n');
        }
        session.reply().verbatim("txt", text.toString());
    }

    private static long height(long millis, long low, long high) {
        return high == low ? 1 : 1 + (millis - low) * (ROWS - 1) / (high - low);
    }

    private void advise(Session session, Request request) {
        StringBuilder text = new StringBuilder();
        if (!monitor.isOn()) {
            text.append("The latency monitor is off. Set latency-monitor-threshold to a number of milliseconds.\n");
        } else if (monitor.kinds().isEmpty()) {
            text.append("Nothing took longer than the threshold.\n");
        }
        for (String kind : monitor.kinds()) {
            List<Sample> samples = monitor.samples(kind);
            double mean = samples.stream().mapToLong(Sample::millis).average().orElse(0);
            text.append(String.format(
                    Locale.ROOT,
                    "%s: %d latency spikes (average %.0f ms, worst %d ms). SLOWLOG GET names slow commands; SLOWLOG and"
                            + " a flight recording (dev.larder.SlowCommand) name their clients.%n",
                    kind,
                    samples.size(),
                    mean,
                    monitor.worst(kind)));
        }
        session.reply().verbatim("txt", text.toString());
    }

    /** Replies how many calls took at most a number of microseconds, for each of some commands that were called. */
    private static void distribution(Session session, Request request) {
        Map<String, KnownCommand> called = new TreeMap<>();
        if (request.count() == 2) {
            session.node().commands().allKnown().forEach(known -> addIfCalled(known, called));
        }
        for (int i = 2; i < request.count(); i++) {
            Command command = session.node().commands().find(request.text(i).toLowerCase(Locale.ROOT));
            if (command != null) {
                addIfCalled(session.node().commands().known(command), called);
                command.subcommands()
                        .forEach(child -> addIfCalled(session.node().commands().known(child), called));
            }
        }
        session.reply().map(called.size());
        called.forEach((name, known) -> {
            session.reply().text(name);
            reply(session.reply(), known);
        });
    }

    private static void addIfCalled(@Nullable KnownCommand known, Map<String, KnownCommand> called) {
        if (known != null && known.times().count() > 0) {
            called.put(known.command().name(), known);
        }
    }

    private static void reply(ReplyEncoder reply, KnownCommand known) {
        TreeMap<Long, Long> counts = new TreeMap<>();
        long[] sum = {0};
        known.times().forEach((most, count) -> {
            sum[0] += count;
            counts.put(powerOfTwo(most / MICRO_NANOS), sum[0]);
        });
        reply.map(2);
        reply.text("calls");
        reply.integer(sum[0]);
        reply.text("histogram_usec");
        reply.map(counts.size());
        counts.forEach((micros, count) -> {
            reply.integer(micros);
            reply.integer(count);
        });
    }

    private static long powerOfTwo(long micros) {
        return micros <= 1 ? 1 : Long.highestOneBit(micros - 1) << 1;
    }
}
