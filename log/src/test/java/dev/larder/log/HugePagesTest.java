package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Storage;
import dev.larder.memory.doubles.DelegatingStorage;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The log requests large pages under every segment, or under none; a refusal changes nothing. */
@Timeout(300)
final class HugePagesTest {

    @TempDir
    Path directory;

    /** A storage that records each request for large pages, and refuses it. */
    private static final class Noting extends DelegatingStorage {
        private final List<Long> asked = new CopyOnWriteArrayList<>();

        Noting(Storage storage) {
            super(storage);
        }

        @Override
        public Optional<String> preferHugePages(MemorySegment mapped) {
            asked.add(mapped.byteSize());
            return Optional.of("not here");
        }
    }

    private List<Long> asked(LogLayout layout) {
        Noting storage = new Noting(TestLogs.storage());
        LogOptions options =
                HookedOptions.withStorage(TestLogs.options(), storage).withLayout(ignored -> layout);
        try (Log log = Log.open(directory.resolve(layout.hugePages() ? "with" : "without"), options);
                LogAppender appender = log.appender()) {
            TestLogs.fillUpTo(appender, 2, 1000);
            assertThat(log.verify().problems()).isEmpty();
        }
        return storage.asked;
    }

    @Test
    void areAskedForUnderWholeSegmentsIfWished() {
        LogLayout small = TestLogs.options().layout();
        assertThat(asked(small)).isEmpty();
        assertThat(asked(small.withHugePages(true)))
                .hasSizeGreaterThanOrEqualTo(3)
                .allMatch(bytes -> bytes == TestLogs.MIB_2);
    }
}
