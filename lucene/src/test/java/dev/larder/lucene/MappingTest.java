package dev.larder.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MemorySegmentAccessInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The last input of a mapping is closed while a call of the system still uses its pages. */
class MappingTest {

    private static final int LENGTH = 1 << 20; // more than a pipe takes

    @TempDir
    Path folder;

    /** Regression: the closing failed, and the mapping stayed for ever. */
    @Test
    void shouldEndOnceTheLastCallHasEnded() throws Exception {
        Contents.put(folder, "file", 1, LENGTH);
        DirectoryOptions mapped = DirectoryOptions.defaults().withLoading(Loading.NEVER);
        Pipe pipe = Pipe.open();
        try (LarderDirectory directory = LarderDirectory.open(folder, mapped);
                ExecutorService threads = Executors.newCachedThreadPool();
                Pipe.SinkChannel sink = pipe.sink();
                Pipe.SourceChannel source = pipe.source()) {
            IndexInput input = directory.openInput("file", IOContext.DEFAULT);
            MemorySegment bytes = ((MemorySegmentAccessInput) input).segmentSliceOrNull(0, LENGTH);
            directory.deleteFile("file"); // the input is the last that holds the mapping
            Future<Integer> call = threads.submit(() -> sink.write(bytes.asByteBuffer()));
            ByteBuffer read = ByteBuffer.allocate(LENGTH);
            assertThat(source.read(read.limit(1))).isOne(); // the call has begun, and waits for a reader
            Future<?> closing = threads.submit(() -> {
                input.close();
                return true;
            });
            try {
                assertThatThrownBy(() -> closing.get(200, TimeUnit.MILLISECONDS))
                        .isInstanceOf(TimeoutException.class);
            } finally {
                readFully(source, read.limit(LENGTH));
            }
            assertThat(call.get()).isEqualTo(LENGTH);
            closing.get();
            assertThat(bytes.scope().isAlive()).isFalse();
        }
    }

    private static void readFully(Pipe.SourceChannel source, ByteBuffer read) throws java.io.IOException {
        while (read.hasRemaining()) {
            assertThat(source.read(read)).isPositive();
        }
    }
}
