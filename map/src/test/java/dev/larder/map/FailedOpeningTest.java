package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.format.IndexPointer;
import dev.larder.memory.Access;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.DelegatingFile;
import dev.larder.memory.doubles.DelegatingStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A failed opening leaves nothing behind that keeps working. */
final class FailedOpeningTest {

    private static final long GATE = (1L << 32) + 1;

    @TempDir
    Path folder;

    /** A storage that, once armed, cannot leave the gate of a map, which is the last step of an opening. */
    private static final class GateStorage extends DelegatingStorage {
        private final AtomicBoolean armed = new AtomicBoolean();

        GateStorage(Storage storage) {
            super(storage);
        }

        private StorageFile gated(StorageFile file) {
            return new DelegatingFile(file) {
                @Override
                public void unlock(long offset) {
                    if (offset == GATE && armed.getAndSet(false)) {
                        throw new StorageException(path() + ": cannot be unlocked: EIO");
                    }
                    super.unlock(offset);
                }
            };
        }

        @Override
        public Optional<StorageFile> create(Path file, Access access) {
            return super.create(file, access).map(this::gated);
        }

        @Override
        public Optional<StorageFile> open(Path file, boolean writable) {
            return super.open(file, writable).map(this::gated);
        }
    }

    /** No thread can be started. If the log that was opened for the map stayed open, it would block every later opening. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void leavesNoLogOpen(boolean besideAnother) throws IOException {
        assumeThat(TestMaps.storage().isNative()).isTrue();
        Path directory = folder.resolve("failed-log");
        try (OtherProcess other = besideAnother ? new OtherProcess(directory) : null) {
            AtomicInteger failures = new AtomicInteger(2);
            LogOptions failing = HookedOptions.withFailpoints(TestMaps.options(), step -> {
                if (step.equals("background.start") && failures.getAndDecrement() > 0) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
            });
            MapOptions options = MapOptions.defaults().withLog(failing);
            assertThatThrownBy(() -> LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), options))
                    .isInstanceOf(OutOfMemoryError.class);
            assertThat(Files.exists(directory.resolve(IndexPointer.FILE_NAME)))
                    .as("a pointer to an index that is open")
                    .isEqualTo(besideAnother);
            try (LarderMap<Long, byte[]> map = TestMaps.bytes(directory)) {
                assertThat(map.containsKey(1L)).isEqualTo(other != null);
            }
        }
    }

    @Test
    void leavesNoThread() {
        Path directory = folder.resolve("failed-opening");
        GateStorage storage = new GateStorage(TestMaps.storage());
        MapOptions options = MapOptions.defaults().withLog(HookedOptions.withStorage(TestMaps.options(), storage));
        storage.armed.set(true);
        assertThatThrownBy(() -> LarderMap.open(directory, ValueCodec.longs(), ValueCodec.longs(), options))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("cannot be unlocked");
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("larder-map-failed-opening"));
        try (LarderMap<Long, Long> map = TestMaps.longs(directory, options)) {
            map.set(1L, 2L);
            assertThat(map.get(1L)).isEqualTo(2);
        }
    }
}
