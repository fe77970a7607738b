package dev.larder.memory;

import dev.larder.memory.linux.LinuxError;
import dev.larder.memory.linux.NodeCalls;
import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * On which memory nodes the memory comes to lie that a thread brings in, pages of files included, until this is closed.
 *
 * {@snippet :
 * try (MemoryPlacement placement = MemoryPlacement.of(MemoryPlacement.Kind.INTERLEAVED)) {
 *     placement.refusal().ifPresent(why -> System.err.println("placed as ever: " + why));
 *     run();
 * }
 * }
 *
 * <p>Where it cannot be done (without native access, elsewhere than on Linux, on a virtual thread, on a machine of one
 * node, in a sandbox that refuses it), nothing happens, and {@link #refusal} says why. Threads that such a thread starts
 * do as it does: so open a queue and its first appender on it, and what the queue prepares ahead lies there as well. Pages
 * that are in memory already stay where they are.
 */
public final class MemoryPlacement implements AutoCloseable {

    /** Which node a page comes to lie on. */
    public enum Kind {
        /** That of the processor which brings it in. */
        LOCAL,
        /** All of them in turn: nobody is near to everything, and nobody is far from everything. */
        INTERLEAVED
    }

    private final Thread thread = Thread.currentThread();
    private final NodeCalls.@Nullable Policy before;
    private final @Nullable String refusal;
    private boolean closed;

    private MemoryPlacement(NodeCalls.@Nullable Policy before, @Nullable String refusal) {
        this.before = before;
        this.refusal = refusal;
    }

    /** Places what the calling thread brings in from now on. */
    public static MemoryPlacement of(Kind kind) {
        BitSet nodes = MemoryNodes.withMemory();
        return nodes.cardinality() < 2 ? new MemoryPlacement(null, "the machine has one memory node") : of(kind, nodes);
    }

    /** Places over nodes that are given. */
    static MemoryPlacement of(Kind kind, BitSet nodes) {
        String why = unavailable();
        if (why != null) {
            return new MemoryPlacement(null, why);
        }
        try {
            NodeCalls.Policy before = NodeCalls.get();
            long result = NodeCalls.set(policy(kind, nodes));
            return result < 0
                    ? new MemoryPlacement(null, "the system refuses it: " + LinuxError.words(result))
                    : new MemoryPlacement(before, null);
        } catch (LinkageError e) {
            return new MemoryPlacement(null, "the C library lacks a call for it");
        }
    }

    private static NodeCalls.Policy policy(Kind kind, BitSet nodes) {
        return switch (kind) {
            case LOCAL -> new NodeCalls.Policy(NodeCalls.POLICY_LOCAL, new BitSet());
            case INTERLEAVED -> new NodeCalls.Policy(NodeCalls.POLICY_INTERLEAVE, nodes);
        };
    }

    private static @Nullable String unavailable() {
        Optional<String> portable = SystemStorage.whyPortable();
        if (portable.isPresent()) {
            return portable.get();
        }
        return Thread.currentThread().isVirtual() ? "a virtual thread goes from carrier to carrier" : null;
    }

    /** Returns why memory is placed as ever; empty when it is placed as asked. */
    public Optional<String> refusal() {
        return Optional.ofNullable(refusal);
    }

    /** Lets memory lie where it did before. By the thread itself. */
    @Override
    public void close() {
        if (!Thread.currentThread().equals(thread)) {
            throw new WrongThreadException("the placement of " + thread + " is closed by " + Thread.currentThread());
        }
        if (!closed && before != null) {
            NodeCalls.set(before);
        }
        closed = true;
    }
}
