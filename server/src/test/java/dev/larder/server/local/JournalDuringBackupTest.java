package dev.larder.server.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.resp.Request;
import dev.larder.server.MemoryFolder;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.Store;
import dev.larder.server.store.StoreOptions;
import dev.larder.server.stream.Fields;
import dev.larder.server.stream.Stream;
import dev.larder.server.stream.StreamId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backup stops the thread that deletes files, and may do so for long. */
final class JournalDuringBackupTest {

    private static final StoreOptions OPTIONS = StoreOptions.defaults().withSegmentBytes(1 << 20);
    private static final int VALUE_BYTES = 60 << 10;
    private static final int ENTRIES = 100;

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    private List<Path> segments() throws IOException {
        try (java.util.stream.Stream<Path> files = Files.list(directory.resolve("0/streams/journal"))) {
            return files.filter(file -> file.toString().endsWith(".seg")).toList();
        }
    }

    @Test
    void theJournalOfStreamsForgetsWhatIsDurableMeanwhile() throws IOException {
        try (LocalStores stores = LocalStores.open(directory, 1, OPTIONS)) {
            stores.setStreamJournals(true);
            Store store = stores.store(0);
            Fields fields =
                    Fields.of(Request.of(List.of("field".getBytes(StandardCharsets.UTF_8), new byte[VALUE_BYTES])), 0);
            try (Stream stream = store.createStream(Bytes.of("s"), empty -> {})) {
                stream.add(new StreamId(1, 0), fields);
            }
            stores.sync(); // the first entry is durable by its queue, those behind it by the journal
            try (Stream stream = Objects.requireNonNull(store.stream(Bytes.of("s")))) {
                for (int i = 2; i <= ENTRIES; i++) {
                    stream.add(new StreamId(i, 0), fields);
                }
            }
            stores.sync();
            assertThat(segments()).hasSizeGreaterThan(1);
            Path first = Collections.min(segments());
            try (LocalStores.Hold _ = stores.holdFiles()) {
                stores.setStreamJournals(false); // as when the journal has become long: the queues are synced
                await().atMost(Duration.ofMinutes(1)).until(() -> Files.notExists(first));
            }
        }
    }
}
