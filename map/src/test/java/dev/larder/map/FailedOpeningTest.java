package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.ValueCodec;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Access;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.DelegatingFile;
import dev.larder.memory.doubles.DelegatingStorage;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An opening that fails leaves nothing behind that works on. */
final class FailedOpeningTest {

    private static final long GATE = (1L << 32) + 1;

    @TempDir
    Path folder;

    /** A storage on which the gate of a map cannot be left, once that is armed: the last step of an opening. */
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
