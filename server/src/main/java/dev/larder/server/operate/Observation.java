package dev.larder.server.operate;

import dev.larder.log.FlightEvents;
import dev.larder.resp.CommandFlag;
import dev.larder.resp.Request;
import dev.larder.server.access.AccessLog;
import dev.larder.server.config.Settings;
import dev.larder.server.session.ClientLine;
import dev.larder.server.session.CommandListener;
import dev.larder.server.session.KnownCommand;
import dev.larder.server.session.Session;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Records the times, the errors and the refusals of the commands of all sessions. Thread-safe. */
final class Observation implements CommandListener {

    /** How many error codes are counted: a client cannot have more kept. */
    private static final int ERRORS_MAX = 128;

    private final SlowLog slowLog;
    private final LatencyMonitor latency;
    private final AccessLog accessLog = new AccessLog();
    private final Map<String, LongAdder> errors = new ConcurrentHashMap<>();
    private final LongAdder allErrors = new LongAdder();
    private volatile boolean tracks;

    Observation(Settings settings) {
        slowLog = new SlowLog(settings);
        latency = new LatencyMonitor(settings);
        settings.onChange("latency-tracking", value -> tracks = value.equals("yes"));
        settings.onChange("acllog-max-len", value -> accessLog.setMost(Integer.parseInt(value)));
    }

    SlowLog slowLog() {
        return slowLog;
    }

    LatencyMonitor latency() {
        return latency;
    }

    AccessLog accessLog() {
        return accessLog;
    }

    @Override
    public void ran(Session session, KnownCommand known, Request request, long nanos) {
        if (tracks) {
            known.times().add(nanos);
        }
        if (slowLog.takes(nanos) && !known.command().is(CommandFlag.SKIP_SLOWLOG)) {
            slowLog.add(session, request, nanos);
            FlightEvents.ifRecorded(SlowCommandEvent::new).ifPresent(event -> {
                event.command = known.command().name();
                event.client = session.link().remoteAddress();
                event.time = nanos;
                event.commit();
            });
        }
        if (latency.takes(nanos)) {
            latency.add(known.command().is(CommandFlag.FAST) ? "fast-command" : "command", nanos);
        }
    }

    @Override
    public void failed(String line) {
        allErrors.increment();
        int end = line.indexOf(' ');
        String code = end < 0 ? line : line.substring(0, end);
        LongAdder count = errors.get(code);
        if (count == null && errors.size() < ERRORS_MAX) {
            count = errors.computeIfAbsent(code, key -> new LongAdder());
        }
        if (count != null) {
            count.increment();
        }
    }

    @Override
    public void denied(Session session, String reason, String object, String user, boolean withinTransaction) {
        accessLog.add(new AccessLog.Entry(
                1,
                reason,
                withinTransaction ? "multi" : "toplevel",
                object,
                user,
                System.currentTimeMillis(),
                ClientLine.of(session)));
    }

    long allErrors() {
        return allErrors.sum();
    }

    Map<String, Long> errors() {
        Map<String, Long> counts = new TreeMap<>();
        errors.forEach((code, count) -> counts.put(code, count.sum()));
        return counts;
    }

    void resetCounts() {
        errors.clear();
        allErrors.reset();
    }
}
