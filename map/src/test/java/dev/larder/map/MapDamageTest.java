package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.ValueCodec;
import dev.larder.log.IntegrityMode;
import dev.larder.log.Log;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.pending.PendingValues;
import dev.larder.memory.CorruptException;
import dev.larder.memory.LarderException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.PowerLossStorage;
import dev.larder.tests.support.Effort;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A map that was closed and whose files are then damaged at random places. Each answer is the right one, or an error that names
 * the file. If a key is missing, a lookup or a verification has reported damage.
 *
 * <p>The storage is in memory, and each opening finds all its pages cold, so everything that can be checked is checked. The soak
 * profile does ten times as much as {@code .ci/run}.
 */
@Tag("in-memory")
@Timeout(600)
final class MapDamageTest {

    private static final int TRIALS = Effort.of(2, 40, 400);
    private static final int RANDOM_TRIALS = TRIALS;
    private static final Path DIRECTORY = Path.of("/", "damage");
    private static final int KEYS = 700;
    private static final int LARGE_BYTES = 400_000;
    private static final int PAGE_BYTES = 4096;
    private static final String FIRST_SEGMENT = "0000000000.seg";

    /** About how far the small entries reach in the first segment. */
    private static final int SMALL_BYTES = 200_000;

    /** The bytes of the control file that are in use. */
    private static final int CONTROL_BYTES = 12_288 + 256;

    private static final int BITS_STRIDE = Effort.of(21, 10, 1);

    private final Map<String, byte[]> expected = new HashMap<>();
    private SplittableRandom random = new SplittableRandom(0);

    /** How a file is damaged. */
    enum Damage {
        FLIPPED_BITS,
        ZERO_PAGES,
        RANDOM_PAGES,
        CUT
    }

    private static LogOptions small(IntegrityMode integrity) {
        return LogOptions.defaults()
                .withIntegrity(integrity)
                .withLargestSegmentBytes(2L << 20)
                .withPrepareBytes(0)
                .withSync(SyncPolicy.none());
    }

    private static LarderMap<String, byte[]> open(PowerLossStorage storage, LogOptions options) {
        return open(MapOptions.defaults()
                .withLog(HookedOptions.withStorage(options, storage))
                .withCleaning(Cleaning.defaults().withBackground(false)));
    }

    private static LarderMap<String, byte[]> open(MapOptions options) {
        return LarderMap.open(DIRECTORY, ValueCodec.texts(), ValueCodec.bytes(), options);
    }

    private static String key(int number) {
        return "key " + number + "-".repeat(number * 7 % 90);
    }

    private byte[] value(int number, int version) {
        return random.nextInt(150) == 0
                ? DerivedValue.of(number, version, LARGE_BYTES)
                : DerivedValue.of(number, version);
    }

    /** Fills a map with overwrites and removals. If the map is cleaned in between, its log has lost its first segments. */
    private void fill(PowerLossStorage storage, LogOptions options, boolean cleaned) {
        try (LarderMap<String, byte[]> map = open(storage, options)) {
            for (int version = 1; version <= 3; version++) {
                for (int change = 0; change < KEYS; change++) {
                    change(map, random.nextInt(KEYS), version);
                }
                if (cleaned && version < 3) {
                    map.compact();
                }
            }
        }
        storage.syncAll();
    }

    private void change(LarderMap<String, byte[]> map, int number, int version) {
        String key = key(number);
        if (random.nextInt(6) == 0) {
            map.remove(key);
            expected.remove(key);
        } else {
            byte[] value = value(number, version);
            map.put(key, value);
            expected.put(key, value);
        }
    }

    /** Mode NONE has no checks of payloads, so its segments are only cut. */
    @ParameterizedTest
    @CsvSource({
        "NONE, map.ctl", "NONE, log.ctl", "NONE, map.checkpoint", "NONE, cut segment",
        "RECORD, map.ctl", "RECORD, log.ctl", "RECORD, map.checkpoint", "RECORD, segment",
        "SEAL, map.ctl", "SEAL, log.ctl", "SEAL, map.checkpoint", "SEAL, segment"
    })
    void answersRightlyOrNamesTheDamage(IntegrityMode integrity, String file) {
        for (boolean cleaned : new boolean[] {false, true}) {
            damageAndRead(small(integrity), file, cleaned);
        }
    }

