package dev.larder.memory.doubles;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The counts of calls, and which of them fail. */
final class Faults {

    private record Fault(StorageCall call, long first, long last, Supplier<? extends RuntimeException> failure) {}

    private final Map<StorageCall, Long> counts = new EnumMap<>(StorageCall.class);
    private final List<Fault> faults = new ArrayList<>();

    synchronized void add(StorageCall call, long first, long last, Supplier<? extends RuntimeException> failure) {
        faults.add(new Fault(call, first, last, failure));
    }

    synchronized void clear() {
        faults.clear();
    }

    synchronized long count(StorageCall call) {
        return counts.getOrDefault(call, 0L);
    }

    /** Counts a call that is about to be made, and fails it if a fault has its number. */
    synchronized void before(StorageCall call) {
        long number = counts.merge(call, 1L, Long::sum);
        for (Fault fault : faults) {
            if (fault.call == call && fault.first <= number && number <= fault.last) {
                throw fault.failure.get();
            }
        }
    }
}
