package dev.larder.lab.buffers;

import dev.larder.cli.ByteSize;
import dev.larder.lab.result.Require;
import dev.larder.lab.study.Setting;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options of the buffer experiment. */
public record BuffersOptions(
        @Setting("--kinds"
                + " NAME=heap,direct,mapped-rw,mapped-rwd,mapped-rws,dev-shm,posix-shm,system-v-shm,apr-shm,huge-pages"
                + " Kinds of buffers (all)")
        List<BufferKind> kinds,

        @Setting("--block SIZE=4KiB,4MiB [4KiB..1GiB x 4KiB] The size of a block; may be given several times")
        List<Long> blockBytes,

        @Setting("--total SIZE=96MiB|24MiB [4KiB..1TiB] The bytes written in each round")
        long totalBytes,

        @Setting("--rounds COUNT=24|5 [1..10000] Rounds, in which the kinds take turns")
        int rounds,

        @Setting("--warm-up COUNT=2|1 [0..1000] Warm-up rounds, which do not count")
        int warmUpRounds,

        @Setting("--seconds COUNT=95 [1..86400] {--as-2011: 600} The most time for all rounds; the lab"
                + " skips rounds that do not fit, and reports it")
        int seconds,

        @Setting("--heap SIZE=512MiB {--as-2011: 256MiB} The heap of each child process")
        long heapBytes,

        @Setting("--memory-limit SIZE {--as-2011: 1GiB} The memory limit of each child process (none)") @Nullable
        Long memoryLimitBytes,

        @Setting("--as-2011 The conditions of the experiment of 2011: --heap 256MiB --memory-limit 1GiB, and time"
                + " for all rounds (--seconds 600)")
        boolean as2011,

        @Setting("--directory DIRECTORY Where to put the data (the result folder)") @Nullable
        Path directory,

        @Setting("--seed SEED=1 The seed of all random choices")
        long seed,

        @Setting("--keep Keep the data") boolean keep) {
    private static final long HEAP_MIN_BYTES = 32L << 20;

    /** More than the JVM itself needs outside its heap. */
    private static final long LIMIT_ABOVE_HEAP_BYTES = 128L << 20;

    private static final long GROUP_BYTES = 96L << 20;

    /** Checks the ranges; an error names the option, the value and the range. */
    public BuffersOptions {
        kinds = kinds.stream().distinct().toList();
        blockBytes = blockBytes.stream().distinct().toList();
        Require.that(!kinds.isEmpty(), "--kinds is empty");
        Require.that(!blockBytes.isEmpty(), "--block is empty");
        for (long block : blockBytes) {
            Require.that(
                    totalBytes >= block && totalBytes % block == 0,
                    "--total " + totalBytes + " is not a multiple of the block of " + block + " bytes");
            long needed = HEAP_MIN_BYTES + 2 * groupBytes(block, totalBytes);
            Require.that(
                    heapBytes >= needed,
                    "--heap " + ByteSize.format(heapBytes) + " is less than " + ByteSize.format(needed)
                            + ": twice the blocks of " + ByteSize.format(block) + " that live at once, and 32 MiB");
        }
        Require.that(
                memoryLimitBytes == null || memoryLimitBytes >= heapBytes + LIMIT_ABOVE_HEAP_BYTES,
                "--memory-limit " + memoryLimitBytes + " is not " + ByteSize.format(LIMIT_ABOVE_HEAP_BYTES)
                        + " above the heap of " + ByteSize.format(heapBytes));
    }

    /** Returns the bytes of a warm-up round: a quarter. */
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
}
