package dev.larder.tests.power;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.PowerLossStorage;
import dev.larder.tests.support.Effort;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Power losses at every step of one thread: of creation, append, roll, sync, close, and of opening again. */
@Tag(Effort.LONG)
@Tag("in-memory")
class PowerLossStepsTest {

    /** Each seed has some 200 images for each mode and size. */
    private static final int SEEDS = Effort.of(1, 6, 60);

    /** Small, because every image is read several times; the messages of a script fill two or three segments. */
    private static final long SEGMENT_BYTES = 512L << 10;

    private static final int MESSAGE_MORE_BYTES = 100_000;

    /** An image, with the number of appended messages and the durable position at that time. */
    private record Taken(PowerLossStorage image, int appended, long durable) {}

    private static LogOptions options(IntegrityMode integrity) {
        return LogOptions.defaults()
                .withIntegrity(integrity)
                .withLargestSegmentBytes(SEGMENT_BYTES)
                .withPrepareBytes(0)
                .withSync(SyncPolicy.none());
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void shouldKeepItsPromisesAtEveryStep(IntegrityMode integrity) {
        checkSteps(options(integrity));
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void shouldKeepItsPromisesInSegmentsOfLessThanABlock(IntegrityMode integrity) {
        checkSteps(options(integrity).withLayout(layout -> layout.withFirstSegmentBytes(64L << 10)));
    }

    private static void checkSteps(LogOptions options) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Ledger ledger = new Ledger();
            for (Taken taken : script(options, ledger, new SplittableRandom(seed))) {
                checkStep(options, taken, ledger, seed);
            }
        }
    }

    private static void checkStep(LogOptions options, Taken taken, Ledger ledger, long seed) {
        ImageCheck check = new ImageCheck(PoweredQueue.opener(options), RecoveryRecord.none(), seed);
        List<Appended> appended = ledger.inOrder();
        try {
            check.check(taken.image, appended.subList(0, Math.min(appended.size(), taken.appended)), taken.durable);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(options + ", seed " + seed + ", after " + taken.appended + " appends: " + e, e);
        }
    }

    /** Creates a queue, appends, syncs and closes it, twice; takes images on the way. */
    private static List<Taken> script(LogOptions options, Ledger ledger, SplittableRandom random) {
        List<Taken> images = new ArrayList<>();
        int[] appended = {0};
        long[] durable = {-1};
        try (PowerLossStorage power = new PowerLossStorage(random.nextLong())) {
            power.beforeEachStep(() -> {
                if (random.nextInt(2) == 0) {
                    images.add(new Taken(power.image(random), appended[0] + 1, durable[0]));
                }
            });
            for (int lap = 0; lap < 2; lap++) {
                try (PoweredLog log = PoweredQueue.open(power, options)) {
                    appendAndSync(log, ledger, appended, durable, random);
                }
            }
        }
        return images;
    }

    private static void appendAndSync(
            PoweredLog log, Ledger ledger, int[] appended, long[] durable, SplittableRandom random) {
        PoweredLog.Writer writer = log.writer();
        for (int i = 0; i < 12; i++) {
            List<Message> message = List.of(new Message(0, appended[0]));
            int[] length = {Message.LEAST_BYTES + random.nextInt(MESSAGE_MORE_BYTES)};
            ledger.enter(message, length, writer.append(message, length));
            appended[0]++;
            if (random.nextInt(3) == 0) {
                durable[0] = log.sync();
            }
        }
    }

    /**
     * A page of the first segment is lost, but the second segment is there. The cut unlinks the second one. If END reaches the
     * disk and the unlinking does not, a walk goes over END into what was cut.
     */
    @Test
    void shouldNotWalkOverACutIntoASegmentThatCameBack() {
        SplittableRandom random = new SplittableRandom(11);
        Ledger ledger = new Ledger();
        try (PowerLossStorage power = new PowerLossStorage(11)) {
            try (PoweredLog log = PoweredQueue.open(power, options(IntegrityMode.RECORD))) {
                PoweredLog.Writer writer = log.writer();
                for (int i = 0; i < 12; i++) {
                    List<Message> message = List.of(new Message(0, i));
                    int[] length = {75_000};
                    ledger.enter(message, length, writer.append(message, length));
                }
                power.syncAll();
                zeroPage(power, "0000000000.seg", SEGMENT_BYTES / 2);
                checkEveryStepOfTheRecovery(power.image(random), ledger.inOrder(), random);
            }
        }
    }

