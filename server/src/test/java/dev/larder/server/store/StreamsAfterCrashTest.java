package dev.larder.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.LarderMap;
import dev.larder.map.MapOptions;
import dev.larder.map.MapTime;
import dev.larder.memory.StorageException;
import dev.larder.memory.SystemStorage;
import dev.larder.resp.Request;
import dev.larder.server.MemoryFolder;
import dev.larder.server.stream.CopiedStream;
import dev.larder.server.stream.Fields;
import dev.larder.server.stream.Group;
import dev.larder.server.stream.GroupConsumer;
import dev.larder.server.stream.Stream;
import dev.larder.server.stream.StreamId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The states of streams that a crash may leave. Each test makes one by hand, between two openings of a store. */
final class StreamsAfterCrashTest {

    private static final StoreOptions OPTIONS = StoreOptions.defaults().withSegmentBytes(4 << 20);
    private static final Bytes KEY = Bytes.of("s");
    private static final Bytes OTHER = Bytes.of("other");

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    private Store open() {
        return Store.open(0, directory, OPTIONS);
    }

    /** Makes a stream of three entries with a group that has read two. */
    private void make() {
        try (Store store = open();
                Stream stream = store.createStream(KEY, empty -> {})) {
            for (int i = 1; i <= 3; i++) {
                stream.add(new StreamId(i, 0), fields("field", "value " + i));
            }
            Group group = stream.groups().add("g", StreamId.ZERO, 0);
            GroupConsumer consumer = group.addConsumer("c", 1);
            group.give(new StreamId(1, 0), consumer, 1, 1);
            group.give(new StreamId(2, 0), consumer, 1, 1);
        }
    }

    private static Fields fields(String... texts) {
        return Fields.of(
                Request.of(Arrays.stream(texts)
                        .map(text -> text.getBytes(StandardCharsets.UTF_8))
                        .toList()),
                0);
    }

    private LarderMap<byte[], byte[]> map(String name) {
        MapOptions options = MapOptions.defaults()
                .withLog(LogOptions.defaults().withSync(OPTIONS.sync()).withLargestSegmentBytes(OPTIONS.segmentBytes()))
                .withTime(MapTime.of(OPTIONS.clock()))
                .withCounted(true);
        return LarderMap.open(
                directory.resolve("streams").resolve(name), ValueCodec.bytes(), ValueCodec.bytes(), options);
    }

    private Path folder(long number) {
        return directory.resolve("streams").resolve(Long.toString(number));
    }

    @Test
    void ofTwoNamesOfAStreamTheLaterOneCounts() {
        make();
        try (LarderMap<byte[], byte[]> names = map("names")) {
            byte[] value = Objects.requireNonNull(names.get(KEY.toArray()));
            long turn = ByteBuffer.wrap(value).getLong(Long.BYTES);
            names.set(
                    OTHER.toArray(),
                    ByteBuffer.wrap(value.clone()).putLong(Long.BYTES, turn + 1).array());
        }
        try (Store store = open()) {
            assertThat(store.type(KEY)).isEqualTo(KeyType.NONE);
            try (Stream stream = Objects.requireNonNull(store.stream(OTHER))) {
                assertThat(stream.length()).isEqualTo(3);
                assertThat(Objects.requireNonNull(stream.groups().find("g")).pending())
                        .hasSize(2);
            }
        }
    }

    @Test
    void aStringCountsBeforeAStream() {
        make();
        try (Store store = open()) {
            store.put(OTHER, Bytes.of("a text"));
        }
        try (LarderMap<byte[], byte[]> names = map("names")) {
            names.set(OTHER.toArray(), Objects.requireNonNull(names.get(KEY.toArray())));
            names.delete(KEY.toArray());
        }
        try (Store store = open()) {
            assertThat(store.type(OTHER)).isEqualTo(KeyType.STRING);
            assertThat(store.size()).isEqualTo(1);
        }
        assertThat(folder(1)).doesNotExist();
    }

