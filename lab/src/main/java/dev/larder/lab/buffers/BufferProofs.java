package dev.larder.lab.buffers;

import dev.larder.cli.Figures;
import dev.larder.lab.process.ChildProcess;
import dev.larder.memory.LarderException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parent's side of the proofs of one kind. Each is a row with {@code passed}, true or false, or the reason why it
 * was skipped.
 *
 * <pre>
 * transfer   the child moves a region into a file, and counts what it allocates on the heap meanwhile
 * attach     the child leaves a region and closes it; a neighbour attaches, and finds what was written
 * outlive    the child is killed while it is attached; the neighbour attaches, and finds what was written
 * </pre>
 */
final class BufferProofs {

    static final String TRANSFER = "transfer";
    static final String ATTACH = "attach";
    static final String OUTLIVE = "outlive";

    private static final List<String> ALL = List.of(TRANSFER, ATTACH, OUTLIVE);
    private static final long BYTES = 16L << 20;

    /** Limit for slices, buffers and the channel's own objects: far less than a copy of the bytes. */
    private static final long ALLOCATED_MAX_BYTES = 64 << 10;

    private final BufferKind kind;
    private final long seed;

    BufferProofs(BufferKind kind, long seed) {
        this.kind = kind;
        this.seed = seed;
    }

    /** Returns the rows of an unavailable kind. */
    List<Figures> skipped(String reason) {
        return ALL.stream().map(proof -> skipped(proof, reason)).toList();
    }

    /** Makes the proofs; the last one kills the child. */
    List<Figures> make(ChildProcess child, ChildProcess neighbour) {
        return Stream.of(transfer(child), attach(child, neighbour), outlive(child, neighbour))
                .toList();
    }

    private Figures transfer(ChildProcess child) {
        if (kind == BufferKind.HEAP) {
            return skipped(TRANSFER, "it lies on the heap");
        }
        Figures answer = child.ask("transfer", question(BlockNames.MOVED));
        boolean few = answer.number("heap_allocated_bytes") <= ALLOCATED_MAX_BYTES;
        return row(TRANSFER, answer, few && isWhole(answer));
    }

    private Figures attach(ChildProcess child, ChildProcess neighbour) {
        if (!kind.region().isNamed()) {
            return skipped(ATTACH, "no other process can see it");
        }
        child.ask("leave", question(BlockNames.LEFT).put("stay", false));
        return found(ATTACH, BlockNames.LEFT, neighbour);
    }

    private Figures outlive(ChildProcess child, ChildProcess neighbour) {
        if (!kind.region().isNamed()) {
            return skipped(OUTLIVE, "it ends with its creator");
        }
        child.ask("leave", question(BlockNames.ORPHAN).put("stay", true));
        child.destroy();
        child.close(); // waits for its end
        return found(OUTLIVE, BlockNames.ORPHAN, neighbour);
    }

    private Figures found(String proof, String block, ChildProcess neighbour) {
        try {
            Figures answer = neighbour.ask("find", question(block));
            return row(proof, answer, isWhole(answer) && answer.flag("deleted"));
        } catch (LarderException e) {
            return row(proof, new Figures().put("error", e.getMessage()), false);
        }
    }

    private Figures question(String block) {
        return new Figures()
                .put("kind", kind)
                .put("block", block)
                .put("bytes", BYTES)
                .put("seed", seed);
    }

    private static boolean isWhole(Figures answer) {
        return answer.number("bytes") == BYTES && answer.number("wrong") == 0;
    }

    private Figures row(String proof, Figures answer, boolean passed) {
        return head(proof).put("passed", passed).putAll(answer);
    }

    private Figures skipped(String proof, String reason) {
        return head(proof).put("passed", null).put("skipped_reason", reason);
    }

    private Figures head(String proof) {
        return new Figures().put("kind", kind).put("proof", proof);
    }

    /** Returns why the proofs make a run void; null if none has failed. */
    static @Nullable String failure(List<Figures> proofs) {
        return proofs.stream()
                .filter(proof -> Boolean.FALSE.equals(proof.get("passed")))
                .map(BufferProofs::words)
                .findFirst()
                .orElse(null);
    }

    private static String words(Figures proof) {
        return "the proof \"" + proof.text("proof") + "\" of " + proof.text("kind") + " failed: "
                + (proof.get("error") == null
                        ? proof.get("bytes") + " bytes, " + proof.get("wrong") + " numbers wrong, "
                                + proof.get("heap_allocated_bytes") + " bytes allocated on the heap (at most "
                                + ALLOCATED_MAX_BYTES + ")"
                        : proof.get("error"));
    }
}
