package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.log.LogBusyException;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.map.shared.IndexFile;
import dev.larder.memory.Access;
import dev.larder.memory.CorruptException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemStorage;
import dev.larder.memory.doubles.DelegatingFile;
import dev.larder.memory.doubles.DelegatingStorage;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lock that shows that a process has an index open, while another process briefly locks the file for itself alone. */
final class IndexFileLockTest {

    private static final long NUMBER = 5;

    @TempDir
    Path directory;

    private Path path;

    @BeforeEach
    void make() {
        assumeTrue(TestMaps.storage().isNative(), "without native calls a file cannot be asked whether it is locked");
        path = directory.resolve("index");
        IndexFile.Opening opening = new IndexFile.Opening(NUMBER, new UUID(1, 2), 7, 2L << 20);
        long bytes = IndexFileLayout.STEPS_AT + IndexFileLayout.UNIT_BYTES;
        try (IndexFile made = IndexFile.create(path, bytes, opening, Access.OWNER, SystemStorage.system())) {
            made.makeReady();
        }
    }

    /** A storage on which another process locks every byte at first, and whose clock advances by a second per reading. */
    private static final class Contended extends DelegatingStorage {
        private int refusals;
        private long nanos;

        Contended(int refusals) {
            super(SystemStorage.system());
            this.refusals = refusals;
        }

        @Override
        public long nanoTime() {
            nanos += 1_000_000_000L;
            return nanos;
        }

        @Override
        public Optional<StorageFile> open(Path file, boolean writable) {
            return super.open(file, writable).map(opened -> new DelegatingFile(opened) {
                @Override
                public boolean tryLockShared(long offset) {
                    return refusals-- <= 0 && super.tryLockShared(offset);
                }
            });
        }
    }

    @Test
    void isHeldByWhoAttachesBesideAProbe() {
        try (IndexFile attached =
                IndexFile.attach(path, NUMBER, new Contended(3)).orElseThrow()) {
            assertThat(IndexFile.isOpen(path, SystemStorage.system())).isTrue();
            IndexFile.removeOld(path, SystemStorage.system());
            assertThat(attached.path()).exists();
        }
        assertThat(IndexFile.isOpen(path, SystemStorage.system())).isFalse();
    }

    @Test
    void isWaitedForSoLongOnly() {
        assertThatThrownBy(() -> IndexFile.attach(path, NUMBER, new Contended(Integer.MAX_VALUE)))
                .isInstanceOf(LogBusyException.class)
                .hasMessageContaining(path.toString())
                .hasMessageContaining("10 s");
        assertThat(IndexFile.isOpen(path, SystemStorage.system())).isFalse();
    }

    /** Where locks belong to the process, closing any descriptor of the file releases them. */
    @Test
    void staysHeldWhereLocksBelongToTheProcessAndThisOneLooksAtItsState() {
        try (IndexFile attached =
                IndexFile.attach(path, NUMBER, SystemStorage.portable()).orElseThrow()) {
            for (int i = 0; i < 2; i++) {
                IndexFile.view(path, NUMBER, SystemStorage.portable())
                        .orElseThrow()
                        .close();
            }
            assertThatThrownBy(() -> IndexFile.view(path, NUMBER + 1, SystemStorage.portable()))
                    .isInstanceOf(CorruptException.class);
            assertThat(IndexFile.isOpen(attached.path(), SystemStorage.system()))
                    .isTrue();
        }
        assertThat(IndexFile.isOpen(path, SystemStorage.system())).isFalse();
    }
}
