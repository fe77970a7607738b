package dev.larder.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.resp.Request;
import dev.larder.server.MemoryFolder;
import dev.larder.server.ServerFixture;
import dev.larder.server.stream.Fields;
import dev.larder.server.stream.Stream;
import dev.larder.server.stream.StreamEnds;
import dev.larder.server.stream.StreamId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The content of a store at a moment, however late it is written. */
final class StoreMomentTest {

    private static final StoreOptions OPTIONS = StoreOptions.defaults().withSegmentBytes(4 << 20);
    private static final Bytes KEY = Bytes.of("s");

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    private Store open(String name) {
        return Store.open(0, directory.resolve(name), OPTIONS);
    }

    private static void add(Stream stream, int id) {
        List<byte[]> fields = List.of("f".getBytes(StandardCharsets.UTF_8), "v".getBytes(StandardCharsets.UTF_8));
        stream.add(new StreamId(id, 0), Fields.of(Request.of(fields), 0));
    }

    private static Stream stream(Store store) {
        return Objects.requireNonNull(store.stream(KEY));
    }

    private void makeThree() {
        try (ServerFixture server = new ServerFixture(directory)) {
            for (int id = 1; id <= 3; id++) {
                server.client().line("XADD s " + id + " f v");
            }
        }
    }

    private static StoreMoment moment(Store store) {
        StreamEnds ends = new StreamEnds();
        store.takeAllEnds(ends);
        return store.moment(ends);
    }

    private void assertLength(int length) {
        try (Store copy = open("copy");
                Stream stream = stream(copy)) {
            assertThat(stream.length()).isEqualTo(length);
            assertThat(stream.added()).isEqualTo(length);
            assertThat(stream.last()).isEqualTo(new StreamId(length, 0));
        }
    }

    /** After a start, a stream's queue is closed until its first use, so the moment does not know where the queue ends. */
    @Test
    void aStreamThatIsUsedFirstBehindTheMomentIsWrittenAsItWas() {
        makeThree();
        try (Store store = open("0")) {
            try (StoreMoment moment = moment(store)) {
                try (Stream stream = stream(store)) {
                    add(stream, 4);
                }
                moment.writeTo(directory.resolve("copy"), () -> {});
            }
        }
        assertLength(3);
    }

    @Test
    void aStreamThatWasUsedBeforeTheMomentIsWrittenAsItWas() {
        makeThree();
        try (Store store = open("0")) {
            try (Stream stream = stream(store)) {
                add(stream, 4);
            }
            try (StoreMoment moment = moment(store)) {
                try (Stream stream = stream(store)) {
                    add(stream, 5);
                }
                moment.writeTo(directory.resolve("copy"), () -> {});
            }
        }
        assertLength(4);
    }
}
