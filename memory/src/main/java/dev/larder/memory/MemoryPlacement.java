package dev.larder.memory;

import dev.larder.memory.linux.LinuxError;
import dev.larder.memory.linux.NodeCalls;
import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A placement of memory on memory nodes. It applies to all memory that a thread populates, with pages of files, until
 * it is closed.
 *
 * {@snippet :
 * try (MemoryPlacement placement = MemoryPlacement.of(MemoryPlacement.Kind.INTERLEAVED)) {
 *     placement.refusal().ifPresent(why -> System.err.println("placed as ever: " + why));
 *     run();
 * }
 * }
 *
 * <p>Some environments do not support it: no native access, not Linux, a virtual thread, a machine of one node, a
 * sandbox that refuses it. Then nothing happens, and {@link #refusal} gives the reason. Threads that the thread starts
 * inherit the placement. So open a queue and its first appender on it, and the space that the queue prepares is placed
 * as well. Pages that are already in memory stay where they are.
 */
public final class MemoryPlacement implements AutoCloseable {

    /** The choice of a node for a page. */
    public enum Kind {
        /** The node of the processor that populates the page. */
        LOCAL,
        /** All nodes in turn: no processor is near to all of the memory, and none is far from all of it. */
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

    /** Places the memory that the calling thread populates from now on. */
    public static MemoryPlacement of(Kind kind) {
        BitSet nodes = MemoryNodes.withMemory();
        return nodes.cardinality() < 2 ? new MemoryPlacement(null, "the machine has one memory node") : of(kind, nodes);
    }

    /** Places over given nodes. */
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
        return Thread.currentThread().isVirtual() ? "a virtual thread moves between carrier threads" : null;
    }

    /** Returns why memory is placed as before; empty if it is placed as requested. */
    public Optional<String> refusal() {
        return Optional.ofNullable(refusal);
    }

    /** Restores the placement from before. Only the placed thread may call it. */
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
