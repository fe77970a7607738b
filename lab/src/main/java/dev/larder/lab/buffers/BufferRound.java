package dev.larder.lab.buffers;

import dev.larder.cli.Figures;
import dev.larder.lab.machine.ProcessMeter;
import dev.larder.memory.region.Region;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * One round: so many bytes in blocks of one kind and size, group by group.
 *
 * <pre>
 * group   create, write | create, write | ... | check the group | release all
 * time    ^-----^ ^---^   ^-----^ ^---^                           ^---------^      each summed over the round
 * </pre>
 *
 * <p>The blocks of a group share one arena, which closes when all are released: an arena for each would stop the JVM's
 * threads each time. The live heap is measured before the round and when its last group is whole.
 */
final class BufferRound {

    private final BufferKind kind;
    private final BlockNames names;
    private final long blockBytes;
    private final long totalBytes;
    private final long seed;
    private final long round;
    private final boolean checkAll;

    private final List<Region> group = new ArrayList<>();
    private Arena arena = Arena.ofShared();
    private long createNanos;
    private long writeNanos;
    private long releaseNanos;
    private long wrong;
    private int blocks;

    BufferRound(BlockNames names, Figures question) {
        this.kind = BufferKind.of(question);
        this.names = names;
        this.blockBytes = question.whole("block_bytes");
        this.totalBytes = question.whole("total_bytes");
        this.seed = question.whole("seed");
        this.round = question.whole("round");
        this.checkAll = question.flag("check_all");
    }

    /** Runs; returns the times in milliseconds, and the use of heap and processor. */
    Figures run() {
        int groupBlocks = BuffersOptions.groupBlocks(blockBytes, totalBytes);
        long liveBefore = liveBytes();
        ProcessMeter meter = ProcessMeter.start();
        long start = System.nanoTime();
        Blocks source = Blocks.open(kind, names, blockBytes, totalBytes);
        createNanos += System.nanoTime() - start;
        try {
            while (blocks + groupBlocks < totalBytes / blockBytes) {
                fill(source, groupBlocks);
                release(source);
            }
            fill(source, (int) (totalBytes / blockBytes - blocks));
            long allocated = meter.allocatedBytes();
            Figures used = meter.figures();
            long live = Math.max(0, liveBytes() - liveBefore);
            double liveOfAll = (double) live * totalBytes / (group.size() * blockBytes);
            return used.put("heap_allocated_bytes", allocated)
                    .put("heap_bytes", (long) liveOfAll)
                    .put("description", group.getFirst().description());
        } finally {
            release(source);
            start = System.nanoTime();
            source.close();
            releaseNanos += System.nanoTime() - start;
        }
    }

    /** Returns the times, after the run. */
    Figures times() {
        return new Figures()
                .put("create_ms", createNanos / 1e6)
                .put("write_ms", writeNanos / 1e6)
                .put("create_write_ms", (createNanos + writeNanos) / 1e6)
                .put("release_ms", releaseNanos / 1e6)
                .put("total_ms", (createNanos + writeNanos + releaseNanos) / 1e6)
                .put("blocks", blocks)
                .put("wrong", wrong);
    }

    /** Returns the live bytes of the heap, after a collection. */
    private static long liveBytes() {
        ManagementFactory.getMemoryMXBean().gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private void fill(Blocks source, int count) {
        int begin = blocks;
        for (int index = 0; index < count; index++) {
            IntPattern pattern = IntPattern.of(seed, round, blocks);
            long start = System.nanoTime();
            Region block = source.create(blocks++, arena);
            long created = System.nanoTime();
            pattern.write(block);
            writeNanos += System.nanoTime() - created;
            createNanos += created - start;
            group.add(block);
        }
        for (int index = 0; index < count; index++) {
            IntPattern pattern = IntPattern.of(seed, round, begin + index);
            Region block = group.get(index);
            wrong += checkAll ? pattern.wrong(block) : pattern.wrongAtEnds(block);
        }
    }

    private void release(Blocks source) {
        long start = System.nanoTime();
        group.forEach(source::release);
        arena.close();
        releaseNanos += System.nanoTime() - start;
        group.clear();
        arena = Arena.ofShared();
    }
}
