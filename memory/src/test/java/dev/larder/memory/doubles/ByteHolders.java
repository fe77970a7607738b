package dev.larder.memory.doubles;

import dev.larder.memory.StorageFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The locks of open files on bytes of a file: held by one file alone, or shared by several, each perhaps several times. */
final class ByteHolders {

    private record Holders(boolean shared, List<StorageFile> files) {}

    private final Map<Long, Holders> held = new HashMap<>();

    synchronized boolean lock(long offset, StorageFile file) {
        return held.putIfAbsent(offset, new Holders(false, new ArrayList<>(List.of(file)))) == null;
    }

    synchronized boolean share(long offset, StorageFile file) {
        Holders holders = held.computeIfAbsent(offset, free -> new Holders(true, new ArrayList<>()));
        return holders.shared && holders.files.add(file);
    }

    synchronized void unlock(long offset, StorageFile file) {
        held.computeIfPresent(offset, (at, holders) -> {
            holders.files.remove(file);
            return holders.files.isEmpty() ? null : holders;
        });
    }

    synchronized void close(StorageFile file) {
        held.values().removeIf(holders -> {
            holders.files.removeIf(file::equals);
            return holders.files.isEmpty();
        });
    }

    /** Returns whether a lock forbids writing to a range: a lock of another open file, or any shared lock. */
    synchronized boolean refuses(StorageFile writer, long offset, long length) {
        return held.entrySet().stream()
                .filter(lock -> lock.getKey() >= offset && lock.getKey() < offset + length)
                .anyMatch(
                        lock -> lock.getValue().shared || !lock.getValue().files.contains(writer));
    }
}
