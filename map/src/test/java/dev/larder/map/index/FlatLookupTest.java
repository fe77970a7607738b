package dev.larder.map.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.Log;
import dev.larder.log.LogOptions;
import dev.larder.log.Position;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.random.LogRecords;
import dev.larder.map.TestIndex;
import dev.larder.map.TestMaps;
import dev.larder.map.entry.EntryStore;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.map.format.PackedPositions;
import dev.larder.map.format.PendingLayout;
import dev.larder.memory.Words;
import dev.larder.memory.raw.RawMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lookups by addresses find what the other lookups do. Where memory goes from under them, or holds anything, they report that
 * their result does not count. A load from an unmapped address would end the JVM, and this test with it.
 */
@Timeout(60)
final class FlatLookupTest {

    private static final long SEED = 7;
    private static final int LENGTH = 5000;

    @TempDir
    Path directory;

    private Log log;
    private LogRecords records;
    private TestIndex shared;
    private Index index;
    private EntryStore store;
    private FlatLookup flat;
    private long nextKey = 100;

    @BeforeEach
    void open() {
        Assumptions.assumeTrue(RawMemory.IS_OPEN && TestMaps.storage().isNative(), "no native calls are made");
        LogOptions linked = HookedOptions.with(TestMaps.options(), doors -> doors.withLinked(true));
        log = Log.open(directory, linked);
        records = LogRecords.of(log);
        shared = new TestIndex(directory);
        index = newIndex();
        index.makeEmpty();
        index.lookByAddress(shared.file);
        flat = Objects.requireNonNull(index.flat());
        store = new EntryStore(directory, index, records, position -> {}, Failpoints.NONE);
    }

    private Index newIndex() {
        return shared.enter(TestIndex.OWNER).index(records, new PackedPositions(2L << 20, records));
    }

    @AfterEach
    void close() {
        if (shared != null && shared.file.memory().scope().isAlive()) {
            closeAll();
        }
    }

    private void closeAll() {
        index.end();
        shared.close();
        records.close();
        log.close();
    }

    private static Lookup lookup(long key) {
        Lookup lookup = new Lookup(EntryStore.class);
        lookup.keyOf(8).set(ValueLayout.JAVA_LONG, 0, key);
        lookup.hash(SEED);
        return lookup;
    }

    private void put(long key) {
        store.put(
                lookup(key),
                LENGTH,
                (record, at) -> record.set(ValueLayout.JAVA_LONG_UNALIGNED, at, key),
                Condition.ALWAYS);
    }

    private Lookup found(long key) {
        Lookup lookup = lookup(key);
        while (!flat.find(lookup)) {
            index.find(lookup); // it was time to ask the system for the page
        }
        assertThat(lookup.isPresent()).isTrue();
        return lookup;
    }

    private boolean copies(Lookup found, MemorySegment target) {
        return flat.copy(found, target, 0);
    }

    @Test
    void findsWhatTheOthersFind() {
        Index other = newIndex();
        Random random = new Random(42);
        for (long key = 0; key < 3000; key++) {
            put(key);
            if (random.nextInt(4) == 0) {
                store.remove(lookup(random.nextLong(key + 1)), Condition.PRESENT);
            }
        }
        int atOnce = 0;
        for (long key = 0; key < 4000; key++) {
            Lookup one = lookup(key);
            Lookup two = lookup(key);
            atOnce += flat.find(one) ? 1 : 0;
            index.find(one);
            other.find(two);
            assertThat(described(one)).isEqualTo(described(two));
        }
        assertThat(atOnce).isGreaterThan(2000);
    }

    private static String described(Lookup found) {
        return found.found + " " + found.slot + " " + found.word + " " + found.base + " " + found.entryWord + " "
                + found.first
                + (found.holdsValue() ? " " + found.position + " " + found.length + " " + found.foundUses : "");
    }

    @Test
    void aRecordThatIsDroppedIsZerosThenAndDoesNotCount() {
        put(1);
        Lookup stale = found(1);
        MemorySegment target = MemorySegment.ofArray(new byte[LENGTH]);
        assertThat(copies(stale, target)).isTrue();
        assertThat(target.get(ValueLayout.JAVA_LONG_UNALIGNED, 0)).isEqualTo(1);
        dropFirst();
        while (target.get(ValueLayout.JAVA_LONG_UNALIGNED, 0) != 0) {
            records.leaveBefore(1); // the log's own thread may have been there
            assertThat(copies(stale, target)).isFalse();
        }
        assertThat(flat.find(stale)).as("the word leads nowhere").isFalse();
        for (int drop = 0; drop < 3; drop++) {
            dropFirst(); // another segment is mapped where it was
            assertThat(copies(stale, target)).isFalse();
        }
    }

