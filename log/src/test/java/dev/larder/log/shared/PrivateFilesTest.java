package dev.larder.log.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.Log;
import dev.larder.log.LogAppender;
import dev.larder.log.LogOptions;
import dev.larder.log.TestLogs;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.DelegatingStorage;
import dev.larder.memory.doubles.StrictStorage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a system that keeps all names of an open file, another process may open a segment before its private name is deleted. */
final class PrivateFilesTest {

    @TempDir
    private Path directory;

    @Test
    void aPrivateNameThatCannotGoYetStopsNobody() {
        HastyReader storage = new HastyReader();
        LogOptions options = HookedOptions.withStorage(TestLogs.options(), storage);
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender()) {
            for (int record = 0; record < 20; record++) {
                appender.append(TestLogs.bytes(400 << 10, record));
            }
            assertThat(TestLogs.payloads(log)).hasSize(20);
        }
        assertThat(privateNames(storage)).isNotEmpty();
        storage.leave();
        Log.open(directory, options).close();
        assertThat(privateNames(storage)).isEmpty();
    }

    private List<String> privateNames(HastyReader storage) {
        return storage.list(directory).stream()
                .filter(name -> name.endsWith(PrivateFiles.SUFFIX))
                .toList();
    }

    /** Opens each segment as soon as the segment has its name, and keeps it open. */
    private static final class HastyReader extends DelegatingStorage {

        private final List<StorageFile> opened = new ArrayList<>();

        HastyReader() {
            super(new StrictStorage());
        }

        @Override
        public boolean link(Path existing, Path name) {
            boolean linked = super.link(existing, name);
            open(name, true).ifPresent(opened::add);
            return linked;
        }

        void leave() {
            opened.forEach(StorageFile::close);
            opened.clear();
        }
    }
}
