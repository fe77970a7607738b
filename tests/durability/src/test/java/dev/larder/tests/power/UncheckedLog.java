package dev.larder.tests.power;

import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A log that is wrong: it publishes the length before the payload, and checks nothing when it is opened again.
 *
 * <pre>
 * | length 8 | payload, padded to 8 | length 8 | payload ... | 0
 * </pre>
 */
final class UncheckedLog implements PoweredLog, PoweredLog.Writer {

    private static final Path DIRECTORY = Path.of("/", "unchecked");
    private static final Path FILE = DIRECTORY.resolve("log");
    private static final long SIZE_BYTES = 16 << 20;
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG;

    private final Arena arena = Arena.ofShared();
    private final StorageFile file;
    private final MemorySegment memory;
    private final boolean recovered;
    private long end;

    UncheckedLog(Storage storage) {
        storage.createDirectories(DIRECTORY, Access.OWNER);
        Optional<StorageFile> there = storage.open(FILE, true);
        file = there.orElseGet(() -> create(storage));
        memory = file.map(0, SIZE_BYTES, true, arena);
        recovered = there.isPresent();
        while (memory.get(WORD, end) != 0) {
            end += size(memory.get(WORD, end));
        }
    }

    private static StorageFile create(Storage storage) {
        StorageFile created = storage.create(FILE, Access.OWNER).orElseThrow();
        created.allocate(SIZE_BYTES, Allocation.RESERVE);
        created.forceAll();
        storage.syncDirectory(DIRECTORY);
        storage.syncDirectory(Path.of("/"));
        return created;
    }

    private static long size(long length) {
        return (8 + length + 7) & ~7L;
    }

    @Override
    public Writer writer() {
        return this;
    }

    @Override
    public synchronized long append(List<Message> messages, int[] lengths) {
        long position = end;
        for (int i = 0; i < lengths.length; i++) {
            position = end;
            memory.set(WORD, end, lengths[i]);
            messages.get(i).write(memory, end + 8, lengths[i]);
            end += size(lengths[i]);
        }
        return position;
    }

    @Override
    public void abandon(int length) {
        // this log has no such thing
    }

    @Override
    public synchronized long sync() {
        file.force(memory.asSlice(0, end + 8));
        return end;
    }

    @Override
    public List<Appended> readAll() {
        List<Appended> all = new ArrayList<>();
        for (long at = 0; memory.get(WORD, at) != 0; at += size(memory.get(WORD, at))) {
            int length = (int) memory.get(WORD, at);
            Message message = Message.read(memory, at + 8, length);
            if (!message.isWhole(memory, at + 8, length)) {
                throw new AssertionError("torn: " + message + " of " + length + " bytes at " + at);
            }
            all.add(new Appended(at, length, message));
        }
        return all;
    }

    @Override
    public List<String> problems() {
        return List.of();
    }

    @Override
    public long recoveries() {
        return recovered ? 1 : 0;
    }

    @Override
    public void close() {
        file.close();
        arena.close();
    }
}
