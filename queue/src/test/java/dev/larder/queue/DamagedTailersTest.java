package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
import dev.larder.log.Position;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damage near one named tailer hides its sequence, and not the other tailers. */
final class DamagedTailersTest {

    @TempDir
    Path directory;

    @Test
    void theListOfTailersHasAllOfThem() throws IOException {
        LogOptions options = TestQueues.options().withIntegrity(IntegrityMode.RECORD);
        long damaged;
        long end;
        try (LarderQueue queue = LarderQueue.open(directory, options)) {
            queue.tailer("first").close();
            damaged = queue.append("to be damaged");
            queue.append("sound");
            try (Tailer last = queue.tailer("last")) {
                last.toEnd().commit();
            }
            end = queue.endPosition();
            queue.sync();
        }
        try (FileChannel segment = FileChannel.open(directory.resolve("0000000000.seg"), StandardOpenOption.WRITE)) {
            segment.write(ByteBuffer.wrap(new byte[] {'x'}), Position.offset(damaged) + 8);
        }
        try (LarderQueue queue = LarderQueue.open(directory, options)) {
            List<TailerInfo> tailers = queue.tailers();
            assertThat(tailers).extracting(TailerInfo::name).containsExactly("first", "last");
            TailerInfo first = tailers.getFirst();
            assertThat(first.sequence()).isEmpty();
            assertThat(first.lagMessages()).isEmpty();
            assertThat(first.lagBytes()).isEqualTo(end - damaged);
            TailerInfo last = tailers.getLast();
            assertThat(last.sequence()).hasValue(2);
            assertThat(last.lagMessages()).hasValue(0);
            assertThat(last.lagBytes()).isZero();
        }
    }
}