    /** Most values lie in pending records, some of which have been cleaned. */
    @ParameterizedTest
    @CsvSource({"RECORD, map.ctl", "RECORD, map.checkpoint", "RECORD, segment", "SEAL, segment", "NONE, cut segment"})
    void answersRightlyWhereValuesLieApart(IntegrityMode integrity, String file) {
        LogOptions options = small(integrity);
        random = new SplittableRandom(file.hashCode());
        expected.clear();
        try (PowerLossStorage whole = new PowerLossStorage(1)) {
            fillApart(whole, options);
            for (int trial = 0; trial < TRIALS / 2; trial++) {
                try (PowerLossStorage copy = whole.image(random)) {
                    String what = damage(copy, file);
                    check(copy, options, what + ", trial " + trial + " of " + integrity + " " + file + ", apart");
                }
            }
        }
    }

    private void fillApart(PowerLossStorage storage, LogOptions options) {
        MapOptions map = MapOptions.defaults()
                .withLog(HookedOptions.withStorage(options, storage))
                .withCleaning(Cleaning.defaults().withBackground(false));
        try (LarderMap<String, byte[]> open = open(PendingValues.in(map))) {
            PendingValues pending = PendingValues.of(open);
            for (int version = 1; version <= 3; version++) {
                for (int change = 0; change < KEYS; change++) {
                    changeApart(open, pending, random.nextInt(KEYS), version);
                }
                pending.raiseFloor(version < 3 ? pending.end() : 0);
                open.compact();
            }
        }
        storage.syncAll();
    }

    private void changeApart(LarderMap<String, byte[]> map, PendingValues pending, int number, int version) {
        if (random.nextInt(4) == 0) {
            change(map, number, version);
        } else {
            byte[] key = key(number).getBytes(StandardCharsets.UTF_8);
            byte[] value = value(number, version);
            PendingValues.Part part = new PendingValues.Part(MemorySegment.ofArray(key), MemorySegment.ofArray(value));
            pending.put(pending.append(1, version, List.of(part)), 0, Optional.empty());
            expected.put(key(number), value);
        }
    }

    @ParameterizedTest
    @CsvSource({"map.ctl", "log.ctl", "map.checkpoint", "segment", "any"})
    void answersRightlyWithTheDefaults(String file) {
        damageAndRead(LogOptions.defaults().withPrepareBytes(0), file, false);
    }

    /**
     * Words that processes share have no check, except that of the first segment. A wrong word is not believed, or does no harm.
     */
    @ParameterizedTest
    @ValueSource(ints = {256, 320, 384, 448})
    void answersRightlyWhateverBitOfASharedWordIsAnother(int at) {
        random = new SplittableRandom(at);
        expected.clear();
        LogOptions options = small(IntegrityMode.SEAL);
        try (PowerLossStorage whole = new PowerLossStorage(1)) {
            fill(whole, options, false);
            for (int bit = 0; bit < Long.SIZE; bit += BITS_STRIDE) {
                try (PowerLossStorage copy = whole.image(random)) {
                    int flipped = at * Byte.SIZE + bit;
                    change(copy, "log.ctl", memory -> flip(memory, flipped));
                    check(copy, options, "log.ctl, bit " + bit + " of the word at " + at);
                }
            }
        }
    }

    /**
     * A page of random bytes in the middle of the records, for each mode: lengths, states and keys may be anything. In mode NONE
     * no reader can tell a payload from another, so the test checks only the kind of the error.
     */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void namesPagesOfRandomBytes(IntegrityMode integrity) {
        LogOptions options = small(integrity);
        random = new SplittableRandom(integrity.name().hashCode());
        expected.clear();
        try (PowerLossStorage whole = new PowerLossStorage(1)) {
            fillWithSmall(whole, options);
            for (int trial = 0; trial < RANDOM_TRIALS; trial++) {
                try (PowerLossStorage copy = whole.image(random)) {
                    String what = trial + ", " + FIRST_SEGMENT
                            + damage(copy, FIRST_SEGMENT, memory -> randomPage(memory, SMALL_BYTES));
                    readDamaged(copy, options, integrity != IntegrityMode.NONE, what);
                }
            }
        }
    }

