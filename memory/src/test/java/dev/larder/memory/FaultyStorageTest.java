package dev.larder.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.memory.doubles.FaultyStorage;
import dev.larder.memory.doubles.StorageCall;
import dev.larder.memory.portable.PortableStorage;
import org.junit.jupiter.api.Test;

final class FaultyStorageTest extends StorageContract {

    @Override
    protected Storage storage() {
        return new FaultyStorage(PortableStorage.INSTANCE);
    }

    @Test
    void failsTheChosenCallAndNoOther() {
        FaultyStorage faulty = (FaultyStorage) storage;
        faulty.fail(StorageCall.FORCE_ALL, 2, () -> new StorageException("broken"));
        try (StorageFile file = create("file")) {
            file.forceAll();
            assertThatThrownBy(file::forceAll)
                    .isInstanceOf(StorageException.class)
                    .hasMessage("broken");
            file.forceAll();
        }
        assertThat(faulty.count(StorageCall.FORCE_ALL)).isEqualTo(3);
    }

    @Test
    void failsFromACallOnUntilHealed() {
        FaultyStorage faulty = (FaultyStorage) storage;
        faulty.failFrom(StorageCall.CREATE, 1, () -> new DiskFullException("full"));
        assertThatThrownBy(() -> create("a")).isInstanceOf(DiskFullException.class);
        assertThatThrownBy(() -> create("a")).isInstanceOf(DiskFullException.class);
        assertThat(storage.list(directory)).isEmpty();
        faulty.heal();
        create("a").close();
    }

    @Test
    void turnsTheClockBack() {
        FaultyStorage faulty = (FaultyStorage) storage;
        assertThat(faulty.currentTimeMillis()).isPositive();
        faulty.setCurrentTimeMillis(1000);
        assertThat(faulty.currentTimeMillis()).isEqualTo(1000);
    }
}
