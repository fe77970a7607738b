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
import dev.larder.map.format.Deadline;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.map.format.PackedPositions;
import dev.larder.memory.Words;
import dev.larder.memory.raw.RawMemory;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Gets in one piece copy what the other lookups find, or leave the work to them, whatever the memory holds. */
@Timeout(60)
final class FlatGetTest {

    private static final long SEED = 7;
    private static final int INLINED_BYTES_MAX = 325;

    @TempDir
    Path directory;

    private final MemorySegment target = MemorySegment.ofArray(new byte[4096]);
    private Log log;
    private LogRecords records;
    private TestIndex shared;
    private Index index;
    private EntryStore store;
    private FlatGet get;

    @BeforeEach
    void open() {
        Assumptions.assumeTrue(RawMemory.IS_OPEN && TestMaps.storage().isNative(), "no native calls are made");
        LogOptions linked = HookedOptions.with(TestMaps.options(), doors -> doors.withLinked(true));
        log = Log.open(directory, linked);
        records = LogRecords.of(log);
        shared = new TestIndex(directory);
        index = shared.enter(TestIndex.OWNER).index(records, new PackedPositions(2L << 20, records));
        index.makeEmpty();
        index.lookByAddress(shared.file);
        get = Objects.requireNonNull(index.flat()).get();
        store = new EntryStore(directory, index, records, position -> {}, Failpoints.NONE);
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

    private static Lookup lookup(byte[] key) {
        Lookup lookup = new Lookup(EntryStore.class);
        MemorySegment.copy(key, 0, lookup.keyOf(key.length), ValueLayout.JAVA_BYTE, 0, key.length);
        lookup.hash(SEED);
        return lookup;
    }

    /** Returns keys of 1 to 40 bytes; each ninth key has 8. */
    private static byte[] key(int number) {
        String digits = String.valueOf(number);
        int length = number % 9 == 0 ? 8 : Math.max(digits.length(), number % 40);
        return "#".repeat(length - digits.length()).concat(digits).getBytes(StandardCharsets.US_ASCII);
    }

    private void put(byte[] key, int valueLength) {
        store.put(lookup(key), valueLength, (record, at) -> fill(record, at, key, valueLength), Condition.ALWAYS);
    }

    private static void fill(MemorySegment record, long at, byte[] key, int valueLength) {
        record.asSlice(at, valueLength).fill(key[key.length - 1]);
    }

    private int copied(Lookup key, long room) {
        return get.copy(key.hash, key.keyWord(), key.keyAddress(), key.keyLength, target, 0, room);
    }

    @Test
    void copiesWhatTheOthersFind() {
        Random random = new Random(42);
        for (int number = 0; number < 3000; number++) {
            put(key(number), number % 300);
            if (random.nextInt(4) == 0) {
                store.remove(lookup(key(random.nextInt(number + 1))), Condition.PRESENT);
            }
        }
        int atOnce = 0;
        for (int number = 0; number < 4000; number++) {
            Lookup key = lookup(key(number));
            int length = copied(key, target.byteSize());
            index.find(key);
            if (length != FlatGet.UNCLEAR) {
                atOnce++;
                assertThat(length).isEqualTo(key.isPresent() ? number % 300 : FlatGet.ABSENT);
                byte[] expected = new byte[Math.max(0, length)];
                Arrays.fill(expected, key(number)[key.keyLength - 1]);
                assertThat(target.asSlice(0, expected.length).toArray(ValueLayout.JAVA_BYTE))
                        .isEqualTo(expected);
            }
        }
        assertThat(atOnce).isGreaterThan(2500);
    }

    @Test
    void copiesNothingThatDoesNotFit() {
        put(key(1), 100);
        target.fill((byte) 0);
        Lookup key = lookup(key(1));
        assertThat(copied(key, 99)).isEqualTo(100);
        assertThat(target.get(ValueLayout.JAVA_BYTE, 0)).isZero();
        assertThat(copied(key, 100)).isEqualTo(100);
        assertThat(target.get(ValueLayout.JAVA_BYTE, 99)).isEqualTo((byte) '1');
    }

    @Test
    void leavesAnEntryThatExpiresToWhoHasAClock() {
        Lookup expiring = lookup(key(1));
        expiring.deadline = Deadline.after(System.currentTimeMillis(), 1_000_000);
        store.put(expiring, 10, (record, at) -> fill(record, at, key(1), 10), Condition.ALWAYS);
        assertThat(copied(lookup(key(1)), 100)).isEqualTo(FlatGet.UNCLEAR);
        store.remove(lookup(key(1)), Condition.PRESENT);
        assertThat(copied(lookup(key(1)), 100)).as("a removal").isEqualTo(FlatGet.UNCLEAR);
    }

    @Test
    void nothingIsFoundOnceAllIsClosed() {
        put(key(1), 10);
        closeAll();
        for (int i = 0; i < 1000; i++) {
            assertThat(copied(lookup(key(1)), 100)).isEqualTo(FlatGet.UNCLEAR);
        }
    }

    /** Any number may stand in the index, and in a record. */
    @Test
    void damagedNumbersLeadToNoAddressOutside() {
        put(key(1), 10);
        Lookup sound = lookup(key(1));
        index.find(sound);
        MemorySegment memory = shared.file.memory();
        long depth = IndexFileLayout.DEPTHS_AT + 8L * sound.partition;
        long entry = Directory.at(sound.partition, sound.entry());
        Random random = new Random(42);
        for (long at : new long[] {depth, entry, sound.slot}) {
            damage(memory, at, random);
        }
        MemorySegment segment = records.at(sound.position).claimed();
        for (long at = Position.offset(sound.position); at < LogRecords.payload(sound.position) + 8; at += 8) {
            damage(segment, at, random);
        }
        assertThat(copied(lookup(key(1)), 100)).isEqualTo(10);
    }

    private void damage(MemorySegment memory, long at, Random random) {
        long before = Words.getPlain(memory, at);
        for (int i = 0; i < 2000; i++) {
            Words.setPlain(memory, at, i % 2 == 0 ? random.nextLong() : before ^ 1L << random.nextInt(64));
            int length = copied(lookup(key(1)), target.byteSize());
            assertThat(length).isBetween(FlatGet.UNCLEAR, 2 << 20);
        }
        Words.setPlain(memory, at, before);
    }

    /** Otherwise the compiler could inline the method into its caller, and a failed access would be reported too late. */
    @Test
    void isLongerThanWhatTheCompilerInlines() throws IOException {
        try (InputStream bytes = Objects.requireNonNull(FlatGet.class.getResourceAsStream("FlatGet.class"))) {
            int length = ClassFile.of().parse(bytes.readAllBytes()).methods().stream()
                    .filter(method -> method.methodName().equalsString("copy"))
                    .flatMap(method -> method.code().stream())
                    .mapToInt(code -> ((CodeAttribute) code).codeLength())
                    .sum();
            assertThat(length).isGreaterThan(INLINED_BYTES_MAX);
        }
    }
}
