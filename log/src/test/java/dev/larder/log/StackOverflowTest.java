package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.memory.Storage;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stack overflows somewhere inside an append or a read, hundreds of times: nothing stays claimed, nothing locked. */
@Tag("any-storage")
final class StackOverflowTest {

    private static final int ROUNDS = 60;
    private static final int OVERFLOWS = 10;
    private static final long STACK_BYTES = 160 << 10;

    @TempDir
    Path directory;

    private final Random random = new Random(28);

    @Test
    void anAppendThatOverflowsClaimsNothing() throws InterruptedException {
        AtomicInteger overflows = new AtomicInteger();
        try (Log log = TestLogs.open(directory);
                LogReader reader = log.reader()) {
            AtomicInteger appended = new AtomicInteger();
            int read = 0;
            for (int round = 0; round < ROUNDS; round++) {
                LogAppender appender = log.appender();
                byte[] payload = TestLogs.bytes(random.nextInt(2000), round);
                overflow(overflows, () -> {
                    appender.append(payload);
                    appended.incrementAndGet();
                });
                appender.append(payload);
                appended.incrementAndGet();
                read += TestLogs.payloads(reader).size();
                assertThat(read).as("after %s overflows", overflows).isGreaterThanOrEqualTo(appended.get());
                if (round % 2 == 0) {
                    appender.close();
                }
            }
            assertThat(log.sync()).isEqualTo(log.endPosition());
            assertThat(log.verify().problems()).isEmpty();
        }
        assertThat(overflows).hasValue(ROUNDS * OVERFLOWS);
    }

    /** The appender is confined to the thread whose stack overflows, which continues to use it. */
    @Test
    void aConfinedAppendThatOverflowsClaimsNothing() throws InterruptedException {
        AtomicInteger overflows = new AtomicInteger();
        AtomicInteger appended = new AtomicInteger();
        try (Log log = TestLogs.open(directory);
                LogReader reader = log.reader()) {
            int read = 0;
            for (int round = 0; round < ROUNDS; round++) {
                byte[] payload = TestLogs.bytes(random.nextInt(2000), round);
                AtomicReference<LogAppender> made = new AtomicReference<>();
                overflow(overflows, () -> made.set(log.confinedAppender()), () -> {
                    made.get().append(payload);
                    appended.incrementAndGet();
                });
                read += TestLogs.payloads(reader).size();
                assertThat(read).as("after %s overflows", overflows).isGreaterThanOrEqualTo(appended.get());
                made.get().close();
            }
            assertThat(log.sync()).isEqualTo(log.endPosition());
            assertThat(log.verify().problems()).isEmpty();
        }
        assertThat(overflows).hasValue(ROUNDS * OVERFLOWS);
    }

    @Test
    void aReadThatOverflowsLeavesTheReaderFree() throws InterruptedException {
        AtomicInteger overflows = new AtomicInteger();
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                LogReader reader = log.reader()) {
            for (int i = 0; i < 1000; i++) {
                appender.append(TestLogs.bytes("record"));
            }
            for (int round = 0; round < ROUNDS; round++) {
                overflow(overflows, () -> {
                    reader.moveToFirst();
                    reader.drain((segment, offset, length) -> {}, 10);
                });
                reader.moveToFirst();
                assertThat(reader.drain((segment, offset, length) -> {}, 10)).isEqualTo(10);
            }
        }
        assertThat(overflows).hasValue(ROUNDS * OVERFLOWS);
    }

    /**
     * Code that joins texts by {@code invokedynamic} is linked at its first run. If the stack overflowed there, each later run
     * failed as well: the text of a failure was never told.
     */
    @ParameterizedTest
    @ValueSource(classes = {Log.class, Storage.class})
    void noTextIsJoinedByALink(Class<?> member) throws IOException, URISyntaxException {
        Path classes = Path.of(
                member.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (Files.isDirectory(classes)) {
            assertThat(linking(classes)).isEmpty();
        } else {
            try (FileSystem jar = FileSystems.newFileSystem(classes)) {
                assertThat(linking(jar.getPath("/"))).isEmpty();
            }
        }
    }

    /** Returns the classes below a folder that name the JDK's factory of such links. */
    private static List<String> linking(Path folder) throws IOException {
        List<String> linking = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    files.filter(found -> found.toString().endsWith(".class")).toList()) {
                if (Files.readString(file, StandardCharsets.ISO_8859_1).contains("StringConcatFactory")) {
                    linking.add(file.toString());
                }
            }
        }
        return linking;
    }

    /** Makes the call at ever greater depths, until the stack has overflowed a few times. */
    private void overflow(AtomicInteger overflows, Runnable call) throws InterruptedException {
        overflow(overflows, () -> {}, call);
    }

    /** Does the same, after a first step on that thread; the call must succeed there once more at the end. */
    private void overflow(AtomicInteger overflows, Runnable first, Runnable call) throws InterruptedException {
        int from = 20 + random.nextInt(300);
        int step = 1 + random.nextInt(4);
        AtomicReference<@Nullable Throwable> met = new AtomicReference<>();
        Thread deep = new Thread(
                null,
                () -> {
                    try {
                        first.run();
                        diveDeeper(from, step, overflows, call);
                        call.run();
                    } catch (Throwable e) {
                        met.set(e);
                    }
                },
                "deep",
                STACK_BYTES);
        deep.setDaemon(true);
        deep.start();
        deep.join(Duration.ofMinutes(1));
        assertThat(deep.isAlive()).as("hangs after %s overflows", overflows).isFalse();
        assertThat(met.get()).as("after %s overflows", overflows).isNull();
    }

    private static void diveDeeper(int from, int step, AtomicInteger overflows, Runnable call) {
        int here = 0;
        for (int depth = from; here < OVERFLOWS; depth += step) {
            try {
                dive(depth, call);
            } catch (StackOverflowError e) {
                here++;
                overflows.incrementAndGet();
            }
        }
    }

    private static int dive(int depth, Runnable call) {
        if (depth == 0) {
            call.run();
            return 0;
        }
        return dive(depth - 1, call) + 1;
    }
}