    /** Without checks of payloads, a length within one may be anything. The map still reads nothing outside of its record. */
    @Test
    void iteratesOverNoKeyThatIsLongerThanItsRecord() {
        LogOptions options = small(IntegrityMode.NONE);
        long[] place = new long[1];
        try (PowerLossStorage storage = new PowerLossStorage(1)) {
            try (LarderMap<String, byte[]> map = open(storage, options)) {
                map.put("key", new byte[8]);
                map.read("key", (segment, at, length) -> place[0] = at - "key".length());
            }
            change(storage, FIRST_SEGMENT, memory -> {
                memory.set(ValueLayout.JAVA_BYTE, place[0] - 1, (byte) 0xFF);
                memory.set(ValueLayout.JAVA_BYTE, place[0] - 2, (byte) 0xFF);
            });
            try (LarderMap<String, byte[]> map = open(storage, options);
                    MapSnapshot<String, byte[]> snapshot = map.snapshot()) {
                assertThat(map.get("key")).isNull();
                assertThatThrownBy(() -> map.entrySet().iterator().hasNext())
                        .isInstanceOf(CorruptException.class)
                        .hasMessageContaining(FIRST_SEGMENT + ": the record at position 0:")
                        .hasMessageContaining("is not an entry of a map");
                assertThatThrownBy(() -> snapshot.iterator().hasNext()).isInstanceOf(CorruptException.class);
            }
        }
    }

    /** Fills a map with values so small that a page holds the words of many records. */
    private void fillWithSmall(PowerLossStorage storage, LogOptions options) {
        try (LarderMap<String, byte[]> map = open(storage, options)) {
            for (int number = 0; number < KEYS; number++) {
                byte[] value = new byte[SMALL_BYTES / KEYS / 2];
                random.nextBytes(value);
                map.put(key(number), value);
                expected.put(key(number), value);
            }
        }
        storage.syncAll();
    }

    private void readDamaged(PowerLossStorage storage, LogOptions options, boolean tellsValues, String what) {
        DamageAnswers answers = tellsValues
                ? new DamageAnswers(expected, allKeys(), DIRECTORY)
                : DamageAnswers.ofErrors(allKeys(), DIRECTORY);
        try {
            use(storage, options, answers);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("trial " + what + ": " + e, e);
        }
    }

    /** A new seal over bytes that are already damaged would make them pass as written, for ever. */
    @Test
    void isNotSealedAnewWhereItIsDamaged() {
        LogOptions options = small(IntegrityMode.SEAL);
        byte[] large = DerivedValue.of(1, 1, LARGE_BYTES);
        long[] place = new long[1];
        try (PowerLossStorage storage = new PowerLossStorage(1)) {
            try (LarderMap<String, byte[]> map = open(storage, options)) {
                map.put("large", large);
                map.read("large", (segment, at, length) -> place[0] = at + length / 2);
            }
            change(storage, "0000000000.seg", memory -> flip(memory, place[0] * Byte.SIZE));
            try (LarderMap<String, byte[]> map = open(storage, options)) {
                map.put("small", new byte[8]);
                assertThatThrownBy(map::sync)
                        .isInstanceOf(CorruptException.class)
                        .hasMessageContaining("0000000000.seg: block 0")
                        .hasMessageContaining("fails its seal");
                assertThatThrownBy(() -> map.get("large")).isInstanceOf(CorruptException.class);
            }
            assertThat(verify(storage, options)).isNotEmpty();
        }
    }

    private static void change(PowerLossStorage storage, String name, Consumer<MemorySegment> damage) {
        try (StorageFile opened = storage.open(DIRECTORY.resolve(name), true).orElseThrow();
                Arena arena = Arena.ofShared()) {
            damage.accept(opened.map(0, opened.sizeBytes(), true, arena));
        }
    }

    private static void flip(MemorySegment memory, long bit) {
        byte before = memory.get(ValueLayout.JAVA_BYTE, bit >>> 3);
        memory.set(ValueLayout.JAVA_BYTE, bit >>> 3, (byte) (before ^ 1 << (bit & 7)));
    }

    private void damageAndRead(LogOptions options, String file, boolean cleaned) {
        random = new SplittableRandom(file.hashCode());
        expected.clear();
        try (PowerLossStorage whole = new PowerLossStorage(1)) {
            fill(whole, options, cleaned);
            for (int trial = 0; trial < TRIALS / 2; trial++) {
                try (PowerLossStorage copy = whole.image(random)) {
                    String what = damage(copy, file);
                    check(
                            copy,
                            options,
                            what + ", trial " + trial + " of "
                                    + options.durability().integrity() + " " + file + (cleaned ? ", cleaned" : ""));
                }
            }
        }
    }

    private void check(PowerLossStorage storage, LogOptions options, String what) {
        DamageAnswers answers = new DamageAnswers(expected, allKeys(), DIRECTORY);
        try {
            answers.take(verify(storage, options));
            use(storage, options, answers);
            answers.attempt(() -> {
                try (LarderMap<String, byte[]> map = open(storage, options)) { // again, from what is left
                    answers.get(map);
                    answers.iterate(map);
                }
            });
            answers.requireTold();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(what + ": " + e, e);
        }
    }

