package dev.larder.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.memory.doubles.StrictStorage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

final class StrictStorageTest extends StorageContract {

    private static final int RENAMES = 20_000;

    @Override
    protected Storage storage() {
        return new StrictStorage();
    }

    @Test
    void refusesToDeleteOrReplaceWhatIsOpen() {
        create("other").close();
        try (StorageFile file = create("file")) {
            refusesToDeleteOrReplace("file");
            assertThat(file.sizeBytes()).isZero();
        }
        assertThat(storage.rename(directory.resolve("other"), directory.resolve("file")))
                .isTrue();
        assertThat(storage.delete(directory.resolve("file"))).isTrue();
    }

    @Test
    void refusesToDeleteOrReplaceWhatIsMappedUnderAnyName() {
        create("other").close();
        try (Arena mapping = Arena.ofShared()) {
            try (StorageFile file = allocated("file", PAGE)) {
                file.map(0, PAGE, true, mapping);
            }
            storage.link(directory.resolve("file"), directory.resolve("name"));
            refusesToDeleteOrReplace("file");
            refusesToDeleteOrReplace("name");
        }
        assertThat(storage.delete(directory.resolve("name"))).isTrue();
    }

    @Test
    void refusesToWriteOverALockedByte() {
        try (StorageFile holder = allocated("file", PAGE);
                StorageFile writer = open("file", true)) {
            MemorySegment bytes = MemorySegment.ofArray(new byte[10]);
            assertThat(holder.tryLock(5)).isTrue();
            assertThatThrownBy(() -> writer.write(bytes, 0)).isInstanceOf(StorageException.class);
            writer.write(bytes, 6);
            holder.write(bytes, 0);
            holder.unlock(5);
            writer.write(bytes, 0);
        }
    }

    @Test
    void refusesToWriteOverAByteThatIsShared() {
        try (StorageFile holder = allocated("file", PAGE);
                StorageFile writer = open("file", true)) {
            MemorySegment bytes = MemorySegment.ofArray(new byte[10]);
            assertThat(holder.tryLockShared(5)).isTrue();
            assertThat(holder.tryLockShared(5)).isTrue();
            holder.unlock(5);
            assertThatThrownBy(() -> writer.write(bytes, 0)).isInstanceOf(StorageException.class);
            assertThatThrownBy(() -> holder.write(bytes, 0)).isInstanceOf(StorageException.class);
            holder.unlock(5);
            holder.write(bytes, 0);
            writer.write(bytes, 0);
        }
    }

    /** The lookup of the open file by its name is the double's own step: it must not fail a reader. */
    @Test
    void opensAFileOrNotWhileItsNameGoes() throws Exception {
        create("0").close();
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Future<?> renaming = threads.submit(() -> {
                for (int i = 0; i < RENAMES; i++) {
                    storage.rename(directory.resolve("" + i), directory.resolve("" + (i + 1)));
                }
            });
            for (int name = 0; name < RENAMES; name++) {
                while (isThere("" + name)) {
                    assertThat(renaming.state())
                            .as("%s is there, and goes no more", name)
                            .isNotEqualTo(Future.State.FAILED);
                }
            }
            renaming.get();
        }
        assertThat(isThere("" + RENAMES)).isTrue();
    }

    private boolean isThere(String name) {
        Optional<StorageFile> file = storage.open(directory.resolve(name), false);
        file.ifPresent(StorageFile::close);
        return file.isPresent();
    }

    private void refusesToDeleteOrReplace(String name) {
        assertThatThrownBy(() -> storage.delete(directory.resolve(name)))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("open or mapped");
        assertThatThrownBy(() -> storage.rename(directory.resolve("other"), directory.resolve(name)))
                .isInstanceOf(StorageException.class);
    }
}
