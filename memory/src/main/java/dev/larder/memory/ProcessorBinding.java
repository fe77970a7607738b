package dev.larder.memory;

import dev.larder.memory.linux.LinuxCalls;
import dev.larder.memory.linux.LinuxError;
import dev.larder.memory.linux.LinuxLayouts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A binding of a thread to some of the machine's processors, until it is closed.
 *
 * {@snippet :
 * try (ProcessorBinding binding = ProcessorBinding.bind(3)) {
 *     binding.refusal().ifPresent(why -> System.err.println("not bound: " + why));
 *     run();
 * }
 * }
 *
 * <p>Some environments do not support it: no native access, not Linux, a virtual thread, processors that do not exist
 * or are not allowed. Then nothing happens, and {@link #refusal} gives the reason. Threads that a bound thread starts
 * inherit the binding. So start others before, for example a queue's background thread with its first appender.
 */
public final class ProcessorBinding implements AutoCloseable {

    private final Thread thread = Thread.currentThread();
    private final BitSet before;
    private final @Nullable String refusal;
    private boolean closed;

    private ProcessorBinding(BitSet before, @Nullable String refusal) {
        this.before = before;
        this.refusal = refusal;
    }

    /** Returns the numbers of the processors that the calling thread may run on; empty if that is unknown. */
    public static BitSet current() {
        if (unavailable() != null) {
            return new BitSet();
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment set = LinuxLayouts.processors(arena);
            return LinuxCalls.processors(set) < 0 ? new BitSet() : LinuxLayouts.processors(set);
        }
    }

    /**
     * Binds the calling thread to processors by their numbers. After the return it runs on them alone.
     *
     * @throws IllegalArgumentException if no processor is given, or a negative number
     */
    public static ProcessorBinding bind(int... processors) {
        BitSet wanted = set(processors);
        String why = unavailable();
        if (why != null) {
            return new ProcessorBinding(new BitSet(), why);
        }
        BitSet before = current();
        long result = bind(wanted);
        return new ProcessorBinding(before, result < 0 ? refused(wanted, before, result) : null);
    }

    private static BitSet set(int... processors) {
        if (processors.length == 0) {
            throw new IllegalArgumentException("the set of processors is empty: name at least one");
        }
        BitSet set = new BitSet();
        for (int processor : processors) {
            if (processor < 0) {
                throw new IllegalArgumentException("processor " + processor + ": the lowest number is 0");
            }
            set.set(processor);
        }
        return set;
    }

    private static @Nullable String unavailable() {
        if (!SystemStorage.system().isNative()) {
            return "it needs native access, on Linux";
        }
        return Thread.currentThread().isVirtual() ? "a virtual thread moves between carrier threads" : null;
    }

    private static long bind(BitSet processors) {
        try (Arena arena = Arena.ofConfined()) {
            return LinuxCalls.bindToProcessors(LinuxLayouts.processors(arena, processors));
        }
    }

    private static String refused(BitSet wanted, BitSet before, long result) {
        return LinuxError.EINVAL.is(result)
                ? "processors " + wanted + ": the thread may use only " + before
                : "processors " + wanted + ": " + LinuxError.words(result);
    }

    /** Returns why the thread was not bound; empty if it is. */
    public Optional<String> refusal() {
        return Optional.ofNullable(refusal);
    }

    /** Restores the processors from before. Only the bound thread may call it. */
    @Override
    public void close() {
        if (!Thread.currentThread().equals(thread)) {
            throw new WrongThreadException("the binding of " + thread + " is closed by " + Thread.currentThread());
        }
        if (!closed && refusal == null) {
            bind(before);
        }
        closed = true;
    }
}