    /** Regression: a stream whose name had expired gave its number to a later one, which was removed with that name. */
    @Test
    void anExpiredNameDoesNotRemoveALaterStream() {
        AtomicLong now = new AtomicLong(System.currentTimeMillis());
        StoreOptions options = OPTIONS.withClock(() -> Instant.ofEpochMilli(now.get()));
        try (Store store = Store.open(0, directory, options)) {
            store.createStream(KEY, empty -> {}).close();
            store.setDeadline(KEY, now.get() + 1000, new ValueBuffer());
        }
        now.addAndGet(5000);
        Store.open(0, directory, options).close(); // deletes the stream, and leaves its name
        try (Store store = Store.open(0, directory, options)) {
            try (Stream made = store.createStream(OTHER, empty -> {})) {
                made.add(new StreamId(1, 0), fields("field", "value"));
            }
            assertThat(store.removeExpired(KEY)).isTrue();
            try (Stream made = Objects.requireNonNull(store.stream(OTHER))) {
                assertThat(made.length()).isEqualTo(1);
            }
            store.setDeadline(OTHER, now.get() + 1000, new ValueBuffer());
            now.addAndGet(5000);
            assertThat(store.removeExpired(OTHER)).isTrue();
            assertThat(folder(1)).doesNotExist();
        }
    }

    @Test
    void whatHasNoNameIsRemoved() throws Exception {
        make();
        try (LarderMap<byte[], byte[]> names = map("names")) {
            names.delete(KEY.toArray());
        }
        Files.createDirectory(folder(77));
        try (Store store = open()) {
            assertThat(store.size()).isZero();
            try (Stream made = store.createStream(KEY, empty -> {})) {
                assertThat(made.number()).as("a number is not used twice").isGreaterThan(77);
            }
        }
        assertThat(folder(1)).doesNotExist();
        assertThat(folder(77)).doesNotExist();
        try (LarderMap<byte[], byte[]> records = map("records")) {
            assertThat(records.keySet()).allMatch(key -> ByteBuffer.wrap(key).getLong() > 77);
        }
    }

    @Test
    void whatAGroupHasLeftIsRemoved() {
        make();
        try (LarderMap<byte[], byte[]> records = map("records")) {
            List<byte[]> groups = records.keySet().stream()
                    .filter(key -> key[Long.BYTES] == 'G')
                    .toList();
            groups.forEach(records::delete);
            assertThat(groups).hasSize(1);
        }
        open().close();
        try (LarderMap<byte[], byte[]> records = map("records")) {
            assertThat(records.keySet())
                    .extracting(key -> (char) key[Long.BYTES])
                    .containsOnly('H');
        }
    }

    @Test
    void whatTheHeadDoesNotCountIsReadFromTheQueue() {
        make();
        try (LarderMap<byte[], byte[]> records = map("records")) {
            records.keySet().stream()
                    .filter(key -> key[Long.BYTES] == 'H')
                    .toList()
                    .forEach(records::delete);
        }
        try (Store store = open();
                Stream stream = Objects.requireNonNull(store.stream(KEY))) {
            assertThat(stream.length()).isEqualTo(3);
            assertThat(stream.added()).isEqualTo(3);
            assertThat(stream.last()).isEqualTo(new StreamId(3, 0));
            assertThat(stream.firstId()).isEqualTo(new StreamId(1, 0));
        }
    }

    @Test
    void recordsOfEntriesThatAreGoneAreForgotten() throws Exception {
        make();
        try (Store store = open();
                Stream stream = Objects.requireNonNull(store.stream(KEY))) {
            stream.delete(new StreamId(2, 0));
        }
        try (java.util.stream.Stream<Path> files = Files.list(folder(1))) {
            for (Path file : files.toList()) {
                Files.delete(file); // as if nothing of the queue had reached the disk
            }
        }
        try (Store store = open();
                Stream stream = Objects.requireNonNull(store.stream(KEY))) {
            assertThat(stream.length()).isZero();
            assertThat(stream.last()).isEqualTo(new StreamId(3, 0));
            stream.add(new StreamId(4, 0), fields("a", "b"));
            stream.add(new StreamId(5, 0), fields("a", "b"));
            assertThat(stream.length()).isEqualTo(2);
            assertThat(stream.contains(new StreamId(5, 0))).isTrue();
        }
    }

    private void add(Stream stream, int millis, String producer, String number, long nowMillis) {
        stream.add(new StreamId(millis, 0), fields("f", "v"), producer, number, nowMillis);
    }