    private static List<String> verify(PowerLossStorage storage, LogOptions options) {
        try (Log log =
                Log.open(DIRECTORY, HookedOptions.withStorage(options, storage).withReadOnly(true))) {
            return new MapVerification(DIRECTORY, storage, log)
                    .run((done, total) -> {})
                    .problems();
        } catch (LarderException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
    }

    private static void use(PowerLossStorage storage, LogOptions options, DamageAnswers answers) {
        answers.attempt(() -> {
            try (LarderMap<String, byte[]> map = open(storage, options)) {
                answers.get(map);
                answers.copy(map);
                answers.read(map);
                answers.getAll(map);
                answers.iterate(map);
                answers.snapshot(map);
                answers.attempt(map::compact);
                answers.get(map);
                answers.replace(map);
                answers.attempt(map::checkpoint);
                answers.getAll(map);
            }
        });
    }

    private static List<String> allKeys() {
        return IntStream.range(0, KEYS).mapToObj(MapDamageTest::key).toList();
    }

    private static List<String> segments(PowerLossStorage storage) {
        return storage.list(DIRECTORY).stream()
                .filter(name -> name.endsWith(".seg"))
                .sorted()
                .toList();
    }

    private static String damage(PowerLossStorage storage, String name, Function<MemorySegment, String> damage) {
        String[] what = new String[1];
        change(storage, name, memory -> what[0] = damage.apply(memory));
        return what[0];
    }

    private String damage(PowerLossStorage storage, String file) {
        List<String> segments = segments(storage);
        return switch (file) {
            case "segment" -> damage(storage, drawn(segments), drawn(List.of(Damage.values())));
            case "cut segment" -> damage(storage, drawn(segments), Damage.CUT);
            case "any" ->
                damage(
                        storage,
                        drawn(List.of("map.ctl", "log.ctl", "log.lck", "log.cnt", "map.checkpoint", drawn(segments))),
                        drawn(List.of(Damage.values())));
            default -> damage(storage, file, drawn(List.of(Damage.values())));
        };
    }

    private <T> T drawn(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }

    private String damage(PowerLossStorage storage, String name, Damage damage) {
        Path file = DIRECTORY.resolve(name);
        long bytes = storage.open(file, true).orElseThrow().sizeBytes();
        if (bytes == 0) {
            return name + ", which is empty";
        }
        if (damage == Damage.CUT) {
            long kept = random.nextLong(bytes);
            storage.truncate(file, kept);
            return name + " cut to " + kept + " bytes";
        }
        try (StorageFile opened = storage.open(file, true).orElseThrow();
                Arena arena = Arena.ofShared()) {
            MemorySegment memory = opened.map(0, bytes, true, arena);
            long used = name.equals("log.ctl") ? Math.min(bytes, CONTROL_BYTES) : bytes;
            return name
                    + switch (damage) {
                        case ZERO_PAGES -> zeroPages(memory, used);
                        case RANDOM_PAGES -> randomPage(memory, used);
                        default -> flipBits(memory, used);
                    };
        }
    }

    private String randomPage(MemorySegment memory, long used) {
        long at = random.nextLong(used) & -PAGE_BYTES;
        byte[] bytes = new byte[(int) Math.min(PAGE_BYTES, memory.byteSize() - at)];
        random.nextBytes(bytes);
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, at, bytes.length);
        return ": random bytes at " + at;
    }

    private String zeroPages(MemorySegment memory, long used) {
        StringBuilder what = new StringBuilder(": zeros at");
        for (int count = 1 + random.nextInt(2); count > 0; count--) {
            long at = random.nextLong(used) & -PAGE_BYTES;
            memory.asSlice(at, Math.min(PAGE_BYTES, memory.byteSize() - at)).fill((byte) 0);
            what.append(' ').append(at);
        }
        return what.toString();
    }

    /** About half of the bits are near the beginning, where headers and shared words are. */
    private String flipBits(MemorySegment memory, long used) {
        StringBuilder what = new StringBuilder(": other bits at");
        for (int count = 1 + random.nextInt(3); count > 0; count--) {
            long at = random.nextLong(random.nextBoolean() ? used : Math.min(used, 1088));
            int bit = random.nextInt(Byte.SIZE);
            flip(memory, at * Byte.SIZE + bit);
            what.append(' ').append(at).append('.').append(bit);
        }
        return what.toString();
    }
}
