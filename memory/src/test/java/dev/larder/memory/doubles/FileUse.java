package dev.larder.memory.doubles;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.MemorySegment.Scope;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Who has a file open, mapped and locked. */
final class FileUse {

    private final List<StrictFile> open = new ArrayList<>();
    private final List<WeakReference<Scope>> mapped = new ArrayList<>();
    private final Map<Long, StrictFile> locked = new HashMap<>();

    synchronized void opened(StrictFile file) {
        open.add(file);
    }

    synchronized void closed(StrictFile file) {
        open.remove(file);
        locked.values().removeIf(holder -> holder == file);
    }

    synchronized void mapped(MemorySegment segment) {
        mapped.add(new WeakReference<>(segment.scope()));
    }

    synchronized void locked(long offset, StrictFile holder) {
        locked.put(offset, holder);
    }

    synchronized void unlocked(long offset, StrictFile holder) {
        locked.remove(offset, holder);
    }

    synchronized boolean isUsed() {
        mapped.removeIf(reference -> !isAlive(reference));
        return !open.isEmpty() || !mapped.isEmpty();
    }

    /** Returns whether another open file holds a lock within a range. */
    synchronized boolean isLockedAgainst(StrictFile writer, long offset, long length) {
        return locked.entrySet().stream()
                .anyMatch(lock ->
                        lock.getValue() != writer && lock.getKey() >= offset && lock.getKey() < offset + length);
    }

    /** Returns whether a mapping is still there; the reference is weak, or an automatic arena would never end. */
    private static boolean isAlive(WeakReference<Scope> reference) {
        Scope scope = reference.get();
        return scope != null && scope.isAlive();
    }
}
