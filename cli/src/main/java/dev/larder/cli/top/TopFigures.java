package dev.larder.cli.top;

import dev.larder.cli.Figures;
import dev.larder.cli.output.RecordOutput;
import dev.larder.log.LogCounter;
import dev.larder.map.StoredMapInfo;
import dev.larder.queue.TailerInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The figures that {@code larder top} shows of a log and of a process; null if the system does not report one. */
final class TopFigures {

    private TopFigures() {}

    static Figures ofLog(Path folder, LogWatch.Change change) {
        LogLook now = change.now();
        LogLook before = change.before();
        return new Figures()
                .put("log", name(folder, now.directory()))
                .put("integrity", now.info().integrity().name().toLowerCase(java.util.Locale.ROOT))
                .put("first_position", now.info().firstPosition())
                .put("end_position", now.info().endPosition())
                .put("durable_position", now.info().durablePosition())
                .put("bytes", now.info().bytes())
                .put("resident_bytes", orNull(now.resident()))
                .put("node_resident_bytes", now.nodes().isEmpty() ? null : now.nodes())
                .put("appends_per_second", now.rate(LogCounter.APPENDS, before))
                .put("bytes_per_second", now.rate(LogCounter.APPENDED_BYTES, before))
                .put("syncs_per_second", now.rate(LogCounter.SYNCS, before))
                .put("sync_ms", syncMillis(now, before))
                .put("unsynced_bytes", now.unsyncedBytes())
                .put("sync_age_seconds", change.syncAgeSeconds())
                .put("stalls", now.counters().get(LogCounter.STALLS))
                .put("registered", orNull(now.registered()))
                .put("map", now.map().map(TopFigures::ofMap).orElse(null))
                .put(
                        "tailer_lag_messages",
                        orNull(now.slowest().map(TailerInfo::lagMessages).orElse(OptionalLong.empty())))
                .put("tailer_lag_bytes", now.slowest().map(TailerInfo::lagBytes).orElse(null))
                .put(
                        "tailers",
                        now.tailers().stream().map(RecordOutput::figures).toList())
                .put(
                        "segments",
                        now.segments().stream().map(TopFigures::ofSegment).toList());
    }

    /** Returns the figures of a map: current ones if processes have the map open, else those of the last checkpoint. */
    private static Figures ofMap(StoredMapInfo map) {
        return new Figures()
                .put("entries", orNull(map.entries()))
                .put("index_bytes", orNull(map.indexBytes()))
                .put("live_bytes", orNull(map.liveBytes()))
                .put("current", map.current())
                .put("hits", orNull(map.hits()))
                .put("misses", orNull(map.misses()))
                .put("evicted", orNull(map.evicted()))
                .put("expired", orNull(map.expired()))
                .put("checkpoint_position", map.checkpointPosition())
                .put("since_checkpoint_bytes", map.sinceCheckpointBytes());
    }

    private static Figures ofSegment(LogLook.Segment segment) {
        return new Figures()
                .put("number", segment.number())
                .put("bytes", segment.bytes())
                .put("resident_bytes", orNull(segment.resident()));
    }

    /** Returns the average time of a flush since the look before; null without a flush. */
    private static @Nullable Double syncMillis(LogLook now, LogLook before) {
        double syncs = now.rate(LogCounter.SYNCS, before);
        return syncs == 0 ? null : now.rate(LogCounter.SYNC_NANOS, before) / syncs / 1e6;
    }

    static Figures ofProcess(Path folder, ProcessLook now, @Nullable ProcessLook before) {
        OptionalDouble paused = now.pausedSeconds();
        OptionalDouble earlier = before == null ? OptionalDouble.empty() : before.pausedSeconds();
        boolean both = paused.isPresent() && earlier.isPresent();
        return new Figures()
                .put("pid", now.pid())
                .put("command", now.command())
                .put("virtual_bytes", now.virtualBytes())
                .put("resident_bytes", now.residentBytes())
                .put("paused_ms", paused.isPresent() ? paused.getAsDouble() * 1000 : null)
                .put("paused_since_ms", both ? (paused.getAsDouble() - earlier.getAsDouble()) * 1000 : null)
                .put("logs", now.logs().stream().map(log -> name(folder, log)).toList());
    }

    private static String name(Path folder, Path log) {
        try {
            String name = folder.toRealPath().relativize(log).toString();
            return name.isEmpty() ? "." : name;
        } catch (IOException e) {
            return log.toString();
        }
    }

    private static @Nullable Long orNull(OptionalLong value) {
        return value.isPresent() ? value.getAsLong() : null;
    }
}
