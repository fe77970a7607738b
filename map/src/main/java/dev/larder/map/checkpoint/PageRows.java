package dev.larder.map.checkpoint;

import dev.larder.map.format.CheckpointLayout;
import dev.larder.memory.Allocation;
import dev.larder.memory.StorageFile;
import dev.larder.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The rows at the end of an image, collected while its pages are written. */
public final class PageRows {

    private static final int FIRST_ROWS = 1024;
    private static final int ROW_WORDS = 2;

    private long[] words = new long[FIRST_ROWS * ROW_WORDS];
    private int count;

    /** Adds the row of the next page. */
    public void add(long place, long alive) {
        int at = count * ROW_WORDS;
        if (at == words.length) {
            words = Arrays.copyOf(words, 2 * words.length);
        }
        words[at] = place;
        words[at + 1] = alive;
        count++;
    }

    /** Returns the number of rows. */
    long count() {
        return count;
    }

    /** Writes the rows behind the pages; returns their check. */
    public long write(StorageFile file) {
        try (Arena arena = Arena.ofShared()) {
            long bytes = count * CheckpointLayout.ROW_BYTES;
            MemorySegment rows = arena.allocate(bytes, 8);
            for (int word = 0; word < count * ROW_WORDS; word++) {
                Words.setPlain(rows, 8L * word, words[word]);
            }
            // More space was reserved if pages have merged since.
            file.allocate(Math.max(file.sizeBytes(), CheckpointLayout.bytes(count)), Allocation.RESERVE);
            file.write(rows, CheckpointLayout.step(count));
            return CheckpointLayout.rowsCheck(rows, 0, bytes);
        }
    }
}
