package dev.larder.lab.latency;

import dev.larder.cli.Figures;
import dev.larder.memory.ProcessorBinding;
import java.util.BitSet;

/** The processors of a pinned writer and tailer: the highest ones, since interrupts go to the lowest. */
final class Binding {

    private static final String PROCESSOR = "processor";

    private Binding() {}

    /** Returns the processor of a pinned row's n-th process, counted from the highest. */
    static Figures wish(Figures row, int place) {
        return new Figures().put(PROCESSOR, row.flag("pinned") ? Integer.valueOf(place) : null);
    }

    /** Binds the calling thread permanently as a row says; returns its processor, or the refusal. */
    static Figures of(Figures row) {
        Long place = row.wholeOrNull(PROCESSOR);
        if (place == null) {
            return new Figures();
        }
        ProcessorBinding binding = ProcessorBinding.bind(fromAbove(place.intValue()));
        return binding.refusal()
                .map(why -> new Figures().put("refusal", "a thread cannot be bound to a processor: " + why))
                .orElseGet(() ->
                        new Figures().put(PROCESSOR, ProcessorBinding.current().nextSetBit(0)));
    }

    private static int fromAbove(int place) {
        BitSet allowed = ProcessorBinding.current();
        int processor = allowed.length() - 1;
        for (int skipped = 0; skipped < place && allowed.previousSetBit(processor - 1) >= 0; skipped++) {
            processor = allowed.previousSetBit(processor - 1);
        }
        return Math.max(0, processor);
    }
}
