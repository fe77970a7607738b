package dev.larder.lab.buffers;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run of the buffer experiment is to do.
 *
 * @param kinds of buffers
 * @param blockBytes sizes of blocks, each a multiple of 4 KiB that the total is a multiple of
 * @param totalBytes written in each round, in blocks of one size
 * @param rounds that count, 1 to 10000
 * @param warmUpRounds before them, 0 to 1000
 * @param seconds that all rounds may take, 1 to 86400: no round begins that would not end before; one always runs
 * @param heapBytes of each child
 * @param memoryLimitBytes that each child lives under; null for no limit
 * @param directory that the data goes to; null for the result folder
 * @param seed of the numbers that are written
 * @param keep whether the data stays
 */
public record BuffersOptions(
        List<BufferKind> kinds,
        List<Long> blockBytes,
        long totalBytes,
        int rounds,
        int warmUpRounds,
        int seconds,
        long heapBytes,
        @Nullable Long memoryLimitBytes,
        @Nullable Path directory,
        long seed,
        boolean keep) {

    private static final long BLOCK_MIN_BYTES = 4 << 10;
    private static final long BLOCK_MAX_BYTES = 1 << 30;
    private static final long TOTAL_MAX_BYTES = 1L << 40;
    private static final long HEAP_MIN_BYTES = 32L << 20;
    private static final int SECONDS_MAX = 86_400;

    /** Beyond what the JVM itself needs outside its heap. */
    private static final long LIMIT_ABOVE_HEAP_BYTES = 128L << 20;

    private static final long GROUP_BYTES = 96L << 20;

    /** Checks the ranges; the text names the option, the value and the range. */
    public BuffersOptions {
        kinds = kinds.stream().distinct().toList();
        blockBytes = blockBytes.stream().distinct().toList();
        check(!kinds.isEmpty(), "--kinds names none");
        check(!blockBytes.isEmpty(), "--block names none");
        for (long block : blockBytes) {
            checkBlock(block, totalBytes);
            check(
                    heapBytes >= HEAP_MIN_BYTES + 2 * groupBytes(block, totalBytes),
                    "--heap " + ByteSize.format(heapBytes) + " is less than "
                            + ByteSize.format(HEAP_MIN_BYTES + 2 * groupBytes(block, totalBytes))
                            + ": twice the blocks of " + ByteSize.format(block) + " that live at once, and 32 MiB");
        }
        check(rounds >= 1 && rounds <= 10_000, "--rounds " + rounds + " is not from 1 to 10000");
        check(warmUpRounds >= 0 && warmUpRounds <= 1_000, "--warm-up " + warmUpRounds + " is not from 0 to 1000");
        check(seconds >= 1 && seconds <= SECONDS_MAX, "--seconds " + seconds + " is not from 1 to " + SECONDS_MAX);
        check(
                memoryLimitBytes == null || memoryLimitBytes >= heapBytes + LIMIT_ABOVE_HEAP_BYTES,
                "--memory-limit " + memoryLimitBytes + " is not " + ByteSize.format(LIMIT_ABOVE_HEAP_BYTES)
                        + " above the heap of " + ByteSize.format(heapBytes));
    }

    private static void checkBlock(long block, long total) {
        check(
                block >= BLOCK_MIN_BYTES && block <= BLOCK_MAX_BYTES && block % BLOCK_MIN_BYTES == 0,
                "--block " + block + " is not a multiple of 4 KiB from 4 KiB to 1 GiB");
        check(
                total >= block && total <= TOTAL_MAX_BYTES && total % block == 0,
                "--total " + total + " is not a multiple of the block of " + block + " bytes, up to 1 TiB");
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Returns the bytes of a round that does not count: a quarter. */
    long warmUpBytes(long blockBytes) {
        return Math.max(blockBytes, totalBytes / 4 / blockBytes * blockBytes);
    }

    /** Returns how many blocks live at once: as many as fit in 96 MiB, at least one and at most 1024. */
    static int groupBlocks(long blockBytes, long totalBytes) {
        long most = Math.clamp(GROUP_BYTES / blockBytes, 1, BlockNames.PLACES);
        return (int) Math.min(most, totalBytes / blockBytes);
    }

    /** Returns how many bytes live at once. */
    static long groupBytes(long blockBytes, long totalBytes) {
        return groupBlocks(blockBytes, totalBytes) * blockBytes;
    }

    /** Returns the options for a result. */
    public Figures figures() {
        return new Figures()
                .put("kinds", kinds)
                .put("block_bytes", blockBytes)
                .put("total_bytes", totalBytes)
                .put("rounds", rounds)
                .put("warm_up_rounds", warmUpRounds)
                .put("seconds", seconds)
                .put("heap_bytes", heapBytes)
                .put("memory_limit_bytes", memoryLimitBytes)
                .put("keep", keep);
    }
}
