package dev.larder.array.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.array.MemberName;
import dev.larder.array.entry.Entry;
import dev.larder.array.entry.EntryCall;
import dev.larder.array.entry.Operation;
import dev.larder.array.entry.SplitEntry;
import dev.larder.array.entry.SplitParts;
import dev.larder.array.stripe.EntryValues;
import dev.larder.array.stripe.StoreStripe;
import dev.larder.array.stripe.StripeState.Place;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.StateMachineEntryProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The log of a member goes as far as the values of its entries. Files: {@code log_0-5} and {@code log_inprogress_6}, up to entry
 * 9.
 */
final class MissingValuesTest {

    private static final UUID STRIPE = new UUID(3, 3);
    private static final long TERM = 4;
    private static final long LAST = 9;
    private static final long SEGMENT_BYTES = 4 << 20;

    @TempDir
    private Path directory;

    private Path logs;
    private RaftOptions options;

    @BeforeEach
    void writeLogs() throws IOException {
        options = RaftOptions.of(
                new MemberName(0, 0),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
                directory.resolve("raft"),
                Optional.empty());
        logs = options.directory().resolve(STRIPE.toString()).resolve("current");
        Files.createDirectories(logs);
        Files.write(logs.resolve("log_0-5"), log(0, 5));
        Files.write(logs.resolve("log_inprogress_6"), log(6, LAST));
    }

    private static SplitParts parts(long index) {
        String request = "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$2000\r\n" + ("" + index).repeat(2000) + "\r\n";
        EntryCall call = new EntryCall(2, request.getBytes(StandardCharsets.US_ASCII));
        return SplitEntry.split(new Entry(1, List.of(Operation.of(call))).encode())
                .orElseThrow();
    }

    private static byte[] log(long first, long last) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes("RaftLog1".getBytes(StandardCharsets.US_ASCII));
        for (long index = first; index <= last; index++) {
            ByteArrayOutputStream entry = new ByteArrayOutputStream();
            LogEntryProto.newBuilder()
                    .setTerm(TERM)
                    .setIndex(index)
                    .setStateMachineLogEntry(StateMachineLogEntryProto.newBuilder()
                            .setLogData(
                                    UnsafeByteOperations.unsafeWrap(parts(index).log()))
                            .setStateMachineEntry(
                                    StateMachineEntryProto.newBuilder().setLogEntryProtoSerializedSize(2500)))
                    .build()
                    .writeDelimitedTo(entry);
            CRC32C checksum = new CRC32C();
            checksum.update(entry.toByteArray());
            file.writeBytes(entry.toByteArray());
            file.writeBytes(ByteBuffer.allocate(Integer.BYTES)
                    .putInt((int) checksum.getValue())
                    .array());
        }
        file.writeBytes(new byte[300]);
        return file.toByteArray();
    }

    private StoreStripe open() {
        return StoreStripe.open(
                directory.resolve("store"),
                SEGMENT_BYTES,
                true,
                false,
                1 << 20,
                InstantSource.system(),
                () -> {},
                cause -> {});
    }

    /** Writes the values of some entries, and reopens the store. Returns which entries have values after that. */
    private List<Long> settled(long kept, LongStream written) {
        try (StoreStripe stripe = open()) {
            EntryValues values = stripe.values().orElseThrow();
            values.settle();
            values.write(
                    new Place(TERM - 1, 8),
                    parts(8).log(),
                    parts(8).values()); // of an entry that gave way to another one
            written.forEach(index -> values.write(
                    new Place(TERM, index), parts(index).log(), parts(index).values()));
        }
        try (StoreStripe stripe = open()) {
            EntryValues values = stripe.values().orElseThrow();
            RaftNode.settleValues(options, STRIPE, kept, values);
            List<Long> there = new ArrayList<>();
            for (long index = 0; index <= LAST; index++) {
                Optional<ByteBuffer> own = values.read(new Place(TERM, index));
                if (own.isPresent()) {
                    assertThat(own.get()).isEqualTo(parts(index).values());
                    there.add(index);
                }
            }
            return there;
        }
    }

    private List<String> files() throws IOException {
        try (var files = Files.list(logs)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void shouldLeaveALogWhoseValuesAreAllThere() throws IOException {
        assertThat(settled(3, LongStream.rangeClosed(0, LAST))).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
        assertThat(Files.readAllBytes(logs.resolve("log_0-5"))).isEqualTo(log(0, 5));
        assertThat(Files.readAllBytes(logs.resolve("log_inprogress_6"))).isEqualTo(log(6, LAST));
    }

    /** Entry 8 has only the values of another term. */
    @Test
    void shouldCutOffTheLastEntriesThatHaveNone() throws IOException {
        assertThat(settled(3, LongStream.range(0, 8))).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
        assertThat(RaftLogs.lastEntry(options, STRIPE)).isEqualTo(7);
        assertThat(files()).containsExactly("log_0-5", "log_inprogress_6");
    }

    @Test
    void shouldCutOffWithinAClosedFile() throws IOException {
        assertThat(settled(3, LongStream.range(0, 5))).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(RaftLogs.lastEntry(options, STRIPE)).isEqualTo(4);
        assertThat(files()).containsExactly("log_inprogress_0");
    }

    @Test
    void shouldDropFilesOfEntriesThatAreInTheStore() throws IOException {
        assertThat(settled(7, LongStream.rangeClosed(6, LAST))).containsExactly(6L, 7L, 8L, 9L);
        assertThat(files()).containsExactly("log_inprogress_6");
    }

    /** As after a pull: the store has another's values alone. */
    @Test
    void shouldSayThatThereMayBeNoEntriesWhereAllGo() throws IOException {
        assertThat(settled(LAST, LongStream.empty())).isEmpty();
        assertThat(files()).isEmpty();
        assertThat(logs.resolveSibling("no-entries")).exists();
        assertThat(RaftLogs.firstEntry(options, STRIPE)).isZero();
    }

    @Test
    void shouldRefuseAMemberThatLacksValuesInTheMidst() throws IOException {
        assertThatThrownBy(() -> settled(3, LongStream.of(0, 1, 2, 3, 4, 5, 6, 8, 9)))
                .isInstanceOf(LostPromisesException.class)
                .hasMessageContaining("entry 7 has no values, but the later entry 8 has");
        assertThat(Files.readAllBytes(logs.resolve("log_inprogress_6"))).isEqualTo(log(6, LAST));
    }

    @Test
    void shouldRefuseAFileThatWouldGoWithEntriesThatTheStoreLacks() throws IOException {
        assertThatThrownBy(() -> settled(3, LongStream.rangeClosed(4, LAST)))
                .isInstanceOf(LostPromisesException.class)
                .hasMessageContaining("log_0-5");
        assertThat(files()).containsExactly("log_0-5", "log_inprogress_6");
    }
}