    /** The number is recorded, and then there is no room for the entry. */
    @Test
    void aNumberIsForgottenWhoseEntryCouldNotBeAdded() {
        AtomicInteger appends = new AtomicInteger(Integer.MIN_VALUE);
        LogOptions failing = HookedOptions.withFailpoints(LogOptions.defaults(), step -> {
            if (step.equals("append.entered") && appends.incrementAndGet() == 2) { // the first is the number's record
                throw new StorageException("no room for the entry");
            }
        });
        try (Store store = Store.open(0, directory, OPTIONS.withStorage(failing, SystemStorage.system()));
                Stream stream = store.createStream(KEY, empty -> {})) {
            add(stream, 1, "p", "1", 0);
            appends.set(0);
            assertThatThrownBy(() -> add(stream, 2, "p", "2", 0)).isInstanceOf(StorageException.class);
            stream.add(new StreamId(3, 0), fields("f", "v"));
            assertThat(stream.producers().find("p", "2", 0, stream.last())).isNull();
            assertThat(stream.producers().find("p", "1", 0, stream.last())).isEqualTo(new StreamId(1, 0));
        }
        try (Store store = open();
                Stream stream = Objects.requireNonNull(store.stream(KEY))) {
            assertThat(stream.producers().find("p", "2", 0, stream.last())).isNull();
            assertThat(stream.producers().find("p", "1", 0, stream.last())).isEqualTo(new StreamId(1, 0));
        }
    }

    /** A loss of power has taken the entry, and left the record of its number. */
    @Test
    void aNumberWithoutItsEntryStaysUnknownWhenOthersAreAdded() {
        try (Store store = open();
                Stream stream = store.createStream(KEY, empty -> {})) {
            add(stream, 1, "p", "1", 0);
            stream.producers().add("p", "2", new StreamId(2, 0), 0);
        }
        try (Store store = open();
                Stream stream = Objects.requireNonNull(store.stream(KEY))) {
            stream.add(new StreamId(3, 0), fields("f", "v"));
            assertThat(stream.producers().find("p", "2", 0, stream.last())).isNull();
            assertThat(stream.producers().find("p", "1", 0, stream.last())).isEqualTo(new StreamId(1, 0));
        }
    }

    @Test
    void producersThatAddNothingAnyMoreAreForgotten() {
        try (Store store = open();
                Stream stream = store.createStream(KEY, empty -> {})) {
            for (int i = 1; i <= 6; i++) {
                add(stream, i, "p" + i, "1", 0);
            }
            add(stream, 7, "p1", "2", 50_000);
            for (int i = 8; i <= 11; i++) {
                add(stream, i, "last", Integer.toString(i), 120_000);
            }
            assertThat(stream.producers().find("p1", "2", 120_000, stream.last()))
                    .isEqualTo(new StreamId(7, 0));
        }
        try (LarderMap<byte[], byte[]> records = map("records")) {
            assertThat(records.size()).isBetween(6, 7); // the head, two numbers of p1 at most, and four of the last
        }
    }

    /** The first step that fails is the name of the copy, the second the removal of the string that it replaces. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aCopyThatCannotReplaceAStringLeavesNothing(int step) {
        AtomicInteger appends = new AtomicInteger(Integer.MIN_VALUE);
        LogOptions failing = HookedOptions.withFailpoints(LogOptions.defaults(), point -> {
            if (point.equals("append.entered") && appends.incrementAndGet() == step) {
                throw new StorageException("no room");
            }
        });
        make();
        try (Store store = Store.open(0, directory, OPTIONS.withStorage(failing, SystemStorage.system()))) {
            store.put(OTHER, Bytes.of("a text"));
            try (Stream source = Objects.requireNonNull(store.stream(KEY));
                    CopiedStream copy = new CopiedStream(store, store::streams, source)) {
                copy.make();
                assertThat(copy.finish()).isTrue();
                appends.set(0);
                assertThatThrownBy(() -> store.putStream(OTHER, Store.ENDLESS, copy))
                        .isInstanceOf(StorageException.class);
            }
            assertThat(store.type(OTHER)).isEqualTo(KeyType.STRING);
            assertThatThrownBy(() -> store.stream(OTHER)).isInstanceOf(WrongTypeException.class);
            assertThat(store.size()).isEqualTo(2);
            assertThat(folder(1)).exists();
            assertThat(folder(2)).doesNotExist();
        }
    }
}
