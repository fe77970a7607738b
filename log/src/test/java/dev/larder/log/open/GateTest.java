package dev.larder.log.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.Log;
import dev.larder.log.LogAppender;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.TestLogs;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.shared.LockFile;
import dev.larder.memory.Access;
import dev.larder.memory.LarderException;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.DelegatingFile;
import dev.larder.memory.doubles.DelegatingStorage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The next holder of GATE never takes a process that has left for live: that process frees its LIVE byte first. */
final class GateTest {

    @TempDir
    Path directory;

    private final Freed storage = new Freed();

    /** Records which of the two bytes a process frees, and in which order. */
    private static final class Freed extends DelegatingStorage {

        private final List<String> freed = new ArrayList<>();

        Freed() {
            super(TestLogs.storage());
        }

        @Override
        public Optional<StorageFile> open(Path file, boolean writable) {
            return super.open(file, writable).map(this::noting);
        }

        @Override
        public Optional<StorageFile> create(Path file, Access access) {
            return super.create(file, access).map(this::noting);
        }

        private StorageFile noting(StorageFile file) {
            return new DelegatingFile(file) {
                private boolean alive;

                @Override
                public boolean tryLock(long offset) {
                    boolean locked = super.tryLock(offset);
                    alive |= locked && offset == LockFile.live(0);
                    return locked;
                }

                @Override
                public void unlock(long offset) {
                    if (offset == LockFile.GATE) {
                        freed.add("GATE");
                    } else if (offset == LockFile.live(0) && alive) { // and not just shared
                        alive = false;
                        freed.add("LIVE");
                    }
                    super.unlock(offset);
                }

                @Override
                public void close() {
                    if (file.path().endsWith(LockFile.FILE_NAME)) {
                        freed.add("all");
                    }
                    super.close();
                }
            };
        }
    }

    private LogOptions options(Failpoints steps) {
        return HookedOptions.withFailpoints(HookedOptions.withStorage(TestLogs.options(), storage), steps);
    }

    @Test
    void aProcessThatClosesIsGoneBeforeItFreesTheGate() {
        Log log = Log.open(directory, options(Failpoints.NONE));
        storage.freed.clear();
        log.close();
        assertThat(storage.freed).containsExactly("LIVE", "GATE", "all");
    }

    @Test
    void aProcessWhoseLastSyncFailsIsGoneBeforeItFreesTheGate() {
        Failpoints failing = step -> {
            if (step.equals("sync.sealed")) {
                throw new StorageException("fails at " + step);
            }
        };
        Log log = Log.open(directory, options(failing).withSync(SyncPolicy.everyAppend()));
        try (LogAppender appender = log.appender()) {
            assertThatThrownBy(() -> appender.append(TestLogs.bytes("one"))).isInstanceOf(LarderException.class);
        }
        storage.freed.clear();
        assertThatThrownBy(log::close).isInstanceOf(LarderException.class);
        assertThat(storage.freed).containsExactly("LIVE", "GATE", "all");
    }

    @ParameterizedTest
    @ValueSource(strings = {"register.taken", "register.recovered"})
    void aProcessWhoseOpeningFailsIsGoneBeforeItFreesTheGate(String failing) {
        Log.open(directory, options(Failpoints.NONE)).close();
        storage.freed.clear();
        assertThatThrownBy(() -> Log.open(directory, options(step -> {
                    if (step.equals(failing)) {
                        throw new StorageException("fails at " + step);
                    }
                })))
                .hasMessage("fails at " + failing);
        assertThat(storage.freed).containsExactly("LIVE", "GATE", "all");
    }
}
