package dev.larder.server.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.LogOptions;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.SystemStorage;
import dev.larder.server.store.StoreOptions;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The stores of a node as a whole. */
@Timeout(60)
final class LocalStoresTest {

    @TempDir
    private Path directory;

    /** The JVM has no stack, or no memory, for the first close. All other stores are closed nevertheless. */
    @Test
    void anErrorAtACloseKeepsNoOtherStoreOpen() {
        AtomicInteger closed = new AtomicInteger();
        LogOptions failing = HookedOptions.withFailpoints(LogOptions.defaults(), step -> {
            if (step.equals("close.locks") && closed.getAndIncrement() == 0) {
                throw new StackOverflowError("at the first close");
            }
        });
        StoreOptions options =
                StoreOptions.defaults().withSegmentBytes(4 << 20).withStorage(failing, SystemStorage.system());
        LocalStores stores = LocalStores.open(directory, 3, options);
        for (int database = 0; database < stores.count(); database++) {
            stores.store(database);
        }
        assertThatThrownBy(stores::close).isInstanceOf(StackOverflowError.class);
        assertThat(closed).hasValue(3);
        LocalStores.open(directory, 3, StoreOptions.defaults().withSegmentBytes(4 << 20))
                .close();
    }

    private LocalStores stores(Failpoints failing) {
        LocalStores stores = LocalStores.open(
                directory.resolve("data"),
                3,
                StoreOptions.defaults()
                        .withSegmentBytes(4 << 20)
                        .withStorage(
                                HookedOptions.withFailpoints(LogOptions.defaults(), failing), SystemStorage.system()));
        for (int database = 0; database < stores.count(); database++) {
            stores.store(database);
        }
        return stores;
    }

    /** The same for the snapshots of a backup: a snapshot that stayed open would keep its records on the disk. */
    @Test
    void anErrorAtTheEndOfABackupKeepsNoOtherSnapshotOpen() {
        AtomicInteger closed = new AtomicInteger();
        Failpoints failing = step -> {
            if (step.equals("close.snapshot") && closed.getAndIncrement() == 0) {
                throw new OutOfMemoryError("at the first close");
            }
        };
        try (LocalStores stores = stores(failing);
                Backups backups = new Backups(stores, new SlotLocks())) {
            assertThatThrownBy(() -> backups.write(directory.resolve("backup"))).isInstanceOf(OutOfMemoryError.class);
            assertThat(closed).hasValue(3);
        }
    }

    @Test
    void anErrorAtTheBeginningOfABackupKeepsNoSnapshotOpen() {
        AtomicInteger taken = new AtomicInteger();
        AtomicInteger closed = new AtomicInteger();
        Failpoints failing = step -> {
            if (step.equals("snapshot.copied") && taken.incrementAndGet() == 3) {
                throw new StackOverflowError("at the third snapshot");
            }
            if (step.equals("close.snapshot") && closed.getAndIncrement() == 0) {
                throw new OutOfMemoryError("at the first close");
            }
        };
        try (LocalStores stores = stores(failing);
                Backups backups = new Backups(stores, new SlotLocks())) {
            assertThatThrownBy(() -> backups.write(directory.resolve("backup")))
                    .isInstanceOf(StackOverflowError.class)
                    .satisfies(error ->
                            assertThat(error.getSuppressed()).singleElement().isInstanceOf(OutOfMemoryError.class));
            assertThat(closed).hasValue(2);
        }
    }
}
