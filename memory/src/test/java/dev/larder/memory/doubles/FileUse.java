package dev.larder.memory.doubles;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.MemorySegment.Scope;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/** The openings, mappings and locks of a file. */
final class FileUse {

    private final List<StrictFile> open = new ArrayList<>();
    private final List<WeakReference<Scope>> mapped = new ArrayList<>();
    final ByteHolders locks = new ByteHolders();

    synchronized void opened(StrictFile file) {
        open.add(file);
    }

    synchronized void closed(StrictFile file) {
        open.remove(file);
        locks.close(file);
    }

    synchronized void mapped(MemorySegment segment) {
        mapped.add(new WeakReference<>(segment.scope()));
    }

    synchronized boolean isUsed() {
        mapped.removeIf(reference -> !isAlive(reference));
        return !open.isEmpty() || !mapped.isEmpty();
    }

    /** Returns whether a mapping is still there; the reference is weak, or an automatic arena would never end. */
    private static boolean isAlive(WeakReference<Scope> reference) {
        Scope scope = reference.get();
        return scope != null && scope.isAlive();
    }
}
