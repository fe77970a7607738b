package dev.larder.micrometer;

import dev.larder.map.LarderMap;
import dev.larder.map.MapInfo;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.lang.ref.WeakReference;
import java.util.List;

/**
 * The meters of a {@link LarderMap}. Their names begin with {@code larder.map}. Hits and misses count only if the map was
 * opened with {@link dev.larder.map.MapOptions#counted}.
 */
public final class MapMetrics extends LarderMetrics {

    private final WeakReference<LarderMap<?, ?>> map;

    /** Metrics of a map that is open. */
    public MapMetrics(LarderMap<?, ?> map) {
        this(map, List.of());
    }

    /** Metrics with further tags. */
    public MapMetrics(LarderMap<?, ?> map, Iterable<Tag> tags) {
        super(map.info().log().directory(), tags);
        this.map = new WeakReference<>(map);
    }

    @Override
    MeterSet<?, ?> register(MeterRegistry registry, Tags all) {
        Snapshots<LarderMap<?, ?>, MapInfo> snapshots =
                new Snapshots<>(of(map), LarderMap::info, registry.config().clock());
        return new MeterSet<>(registry, "larder.map.", all, snapshots)
                .gauge("entries", "entries", MapInfo::entries)
                .gauge(
                        "processes",
                        "processes that have the map open",
                        now -> now.processes().size())
                .gauge("index.bytes", "memory of the index", MapInfo::indexBytes)
                .gauge(
                        "cold.key.bytes",
                        "memory of this process that holds keys of cold entries",
                        MapInfo::coldKeyBytes)
                .gauge("segments", "segment files", now -> now.log().segments())
                .gauge("file.bytes", "size of the files", now -> now.space().fileBytes())
                .gauge(
                        "live.bytes",
                        "records of the entries",
                        now -> now.space().liveBytes())
                .gauge(
                        "dead.bytes",
                        "the other used bytes of the files",
                        now -> now.space().deadBytes())
                .gauge(
                        "write.amplification",
                        "bytes written for each byte that a caller wrote",
                        now -> now.space().writeAmplification())
                .gauge(
                        "cleaner.failed",
                        "1 if the cleaner failed when it ran last",
                        now -> now.space().failure().isPresent() ? 1 : 0)
                .counter("hits", "lookups that found an entry", MapInfo::hits)
                .counter("misses", "lookups that found none", MapInfo::misses)
                .counter(
                        "evicted",
                        "entries that were evicted",
                        now -> now.space().evicted())
                .counter(
                        "expired",
                        "expired entries that the cleaner found",
                        now -> now.space().expired())
                .counter(
                        "cleaned.bytes",
                        "segments that the cleaner dropped",
                        now -> now.space().cleanedBytes())
                .counter(
                        "carried.bytes",
                        "live records that the cleaner moved",
                        now -> now.space().carriedBytes());
    }
}
