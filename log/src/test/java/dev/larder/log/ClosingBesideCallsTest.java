package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Access;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.DelegatingFile;
import dev.larder.memory.doubles.DelegatingStorage;
import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A log closes while a call of the system uses a mapped segment, as a read of cold pages does. */
@Timeout(60)
final class ClosingBesideCallsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    /** Keeps the largest part of a file that was mapped: a segment. */
    private static final class Mapped extends DelegatingStorage {

        private MemorySegment largest = MemorySegment.NULL;

        Mapped() {
            super(TestLogs.storage());
        }

        @Override
        public Optional<StorageFile> open(Path file, boolean writable) {
            return super.open(file, writable).map(this::watched);
        }

        @Override
        public Optional<StorageFile> create(Path file, Access access) {
            return super.create(file, access).map(this::watched);
        }

        private StorageFile watched(StorageFile file) {
            return new DelegatingFile(file) {
                @Override
                public MemorySegment map(long offset, long length, boolean writable, Arena arena) {
                    MemorySegment made = super.map(offset, length, writable, arena);
                    largest =
                            made.byteSize() >= largest.byteSize() ? made : largest; // the last one of a size is in use
                    return made;
                }
            };
        }
    }

    /** Regression: it threw an exception, and left the segment mapped. */
    @Test
    void aLogWaitsForACallThatUsesASegment() throws IOException {
        Mapped storage = new Mapped();
        Log log = Log.open(directory, HookedOptions.withStorage(TestLogs.options(), storage));
        log.appender().append(TestLogs.bytes("one"));
        MemorySegment segment = storage.largest;
        Pipe pipe = Pipe.open();
        try (Pipe.SourceChannel source = pipe.source();
                Pipe.SinkChannel sink = pipe.sink()) {
            CompletableFuture<Void> call = OtherThread.run(() -> write(segment, sink)); // more than a pipe holds
            source.read(ByteBuffer.allocate(1)); // so it is under way
            CompletableFuture<Void> closing = OtherThread.run(log::close);
            await().during(Duration.ofMillis(200)).atMost(PATIENCE).until(() -> !closing.isDone());
            ByteBuffer taken = ByteBuffer.allocate(1 << 16);
            for (long rest = segment.byteSize() - 1; rest > 0; ) {
                rest -= source.read(taken.clear());
            }
            assertThat(call).succeedsWithin(PATIENCE);
            assertThat(closing).succeedsWithin(PATIENCE);
        }
        assertThat(segment.scope().isAlive()).isFalse();
    }

    private static void write(MemorySegment segment, Pipe.SinkChannel sink) {
        try {
            ByteBuffer bytes = segment.asByteBuffer();
            while (bytes.hasRemaining()) {
                sink.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
