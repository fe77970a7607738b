package dev.larder.server.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.resp.Request;
import dev.larder.server.MemoryFolder;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.Store;
import dev.larder.server.store.StoreOptions;
import dev.larder.server.stream.Fields;
import dev.larder.server.stream.Group;
import dev.larder.server.stream.Stream;
import dev.larder.server.stream.StreamId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stream changes between the moment at which its entries were read for a dump, and the moment of the dump. */
@Timeout(60)
final class LongDumpTest {

    private static final Bytes KEY = Bytes.of("s");
    private static final Bytes OTHER = Bytes.of("other");
    private static final int ENTRIES = 1000;

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    private Store store;

    /** Held while the dump is made, as by a transaction. */
    private final ReentrantLock slot = new ReentrantLock();

    @BeforeEach
    void open() {
        store = Store.open(0, directory, StoreOptions.defaults().withSegmentBytes(4 << 20));
        try (Stream stream = store.createStream(KEY, empty -> {})) {
            for (int i = 1; i <= ENTRIES; i++) {
                add(stream, i);
            }
            Group group = stream.groups().add("g", new StreamId(3, 0), 3);
            group.give(new StreamId(2, 0), group.addConsumer("c", 1), 5, 7);
        }
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static void add(Stream stream, int millis) {
        stream.add(
                new StreamId(millis, 0),
                Fields.of(
                        Request.of(List.of(
                                "f".getBytes(StandardCharsets.UTF_8),
                                Integer.toString(millis).getBytes(StandardCharsets.UTF_8))),
                        0));
    }

    private static void change(Stream stream, String change) {
        switch (change) {
            case "nothing" -> {}
            case "add" -> add(stream, ENTRIES + 1);
            case "trim" -> stream.trim(stream.ceiling(new StreamId(150, 0)));
            case "trim all" -> stream.trim(stream.end());
            case "delete" -> {
                stream.delete(new StreamId(500, 0));
                stream.delete(new StreamId(1, 0));
            }
            case "read" -> {
                Group group = Objects.requireNonNull(stream.groups().find("g"));
                group.give(new StreamId(4, 0), group.addConsumer("d", 1), 6, 1);
                group.setLast(new StreamId(4, 0), 4);
                stream.changed();
            }
            default -> throw new IllegalArgumentException(change);
        }
    }

    private static List<String> look(Stream stream) {
        List<String> look = new ArrayList<>();
        stream.forEach(stream.first(), stream.end(), Long.MAX_VALUE, (id, segment, offset) -> look.add(id.toString()));
        look.add(stream.length() + " " + stream.last() + " " + stream.added() + " " + stream.greatestDeleted());
        stream.groups().all().values().forEach(group -> {
            look.add(group.name() + " " + group.last() + " " + group.read() + " "
                    + group.pending().keySet());
            group.consumers()
                    .values()
                    .forEach(consumer ->
                            look.add(consumer.name() + " " + consumer.pending().keySet()));
        });
        return look;
    }

    private List<String> restored(byte[] dump) {
        try (RestoredStream made = new RestoredStream(store, Bytes.of(dump))) {
            made.make();
            made.requireMade();
            store.putStream(OTHER, Store.ENDLESS, made);
        }
        try (Stream stream = Objects.requireNonNull(store.stream(OTHER))) {
            return look(stream);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nothing", "add", "trim", "trim all", "delete", "read"})
    void aDumpIsOfTheMomentAtWhichNobodyChangesTheStream(String change) throws Exception {
        Stream stream = Objects.requireNonNull(store.stream(KEY));
        stream.close();
        LongDump dump = new LongDump();
        Thread maker = Thread.ofPlatform().unstarted(() -> dump.make(stream, slot, () -> true));
        slot.lock();
        try {
            maker.start();
            await().until(() -> slot.hasQueuedThread(maker)); // the maker has read the entries
            try (Stream used = Objects.requireNonNull(store.stream(KEY))) {
                change(used, change);
            }
        } finally {
            slot.unlock();
        }
        maker.join();
        try (Stream used = Objects.requireNonNull(store.stream(KEY))) {
            List<String> now = look(used);
            assertThat(restored(Objects.requireNonNull(dump.made()))).isEqualTo(now);
        }
    }

    @Test
    void aStreamThatItsKeyHasNoMoreIsNotDumped() {
        Stream stream = Objects.requireNonNull(store.stream(KEY));
        stream.close();
        LongDump renamed = new LongDump();
        renamed.make(stream, slot, () -> false);
        assertThat(renamed.made()).isNull();
        store.remove(KEY);
        LongDump removed = new LongDump();
        removed.make(stream, slot, () -> true);
        assertThat(removed.made()).isNull();
    }

    @Test
    void aDumpThatNobodyNeedsAnyMoreIsNotMade() {
        Stream stream = Objects.requireNonNull(store.stream(KEY));
        stream.close();
        LongDump dump = new LongDump();
        dump.stop();
        dump.make(stream, slot, () -> true);
        assertThat(dump.made()).isNull();
        TransactionDumps dumps = new TransactionDumps();
        LongDump making = dumps.begin();
        dumps.stop();
        making.make(stream, slot, () -> true);
        assertThat(making.made()).isNull();
        LongDump next = dumps.begin();
        next.make(stream, slot, () -> true);
        assertThat(next.made()).isNull();
    }
}
