package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.codec.ValueCodec;
import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.format.KeyHash;
import dev.larder.map.format.Placement;
import dev.larder.map.shared.MapFile;
import dev.larder.memory.Storage;
import dev.larder.memory.doubles.DelegatingStorage;
import dev.larder.memory.doubles.PowerLossStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * A map that is changed, synced, copied and cleaned, and whose power fails between changes and at named steps of them. The
 * content found afterwards must be the content after some change, not before the last synced one. Cleaning must not change it.
 */
final class PowerLossRun {

    /** What a run does besides puts and removals of single keys, and loads. */
    enum Kind {
        /** Nothing else. */
        PLAIN,
        /** Keys of one group of the index are added, so that their page splits, and removed, so that it merges again. */
        CROWDED,
        /** Entries expire. */
        EXPIRING
    }

    private static final Path MAP = Path.of("/", "map");
    private static final int KEYS = 1500;
    private static final int CHANGES = 4000;
    private static final int CROWD = 600;

    /** How often the run tries to merge pages of the index. Which pages merge follows from the map's seed. */
    private static final int MERGES_AWAITED_ROUNDS = 5;

    private static final int LOADED_MOST = 40; // less than a loader flushes by itself
    private static final int FINDINGS_MOST = 3;
    private static final long LIFETIME_MILLIS = 1_000_000;
    private static final long BEGIN_MILLIS = 1_700_000_000_000L;

    private final IntegrityMode integrity;
    private final Kind kind;
    private final boolean goingOn;
    private final SplittableRandom random;
    private final PowerLossStorage power;
    private final LyingStorage storage;
    private final ChangeHistory history = new ChangeHistory();
    private final List<Throwable> findings = new ArrayList<>();
    private final List<Long> keys =
            new ArrayList<>(LongStream.range(0, KEYS).boxed().toList());
    private List<Long> crowd = List.of();
    private final AtomicLong clockMillis = new AtomicLong(BEGIN_MILLIS);
    private int images;
    private int splits;
    private int merges;

    private PowerLossRun(
            PowerLossStorage power,
            IntegrityMode integrity,
            Kind kind,
            long seed,
            boolean goingOn,
            Function<Storage, LyingStorage> lie) {
        this.power = power;
        this.integrity = integrity;
        this.kind = kind;
        this.goingOn = goingOn;
        this.random = new SplittableRandom(seed);
        this.storage = lie.apply(new OwnTime(power));
    }

    /** Runs to the end; fails at the first image that is wrong. */
    static PowerLossRun honest(IntegrityMode integrity, Kind kind, long seed) {
        return run(integrity, kind, seed, false, LyingStorage::new);
    }

    /** Runs to the end on a storage that may lie, and records the findings. */
    static PowerLossRun lying(IntegrityMode integrity, Kind kind, long seed, Function<Storage, LyingStorage> lie) {
        return run(integrity, kind, seed, true, lie);
    }

    private static PowerLossRun run(
            IntegrityMode integrity, Kind kind, long seed, boolean goingOn, Function<Storage, LyingStorage> lie) {
        try (PowerLossStorage power = new PowerLossStorage(seed)) {
            PowerLossRun run = new PowerLossRun(power, integrity, kind, seed, goingOn, lie);
            run.change();
            return run;
        }
    }

    /** Returns how often the power failed. */
    int images() {
        return images;
    }

    /** Returns how often a page of the index was split. */
    int splits() {
        return splits;
    }

    /** Returns how often two pages were merged. */
    int merges() {
        return merges;
    }

    /** Returns what was wrong, and in which images. */
    List<Throwable> findings() {
        return findings;
    }

    /** A storage with the clock of the run, which advances only between changes. */
    private final class OwnTime extends DelegatingStorage {

        OwnTime(Storage storage) {
            super(storage);
        }

        @Override
        public long currentTimeMillis() {
            return clockMillis.get();
        }
    }

    private LogOptions options(Storage of) {
        return HookedOptions.withStorage(LogOptions.defaults(), of)
                .withIntegrity(integrity)
                .withLargestSegmentBytes(2L << 20)
                .withPrepareBytes(0)
                .withSync(SyncPolicy.none());
    }

    private LarderMap<Long, byte[]> open(LogOptions options) {
        Lifetime lifetime =
                kind == Kind.EXPIRING ? Lifetime.sinceWrite(Duration.ofMillis(LIFETIME_MILLIS)) : Lifetime.endless();
        return LarderMap.open(
                MAP,
                ValueCodec.longs(),
                ValueCodec.bytes(),
                MapOptions.defaults()
                        .withLog(options)
                        .withLifetime(lifetime)
                        .withCleaning(Cleaning.defaults().withBackground(false)));
    }

    private void change() {
        try (LarderMap<Long, byte[]> map = open(HookedOptions.withFailpoints(options(storage), this::reached))) {
            changeSome(map, CHANGES / 4);
            if (kind == Kind.CROWDED) {
                come(map);
                changeSome(map, 3 * CHANGES / 4);
                go(map);
            }
            changeSome(map, CHANGES);
            map.compact();
        }
        history.sync(); // the map was closed, and its checkpoint has synced the log
        lose();
    }

    private void changeSome(LarderMap<Long, byte[]> map, int until) {
        while (history.size() < until) {
            clockMillis.addAndGet(random.nextInt(1000));
            changeOnce(map, key());
            switch (random.nextInt(1500)) {
                case 0, 1 -> {
                    map.sync();
                    history.sync();
                }
                case 2 -> map.checkpoint();
                case 3, 4 -> map.compact();
                case 5 -> power.writeBackSome(0.5);
                case 6 -> lose();
                case 7, 8, 9 ->
                    load(
                            map,
                            LongStream.generate(this::key)
                                    .limit(LOADED_MOST)
                                    .boxed()
                                    .toList());
                default -> {}
            }
        }
    }