    /** Fills the first segment and drops it, so that it is unmapped. */
    private void dropFirst() {
        int first = records.firstSegment();
        while (records.tailSegment() <= first + 1) {
            put(nextKey++); // a word of the former key would lead to unmapped memory
        }
        log.sync();
        assertThat(records.dropFirst(first)).isTrue();
        records.leaveBefore(first + 1);
        records.free(first);
    }

    @Test
    void nothingCountsOnceAllIsClosed() {
        put(1);
        Lookup stale = found(1);
        closeAll();
        MemorySegment target = MemorySegment.ofArray(new byte[LENGTH]);
        for (int i = 0; i < 1000; i++) {
            assertThat(flat.find(stale)).isFalse();
            stale.position = Position.of(0, 0);
            assertThat(copies(stale, target)).isFalse();
        }
    }

    /** Any number may stand in the index, and in a record. */
    @Test
    void damagedNumbersLeadToNoAddressOutside() {
        put(1);
        Lookup sound = found(1);
        MemorySegment memory = shared.file.memory();
        long depth = IndexFileLayout.DEPTHS_AT + 8L * sound.partition;
        long entry = Directory.at(sound.partition, sound.entry());
        Random random = new Random(42);
        for (long at : new long[] {depth, entry, sound.slot}) {
            long before = Words.getPlain(memory, at);
            for (int i = 0; i < 2000; i++) {
                long bits = i % 2 == 0 ? random.nextLong() : before ^ 1L << random.nextInt(64);
                Words.setPlain(memory, at, bits);
                flat.find(lookup(1)); // finds the entry, or nothing, or reports an unclear result
            }
            Words.setPlain(memory, at, before);
        }
        damageRecord(sound, random);
        Lookup after = lookup(1);
        index.find(after);
        assertThat(after.state()).isEqualTo(sound.position);
    }

    /** Any number may stand in a reference, and in the record that it leads to. */
    @Test
    void damagedReferencesLeadToNoAddressOutside() {
        int valueAt = PendingLayout.keysAt(1) + Long.BYTES;
        Lookup reference = lookup(1);
        long pending = store.append(reference.claim, valueAt + 100, (record, at) -> {
            PendingLayout.write(record, at, 1, 1, 1);
            PendingLayout.writePart(record, at, 0, Long.BYTES, 100);
            record.asSlice(at + valueAt, 100).fill((byte) 7);
        });
        store.putReference(reference, pending, valueAt, 100, Condition.ALWAYS);
        Lookup sound = found(1);
        byte[] copy = new byte[100];
        assertThat(sound.valueAddress).isNotZero();
        assertThat(sound.valueLength).isEqualTo(100);
        assertThat(copies(sound, MemorySegment.ofArray(copy))).isTrue();
        assertThat(copy).containsOnly(7);
        Random random = new Random(42);
        damage(sound.position, LogRecords.payload(sound.position) + sound.length, random);
        damage(pending, LogRecords.payload(pending) + valueAt, random);
        assertThat(found(1).valueAddress).isEqualTo(sound.valueAddress);
    }

    private void damageRecord(Lookup sound, Random random) {
        damage(sound.position, LogRecords.payload(sound.position) + 8, random);
    }

    private void damage(long position, long end, Random random) {
        MemorySegment segment = records.at(position).claimed();
        for (long at = Position.offset(position); at < end; at += 8) {
            long before = segment.get(ValueLayout.JAVA_LONG, at);
            for (int i = 0; i < 2000; i++) {
                segment.set(
                        ValueLayout.JAVA_LONG, at, i % 2 == 0 ? random.nextLong() : before ^ 1L << random.nextInt(64));
                Lookup lookup = lookup(1);
                if (flat.find(lookup) && lookup.holdsValue() && lookup.valueAddress != 0) {
                    assertThat(lookup.valueLength).isBetween(0, 2 << 20);
                    copies(lookup, MemorySegment.ofArray(new byte[lookup.valueLength]));
                }
            }
            segment.set(ValueLayout.JAVA_LONG, at, before);
        }
    }
}
