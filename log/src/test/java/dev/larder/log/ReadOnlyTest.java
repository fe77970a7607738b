package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.StorageException;
import dev.larder.memory.doubles.FaultyStorage;
import dev.larder.memory.doubles.StorageCall;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(300)
final class ReadOnlyTest {

    private static final LogOptions READ_ONLY = TestLogs.options().withReadOnly(true);

    @TempDir
    Path directory;

    /** The state of a file: its time of change, its size and the check of its bytes. */
    private record Content(Object modified, long size, long check) {
        static Content of(Path file) {
            try {
                CRC32C crc = new CRC32C();
                crc.update(Files.readAllBytes(file));
                return new Content(Files.getLastModifiedTime(file), Files.size(file), crc.getValue());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private Map<Path, Content> contents() throws IOException {
        Map<Path, Content> contents = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            files.forEach(file -> contents.put(file, Content.of(file)));
        }
        return contents;
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void changesNoFile(IntegrityMode integrity) throws Exception {
        LogOptions writing =
                TestLogs.options().withIntegrity(integrity).withSync(SyncPolicy.every(Duration.ofHours(1)));
        try (Log log = Log.open(directory, writing);
                LogAppender appender = log.appender()) {
            for (int i = 0; i < 1000; i++) {
                appender.append(TestLogs.bytes(3000, i));
            }
        }
        Map<Path, Content> before = contents();
        try (Log log = Log.open(directory, READ_ONLY);
                LogReader reader = log.reader()) {
            assertThat(TestLogs.payloads(reader)).hasSize(1000);
            assertThat(reader.poll((segment, offset, length) -> {}, Duration.ofMillis(30)))
                    .isFalse();
            assertThat(log.endPosition()).isEqualTo(reader.position());
            assertThat(log.info().integrity()).isEqualTo(integrity);
            assertThat(log.verify().problems()).isEmpty();
            reader.moveTo(log.endPosition());
            assertThat(contents()).isEqualTo(before);
        }
        assertThat(contents()).isEqualTo(before);
    }

    @Test
    void refusesToWrite() throws IOException {
        TestLogs.open(directory).close();
        Map<Path, Content> before = contents();
        try (Log log = Log.open(directory, READ_ONLY)) {
            assertThatThrownBy(log::appender)
                    .isInstanceOf(ReadOnlyException.class)
                    .hasMessageContaining(directory.toString());
            assertThatThrownBy(log::sync).isInstanceOf(ReadOnlyException.class);
            assertThatThrownBy(() -> log.prepare(1 << 20)).isInstanceOf(ReadOnlyException.class);
        }
        assertThat(contents()).isEqualTo(before);
    }

    @Test
    void makesNoLogWhereThereIsNone() throws IOException {
        assertThatThrownBy(() -> Log.open(directory, READ_ONLY))
                .isInstanceOf(StorageException.class)
                .hasMessageContainingAll(directory.toString(), "no log");
        assertThat(contents()).isEmpty();
        assertThatThrownBy(() -> Log.open(directory.resolve("none"), READ_ONLY)).isInstanceOf(StorageException.class);
        assertThat(contents()).isEmpty();
    }

    @Test
    void makesNoCallThatWrites() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes("one"));
        }
        FaultyStorage storage = new FaultyStorage(TestLogs.storage());
        try (Log log = Log.open(directory, HookedOptions.withStorage(READ_ONLY, storage))) {
            assertThat(TestLogs.texts(log)).containsExactly("one");
            assertThat(log.verify().problems()).isEmpty();
        }
        for (StorageCall call : StorageCall.values()) {
            boolean reads = call == StorageCall.OPEN
                    || call == StorageCall.MAP
                    || call == StorageCall.LIST
                    || call == StorageCall.POPULATE_FOR_READ;
            assertThat(reads || storage.count(call) == 0).as(call.toString()).isTrue();
        }
    }

    /** A directory of another user: neither files nor the directory may be written. */
    @Test
    void opensWhatItMayNotWrite() throws IOException {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes("one"));
            log.sync();
        }
        for (Path file : contents().keySet()) {
            assertThat(file.toFile().setReadOnly()).isTrue();
        }
        Files.delete(directory.resolve("log.lck"));
        try (Log log = Log.open(directory, READ_ONLY)) {
            assertThat(TestLogs.texts(log)).containsExactly("one");
        }
    }
}
