package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.larder.codec.ValueCodec;
import dev.larder.log.Position;
import dev.larder.memory.LarderException;
import dev.larder.memory.StorageException;
import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Another program cuts the segments while the map is open: a lookup names the file, and ends. */
@DisabledOnOs(OS.WINDOWS) // Windows keeps an open file
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class CutSegmentTest {

    private static final int KEYS = 3000;

    @TempDir
    Path directory;

    private LarderMap<String, byte[]> open() {
        MapOptions options = MapOptions.defaults()
                .withLog(TestMaps.options())
                .withCleaning(Cleaning.defaults().withBackground(false));
        return LarderMap.open(directory, ValueCodec.texts(), ValueCodec.bytes(), options);
    }

    private List<Path> segments() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".seg")).toList();
        }
    }

    private void cut() throws IOException {
        for (Path segment : segments()) {
            try (FileChannel file = FileChannel.open(segment, StandardOpenOption.WRITE)) {
                file.truncate(0);
            }
        }
    }

    /** Closes the map, which may fail, as it cannot write its end. */
    private static void close(LarderMap<?, ?> map) {
        assertThat(catchThrowable(map::close))
                .satisfiesAnyOf(
                        met -> assertThat(met).isNull(), met -> assertThat(met).isInstanceOf(LarderException.class));
    }

    private static String file(long position) {
        return String.format(Locale.ROOT, "%010d.seg", Position.segment(position));
    }

    private static void fill(LarderMap<String, byte[]> map) {
        for (int key = 0; key < KEYS; key++) {
            map.set("key " + key, new byte[1000]);
        }
    }

    /** The segment of the record that the thread found last was dropped meanwhile. */
    @Test
    void aLookupAfterOneInADroppedSegmentEnds() throws Exception {
        LarderMap<String, byte[]> map = open();
        try {
            fill(map);
            assertThat(map.get("key 1")).hasSize(1000);
            long former = map.version("key 1");
            AtomicReference<Long> position = new AtomicReference<>();
            OtherThread.run(() -> {
                        fill(map);
                        fill(map);
                        map.compact();
                        map.set("last", new byte[100]);
                        position.set(map.version("last"));
                    })
                    .get(1, TimeUnit.MINUTES);
            assertThat(map.info().log().firstPosition()).isGreaterThan(former);
            cut();
            MemorySegment target = MemorySegment.ofArray(new byte[100]);
            List<ThrowingCallable> lookups = List.of(
                    () -> map.get("last"),
                    () -> map.containsKey("last"),
                    () -> map.get("last", target, 0),
                    () -> map.read("last", (segment, offset, length) -> {}));
            for (ThrowingCallable lookup : lookups) {
                assertThatThrownBy(lookup)
                        .isInstanceOf(StorageException.class)
                        .hasMessageContaining(file(position.get()))
                        .hasMessageContaining("the file was truncated");
            }
        } finally {
            close(map);
        }
    }

    /** It has no position of a former lookup. */
    @Test
    void theFirstLookupOfAThreadEnds() throws Exception {
        LarderMap<String, byte[]> map = open();
        try {
            OtherThread.run(() -> {
                        fill(map);
                        fill(map);
                        fill(map);
                        map.compact();
                    })
                    .get(1, TimeUnit.MINUTES);
            long position = map.version("key 1");
            cut();
            Throwable met = OtherThread.call(() -> map.get("key 1"))
                    .handle((done, failed) -> failed)
                    .get(1, TimeUnit.MINUTES);
            assertThat(met).rootCause().isInstanceOf(InternalError.class);
            assertThat(met.getCause()).isInstanceOf(StorageException.class).hasMessageContaining(file(position));
        } finally {
            close(map);
        }
    }
}
