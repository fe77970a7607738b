package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.ValueCodec;
import dev.larder.memory.doubles.PowerLossStorage;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The power fails while a map is changed, synced, copied and cleaned, at each step of the cleaner and of an image of the
 * index: what is found then is what the map held after some change, and not before the last one that was synced. Ten times
 * as much in the soak profile.
 */
@Timeout(1800)
final class PowerLossTest {

    /** Of each mode: of all three ten thousand, or a tenth; the storage is a double, so with native calls off it is the same. */
    private static final int IMAGES =
            Boolean.getBoolean("larder.soak") ? 3_334 : TestMaps.storage().isNative() ? 334 : 34;

    private static final Path MAP = Path.of("/", "map");
    private static final int KEYS = 1500;
    private static final int CHANGES = 4000;

    /** One change after the other: a key, and whether it is removed. Its value is its number, from 1 on. */
    private final List<Integer> history = new ArrayList<>();

    private int synced;
    private int images;

    private static int removal(int key) {
        return -1 - key;
    }

    private static byte[] value(int number) {
        return ByteBuffer.allocate(1500).putInt(number).array();
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void leavesWhatWasThereAtSomeTime(IntegrityMode integrity) {
        int all = 0;
        for (int round = 0; all < IMAGES; round++) {
            history.clear();
            synced = 0;
            images = 0;
            SplittableRandom random = new SplittableRandom(integrity.name().hashCode() + round);
            try (PowerLossStorage power = new PowerLossStorage(round)) {
                change(power, integrity, random);
            }
            assertThat(images).isGreaterThan(1); // how many follows from what is drawn, also for each page of each file
            all += images;
        }
    }

    private static LogOptions options(PowerLossStorage power, IntegrityMode integrity) {
        return LogOptions.defaults()
                .withStorage(power)
                .withIntegrity(integrity)
                .withLargestSegmentBytes(2L << 20)
                .withPrepareBytes(0)
                .withSync(SyncPolicy.none());
    }

    private static LarderMap<Integer, byte[]> open(LogOptions options) {
        Cleaning byHand = Cleaning.defaults().withBackground(false);
        return LarderMap.open(
                MAP,
                ValueCodec.ints(),
                ValueCodec.bytes(),
                MapOptions.defaults().withLog(options).withCleaning(byHand));
    }

    private void change(PowerLossStorage power, IntegrityMode integrity, SplittableRandom random) {
        LogOptions options = options(power, integrity).withSteps(step -> reached(step, power, integrity, random));
        try (LarderMap<Integer, byte[]> map = open(options)) {
            for (int number = 1; number <= CHANGES; number++) {
                change(map, random.nextInt(KEYS), random.nextInt(6) == 0, number);
                switch (random.nextInt(1500)) {
                    case 0, 1 -> {
                        map.sync();
                        synced = number;
                    }
                    case 2 -> map.checkpoint();
                    case 3, 4 -> map.compact();
                    case 5 -> power.writeBackSome(0.5);
                    case 6 -> lose(power, integrity, random);
                    default -> {}
                }
            }
            map.compact();
        }
        synced = history.size(); // closed, and synced by the image
        lose(power, integrity, random);
    }

    private void change(Map<Integer, byte[]> map, int key, boolean removal, int number) {
        history.add(removal ? removal(key) : key);
        if (removal) {
            map.remove(key);
        } else {
            map.put(key, value(number));
        }
    }

    private void reached(String step, PowerLossStorage power, IntegrityMode integrity, SplittableRandom random) {
        boolean ofSegment = switch (step) {
            case "clean.scanned", "clean.synced", "clean.dropped", "clean.freed" -> true;
            case "drop.moved", "drop.durable", "drop.renamed", "drop.freed" -> true;
            default -> false;
        };
        boolean ofRecord = step.startsWith("clean.") && random.nextInt(2000) == 0;
        if (step.equals("clean.synced")) {
            synced = history.size();
        }
        if (ofRecord || step.startsWith("checkpoint.") || (ofSegment && random.nextInt(8) == 0)) {
            lose(power, integrity, random);
        }
    }

    private void lose(PowerLossStorage power, IntegrityMode integrity, SplittableRandom random) {
        images++;
        try (PowerLossStorage image = power.image(random)) {
            try (LarderMap<Integer, byte[]> map = open(options(image, integrity))) {
                int found = requireOneOfThose(map);
                map.compact(); // it goes on from there
                requireSame(map, found);
            }
        }
    }

    private static int[] numbers(LarderMap<Integer, byte[]> map) {
        int[] numbers = new int[KEYS];
        for (int key = 0; key < KEYS; key++) {
            byte[] value = map.get(key);
            numbers[key] = value == null ? 0 : ByteBuffer.wrap(value).getInt();
        }
        return numbers;
    }

    /** Returns after how many changes the map was as it is found. */
    private int requireOneOfThose(LarderMap<Integer, byte[]> map) {
        int[] found = numbers(map);
        int[] expected = new int[KEYS];
        int other = 0;
        for (int number : found) {
            other += number == 0 ? 0 : 1;
        }
        for (int changes = 0; changes <= history.size(); changes++) {
            if (changes > 0) {
                int change = history.get(changes - 1);
                int key = change < 0 ? -1 - change : change;
                other -= found[key] == expected[key] ? 0 : 1;
                expected[key] = change < 0 ? 0 : changes;
                other += found[key] == expected[key] ? 0 : 1;
            }
            if (other == 0 && changes >= synced) {
                return changes;
            }
        }
        throw new AssertionError("what is found was never there after change " + synced + " of " + history.size());
    }

    private void requireSame(LarderMap<Integer, byte[]> map, int changes) {
        int[] expected = new int[KEYS];
        for (int number = 1; number <= changes; number++) {
            int change = history.get(number - 1);
            expected[change < 0 ? -1 - change : change] = change < 0 ? 0 : number;
        }
        assertThat(numbers(map)).isEqualTo(expected);
    }
}
