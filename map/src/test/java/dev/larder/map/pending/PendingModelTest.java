package dev.larder.map.pending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.Cleaning;
import dev.larder.map.LarderMap;
import dev.larder.map.MapOptions;
import dev.larder.memory.Storage;
import dev.larder.memory.doubles.PowerLossStorage;
import dev.larder.tests.support.Effort;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A member of a replicated log whose large values lie in its map alone. Entries are appended, applied later, kept and purged,
 * while the cleaner works and the power fails. After each failure the map is what its kept moment says. Each entry that was
 * synced and not purged has its values, and applying the entries again leads to the former content.
 */
@Timeout(300)
final class PendingModelTest {

    private static final Path MAP = Path.of("/", "map");
    private static final int KEYS = 60;
    private static final int PARTS_MAX = 4;

    private static MapOptions options(Storage storage, long point) {
        LogOptions log = HookedOptions.withStorage(LogOptions.defaults(), storage)
                .withLargestSegmentBytes(2L << 20)
                .withPrepareBytes(0)
                .withSync(SyncPolicy.none());
        return PendingValues.in(MapOptions.defaults()
                .withLog(log)
                .withCleaning(Cleaning.defaults().withBackground(false))
                .withRestorePoint(OptionalLong.of(point)));
    }

    private static LarderMap<Long, byte[]> open(Storage storage, long point) {
        return LarderMap.open(MAP, ValueCodec.longs(), ValueCodec.bytes(), options(storage, point));
    }

    /** One change of an entry: a large value, a small one, or a removal. */
    private record Change(long key, MemorySegment value, boolean large) {

        boolean isRemoval() {
            return value.byteSize() == 0;
        }
    }

    /** An entry of the replicated log, and where its values lie, or -1 where it has no large ones. */
    private record Entry(long term, long index, List<Change> changes, long position) {}

    /** A member with a map, and the state of its replicated log and its kept moment. */
    private static final class Member {

        private final SplittableRandom random;
        private final TreeMap<Long, Entry> log = new TreeMap<>();
        private Map<Long, String> content = new HashMap<>();
        private Map<Long, String> kept = Map.of();
        private long term = 1;
        private long applied;
        private long keptIndex;
        private long synced;
        private long point;
        private long floor;

        Member(long seed) {
            this.random = new SplittableRandom(seed);
        }

        Member(Member of, SplittableRandom random) {
            this.random = random;
            of.log.headMap(of.synced, true).forEach(log::put);
            this.kept = of.kept;
            this.content = new HashMap<>(of.kept);
            this.term = of.term + 1;
            this.applied = of.keptIndex;
            this.keptIndex = of.keptIndex;
            this.synced = of.synced;
            this.point = of.point;
            this.floor = of.floor;
        }

        private long last() {
            return log.isEmpty() ? applied : log.lastKey();
        }

        private Change change() {
            long key = random.nextInt(KEYS);
            int kind = random.nextInt(10);
            byte[] value = new byte[kind == 0 ? 0 : kind < 4 ? 1 + random.nextInt(200) : 1024 + random.nextInt(50_000)];
            random.nextBytes(value);
            return new Change(key, MemorySegment.ofArray(value), value.length >= 1024);
        }

        void append(PendingValues pending) {
            List<Change> changes = new ArrayList<>();
            for (int i = 0; i <= random.nextInt(PARTS_MAX); i++) {
                changes.add(change());
            }
            List<PendingValues.Part> parts = changes.stream()
                    .filter(Change::large)
                    .map(change -> new PendingValues.Part(bytes(change.key), change.value))
                    .toList();
            long index = last() + 1;
            long position = parts.isEmpty() ? -1 : pending.append(term, index, parts);
            log.put(index, new Entry(term, index, changes, position));
        }

        /** Entries of another leader may replace entries that are not applied. Synced entries have not been acknowledged here. */
        void truncate() {
            long from = applied + 1 + random.nextInt(3);
            log.tailMap(from, true).clear();
            synced = Math.min(synced, last());
            term++;
        }

        void apply(LarderMap<Long, byte[]> map, PendingValues pending) {
            Entry next = log.get(applied + 1);
            if (next != null) {
                int part = 0;
                for (Change change : next.changes()) {
                    apply(map, pending, next, change, part);
                    part += change.large() ? 1 : 0;
                }
                applied++;
            }
        }

        private void apply(LarderMap<Long, byte[]> map, PendingValues pending, Entry entry, Change change, int part) {
            if (change.isRemoval()) {
                map.remove(change.key());
                content.remove(change.key());
            } else if (change.large()) {
                pending.put(entry.position(), part, Optional.empty());
                content.put(change.key(), text(change.value()));
            } else {
                map.set(change.key(), change.value().toArray(ValueLayout.JAVA_BYTE));
                content.put(change.key(), text(change.value()));
            }
        }

        void keep(LarderMap<Long, byte[]> map) {
            point = map.restorePoint();
            synced = last();
            keptIndex = applied;
            kept = Map.copyOf(content);
            map.keepFrom(point);
        }