    private long key() {
        boolean ofCrowd = !crowd.isEmpty() && random.nextInt(8) == 0;
        return ofCrowd ? crowd.get(random.nextInt(crowd.size())) : random.nextInt(KEYS);
    }

    private void changeOnce(LarderMap<Long, byte[]> map, long key) {
        if (random.nextInt(6) == 0) {
            remove(map, key);
        } else if (kind == Kind.EXPIRING && random.nextBoolean()) {
            long lifetime = 1 + random.nextLong(2 * LIFETIME_MILLIS);
            map.set(
                    key,
                    DerivedValue.of(key, history.put(key, clockMillis.get() + lifetime)),
                    Duration.ofMillis(lifetime));
        } else {
            map.put(key, DerivedValue.of(key, history.put(key, deadline())));
        }
    }

    private long deadline() {
        return kind == Kind.EXPIRING ? clockMillis.get() + LIFETIME_MILLIS : ChangeHistory.NEVER;
    }

    private void remove(LarderMap<Long, byte[]> map, long key) {
        history.remove(key);
        map.remove(key);
    }

    /** Staged entries count as changes from the flush on. If one is lost with the power, so are all entries behind it. */
    private void load(LarderMap<Long, byte[]> map, List<Long> loaded) {
        try (MapLoader<Long, byte[]> loader = map.loader()) {
            int version = history.size();
            for (long key : loaded) {
                version++;
                loader.put(key, DerivedValue.of(key, version));
            }
            loaded.forEach(key -> history.put(key, deadline()));
            loader.flush();
        }
    }

    private void come(LarderMap<Long, byte[]> map) {
        crowd = crowd(MapFile.read(MAP, power).seed());
        keys.addAll(crowd);
        for (int from = 0; from < CROWD; from += LOADED_MOST) {
            load(map, crowd.subList(from, from + LOADED_MOST));
        }
        map.checkpoint();
    }

    private void go(LarderMap<Long, byte[]> map) {
        crowd.forEach(key -> remove(map, key));
        crowd = List.of();
        for (int round = 0; merges == 0 && round < MERGES_AWAITED_ROUNDS; round++) {
            changeSome(map, history.size() + KEYS); // so that the segment of the removals ends
            map.compact();
        }
        map.checkpoint();
    }

    /** Returns more keys than one group of a page has room for, of the partition with most keys. */
    private static List<Long> crowd(long seed) {
        return LongStream.iterate(KEYS, key -> key + 1)
                .filter(key -> isOfCrowd(KeyHash.ofWord(key, seed)))
                .limit(CROWD)
                .boxed()
                .toList();
    }

    private static boolean isOfCrowd(long hash) {
        return Placement.partition(hash) == Placement.PARTITIONS - 1 && Placement.group(hash) == 0;
    }

    private void reached(String step) {
        storage.reached(step);
        switch (step) {
            case "clean.synced" -> history.sync();
            case "index.flipped" -> splits++;
            case "index.merged" -> merges++;
            default -> {}
        }
        if (isToLoseAt(step)) {
            lose();
        }
    }

    private boolean isToLoseAt(String step) {
        int oneIn = switch (step) {
            case "clean.scanned", "clean.synced", "clean.dropped", "clean.freed" -> 8;
            case "drop.moved", "drop.durable", "drop.renamed", "drop.freed" -> 8;
            case "map.batched" -> 8;
            case "map.claimed", "map.filled", "map.linked", "map.committed" -> 4000;
            default -> oneInOf(step);
        };
        return oneIn > 0 && random.nextInt(oneIn) == 0;
    }

    private static int oneInOf(String step) {
        if (step.startsWith("checkpoint.")) {
            return 1;
        }
        return step.startsWith("index.") ? 8 : step.startsWith("clean.") ? 2000 : 0;
    }

    private void lose() {
        if (findings.size() == FINDINGS_MOST) {
            return;
        }
        images++;
        try (PowerLossStorage image = power.image(random)) {
            check(image);
        } catch (AssertionError | RuntimeException e) {
            if (!goingOn) {
                throw e;
            }
            findings.add(e);
        }
    }

    private void check(PowerLossStorage image) {
        long now = clockMillis.get();
        int seen = seenReadOnly(image, now);
        try (LarderMap<Long, byte[]> map = open(options(new OwnTime(image)))) {
            int changes = history.requireOneOfThose(versions(map), now);
            history.requireSame(versions(map), seen, now);
            map.compact(); // the map continues from there
            history.requireSame(versions(map), changes, now);
        }
    }

    /** Returns how many changes a read-only opening shows before anything is mended; the next opening must show the same. */
    private int seenReadOnly(PowerLossStorage image, long now) {
        try (LarderMap<Long, byte[]> map = open(options(new OwnTime(image)).withReadOnly(true))) {
            return history.requireOneOfThose(versions(map), now);
        }
    }

    /** Returns the version of each key that has a value, found in one of several ways. Every byte is checked. */
    private Map<Long, Integer> versions(LarderMap<Long, byte[]> map) {
        Map<Long, Integer> versions = new HashMap<>();
        switch (random.nextInt(4)) {
            case 0 -> map.forEach((key, value) -> note(versions, key, value));
            case 1 -> map.getAll(keys).forEach((key, value) -> note(versions, key, value));
            default -> {
                for (long key : keys) {
                    byte[] value = map.get(key);
                    if (value != null) {
                        note(versions, key, value);
                    }
                }
            }
        }
        return versions;
    }

    private static void note(Map<Long, Integer> versions, long key, byte[] value) {
        assertThat(versions.put(key, DerivedValue.version(key, value)))
                .as("key %s comes once", key)
                .isNull();
    }
}
