package dev.larder.lab.buffers;

import dev.larder.cli.Figures;
import dev.larder.lab.machine.ProcessMeter;
import dev.larder.lab.result.LabException;
import dev.larder.memory.FileSync;
import dev.larder.memory.region.MappedFile;
import dev.larder.memory.region.Region;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** The child's part of the proofs: leaves regions behind, finds other regions, moves one into a file. */
final class BufferProof {

    private final BlockNames names;
    private final List<Region> held = new ArrayList<>();

    BufferProof(BlockNames names) {
        this.names = names;
    }

    /** Creates and fills a region, then closes it or stays attached. */
    Figures leave(Figures question) {
        BufferKind kind = BufferKind.of(question);
        Region region = create(kind, names.of(kind, question.text("block")), question.whole("bytes"));
        pattern(question).write(region);
        if (question.flag("stay")) {
            held.add(region);
        } else {
            region.close();
        }
        return new Figures();
    }

    /** Attaches to another process's region, counts its wrong numbers, and deletes it. */
    Figures find(Figures question) {
        BufferKind kind = BufferKind.of(question);
        long start = System.nanoTime();
        try (Region region = Region.attach(kind.region(), names.of(kind, question.text("block")))) {
            double millis = (System.nanoTime() - start) / 1e6;
            long wrong = pattern(question).wrong(region);
            return new Figures()
                    .put("ms", millis)
                    .put("bytes", region.sizeBytes())
                    .put("wrong", wrong)
                    .put("deleted", region.delete());
        }
    }

    /** Moves a region into a file twice and measures the second: the first loads the code. */
    Figures transfer(Figures question) {
        BufferKind kind = BufferKind.of(question);
        Path target = names.directory().resolve("transferred-" + kind);
        try (Region region = create(kind, names.of(kind, BlockNames.MOVED), question.whole("bytes"))) {
            pattern(question).write(region);
            move(region, target);
            Figures figures = move(region, target);
            region.delete();
            return figures.put("wrong", wrong(target, question));
        } catch (IOException e) {
            throw new LabException("cannot move a " + kind + " buffer into " + target + ": " + e.getMessage(), e);
        }
    }

    private static Figures move(Region region, Path target) throws IOException {
        Files.deleteIfExists(target);
        try (FileChannel channel = FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ProcessMeter meter = ProcessMeter.start();
            long start = System.nanoTime();
            long moved = region.transferTo(0, region.sizeBytes(), channel);
            double millis = (System.nanoTime() - start) / 1e6;
            return new Figures()
                    .put("heap_allocated_bytes", meter.allocatedBytes())
                    .put("ms", millis)
                    .put("bytes", moved);
        }
    }

    /** Returns how much of the file is wrong, read by a separate mapping. */
    private static long wrong(Path target, Figures question) {
        try (MappedFile file = MappedFile.open(target, FileSync.NONE);
                Region copy = file.map()) {
            return pattern(question).wrong(copy);
        }
    }

    private static Region create(BufferKind kind, String name, long bytes) {
        return kind.region().isNamed()
                ? Region.create(kind.region(), name, bytes)
                : Region.create(kind.region(), bytes);
    }

    private static IntPattern pattern(Figures question) {
        return IntPattern.of(question.whole("seed"), 0, 0);
    }
}