    private static void checkEveryStepOfTheRecovery(
            PowerLossStorage damaged, List<Appended> appended, SplittableRandom random) {
        List<PowerLossStorage> images = new ArrayList<>();
        int served;
        try (damaged) {
            damaged.beforeEachStep(() -> {
                for (int i = 0; i < 8; i++) {
                    images.add(damaged.image(random));
                }
            });
            try (PoweredLog log = PoweredQueue.open(damaged, options(IntegrityMode.RECORD))) {
                damaged.beforeEachStep(() -> {});
                served = log.readAll().size();
            }
        }
        assertThat(served).as("what is before the lost page").isBetween(1, 4);
        for (PowerLossStorage image : images) {
            ImageCheck check = new ImageCheck(
                    PoweredQueue.opener(options(IntegrityMode.RECORD)), RecoveryRecord.none(), random.nextLong());
            check.check(image, appended.subList(0, served), -1);
        }
    }

    private static void zeroPage(PowerLossStorage storage, String name, long offset) {
        try (StorageFile file =
                        storage.open(PoweredQueue.DIRECTORY.resolve(name), true).orElseThrow();
                Arena arena = Arena.ofShared()) {
            file.map(offset, 4096, true, arena).fill((byte) 0);
            file.forceAll();
        }
    }

    /**
     * The durable position is four words in a page that the kernel may write back between any two of them. If the copy before
     * it had never been flushed, both copies were bad, and the log was once refused for good.
     */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void shouldOpenAfterALossWithinTheDurablePosition(IntegrityMode integrity) {
        SplittableRandom random = new SplittableRandom(7);
        Ledger ledger = new Ledger();
        long durable = -1;
        try (PowerLossStorage power = new PowerLossStorage(7);
                PoweredLog log = PoweredQueue.open(power, options(integrity))) {
            PoweredLog.Writer writer = log.writer();
            for (int i = 0; i < 6; i++) {
                List<Message> message = List.of(new Message(0, i));
                int[] length = {100};
                ledger.enter(message, length, writer.append(message, length));
                int torn = checkTornPlaces(integrity, power, ledger, durable, random);
                assertThat(torn)
                        .as("images in which a place was torn, after " + (i + 1) + " messages")
                        .isPositive();
                durable = log.sync();
            }
        }
        assertThat(ledger.inOrder()).hasSize(6);
    }

    /** Checks images in which the place that is written next is torn; returns how many those are. */
    private static int checkTornPlaces(
            IntegrityMode integrity, PowerLossStorage power, Ledger ledger, long durable, SplittableRandom random) {
        int torn = 0;
        for (long place : new long[] {4096, 8192}) {
            for (int i = 0; i < 10; i++) {
                PowerLossStorage image = power.image(random);
                boolean next = tearNextPlace(image, place);
                if (next) {
                    torn++;
                    checkStep(options(integrity), new Taken(image, 6, durable), ledger, i);
                } else {
                    image.close();
                }
            }
        }
        return torn;
    }

    /** Overwrites the first word of a place if that place is the next to be written; returns whether it is. */
    private static boolean tearNextPlace(PowerLossStorage image, long place) {
        try (StorageFile control = image.open(PoweredQueue.DIRECTORY.resolve("log.ctl"), true)
                        .orElseThrow();
                Arena arena = Arena.ofShared()) {
            MemorySegment memory = control.map(0, 12288, true, arena);
            long counter = memory.get(ValueLayout.JAVA_LONG, place);
            long other = memory.get(ValueLayout.JAVA_LONG, 4096 + 8192 - place);
            boolean next = counter <= other && place == ((other + 1 & 1) == 0 ? 4096 : 8192);
            memory.set(ValueLayout.JAVA_LONG, place, next ? other + 1 : counter);
            control.forceAll();
            return next;
        }
    }
}
