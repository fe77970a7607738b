package dev.larder.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An access behind the end of a file that was cut, in compiled code. Without {@link AccessErrors#deliver} 91 of
 * 100 such errors passed the {@code catch} around the access and arrived in the caller.
 */
final class AccessErrorsTest {

    private static final int ROUNDS = 100;
    private static final int LENGTH = 1000;
    private static final int STEP = 1008;
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
    private static final long FILE_BYTES = 4 << 20;

    private final byte[] source = new byte[LENGTH];
    private int caught;
    private long last;

    @TempDir
    Path directory;

    @Test
    void shouldArriveInsideTheTry() throws IOException {
        int arrivedLater = 0;
        for (int round = 0; round < ROUNDS; round++) {
            try {
                storeBehindTheEnd(directory.resolve("cut-" + round));
            } catch (InternalError e) {
                arrivedLater++;
            }
        }
        assertThat(arrivedLater).isZero();
        assertThat(caught).isEqualTo(ROUNDS);
        assertThat(last).isPositive();
    }

    private void storeBehindTheEnd(Path path) throws IOException {
        try (FileChannel file = FileChannel.open(
                        path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
                Arena arena = Arena.ofShared()) {
            MemorySegment mapped = file.map(MapMode.READ_WRITE, 0, FILE_BYTES, arena);
            long end = FILE_BYTES / 2;
            for (long at = 0; at < end; at += STEP) { // so often that it gets compiled
                last = store(mapped, at);
            }
            file.truncate(end);
            last = store(mapped, end - STEP / 2 & -8);
        }
    }

    /** Stores as an append does: a word, a payload, the word again. */
    private long store(MemorySegment mapped, long at) {
        try {
            WORD.setVolatile(mapped, at, 1L);
            MemorySegment.copy(source, 0, mapped, ValueLayout.JAVA_BYTE, at + Long.BYTES, LENGTH);
            AccessErrors.deliver();
            WORD.setVolatile(mapped, at, 2L);
        } catch (InternalError e) {
            caught++;
        }
        return at;
    }
}