        /** Purges entries that are kept, so that the space of their values may be freed. */
        void purge(PendingValues pending) {
            if (keptIndex > 0) {
                log.headMap(keptIndex - random.nextInt(5), true).clear();
            }
            long lowest = log.values().stream()
                    .mapToLong(Entry::position)
                    .filter(position -> position >= 0)
                    .min()
                    .orElse(pending.end());
            floor = Math.min(
                    lowest, point); // records behind it may be lost, and others may then come to their positions
            pending.raiseFloor(lowest);
        }

        /** Looks up the positions of all entries anew. */
        void find(PendingValues pending) {
            Map<String, Long> found = new HashMap<>();
            pending.scan(floor, record -> found.put(record.term() + " " + record.index(), record.position()));
            log.replaceAll((index, entry) -> {
                Long position = found.get(entry.term() + " " + index);
                assertThat(position == null).isEqualTo(entry.position() < 0);
                return new Entry(entry.term(), index, entry.changes(), position == null ? -1 : position);
            });
            log.values().forEach(entry -> requireValues(pending, entry));
            pending.raiseFloor(floor);
        }

        /** Checks the values that a member which lacks the entry would receive. */
        private static void requireValues(PendingValues pending, Entry entry) {
            if (entry.position() >= 0) {
                List<Change> large =
                        entry.changes().stream().filter(Change::large).toList();
                pending.<Object>read(entry.position(), record -> {
                    assertThat(record.index()).isEqualTo(entry.index());
                    assertThat(record.count()).isEqualTo(large.size());
                    for (int part = 0; part < large.size(); part++) {
                        assertThat(record.key(part)
                                        .mismatch(bytes(large.get(part).key())))
                                .isEqualTo(-1);
                        assertThat(record.value(part).mismatch(large.get(part).value()))
                                .isEqualTo(-1);
                    }
                    return true;
                });
            }
        }

        void requireContent(LarderMap<Long, byte[]> map) {
            Map<Long, String> all = new HashMap<>();
            map.forEach((key, value) -> all.put(key, text(value)));
            assertThat(all).isEqualTo(content);
            for (long key = 0; key < KEYS; key++) {
                byte[] value = map.get(key);
                assertThat(value == null ? null : text(value)).isEqualTo(content.get(key));
            }
        }

        void step(LarderMap<Long, byte[]> map, PendingValues pending) {
            switch (random.nextInt(40)) {
                case 0 -> keep(map);
                case 1 -> purge(pending);
                case 2 -> map.compact();
                case 3 -> map.checkpoint();
                case 4 -> truncate();
                case 5 -> {
                    map.sync();
                    synced = last();
                }
                case 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21 -> append(pending);
                default -> apply(map, pending);
            }
        }
    }

    private static MemorySegment bytes(long key) {
        byte[] bytes = new byte[Long.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(key);
        return MemorySegment.ofArray(bytes);
    }

    private static String text(MemorySegment value) {
        return text(value.toArray(ValueLayout.JAVA_BYTE));
    }

    /** Returns a short text of a value, which is enough to recognize a wrong value. */
    private static String text(byte[] value) {
        return value.length + " " + Arrays.hashCode(value);
    }

    @Test
    void whateverFailsEachEntryHasItsValues() {
        int seeds = Effort.of(2, 5, 200);
        for (long seed = 1; seed <= seeds; seed++) {
            try {
                run(seed);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e, e);
            }
        }
    }

    private static void run(long seed) {
        Member member = new Member(seed);
        SplittableRandom random = new SplittableRandom(-seed);
        try (PowerLossStorage power = new PowerLossStorage(seed);
                LarderMap<Long, byte[]> map = open(power, 0)) {
            PendingValues pending = PendingValues.of(map);
            pending.raiseFloor(0);
            for (int step = 0; step < 800; step++) {
                member.step(map, pending);
                if (random.nextInt(300) == 0) {
                    power.writeBackSome(random.nextDouble());
                    requireAfterLoss(power, member, random, 2);
                }
                if (random.nextInt(100) == 0) {
                    member.requireContent(map);
                }
            }
            member.requireContent(map);
            assertThat(map.info().space().cleanedBytes()).isPositive();
        }
    }

    /** Checks what a restart after a loss of power finds, and one after another loss. */
    private static void requireAfterLoss(PowerLossStorage power, Member member, SplittableRandom random, int losses) {
        try (PowerLossStorage image = power.image(random);
                LarderMap<Long, byte[]> map = open(image, member.point)) {
            Member again = new Member(member, random.split());
            again.requireContent(map);
            PendingValues pending = PendingValues.of(map);
            again.find(pending);
            for (int step = 0; step < 100; step++) {
                again.step(map, pending);
            }
            again.requireContent(map);
            if (losses > 1) {
                requireAfterLoss(image, again, random, losses - 1);
            }
        }
    }
}
