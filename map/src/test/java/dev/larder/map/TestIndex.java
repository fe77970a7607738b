package dev.larder.map;

import dev.larder.memory.SystemStorage;
import dev.larder.log.LogRecords;
import dev.larder.log.Steps;
import dev.larder.memory.Access;
import dev.larder.memory.Storage;
import java.nio.file.Path;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** The memory of an index by itself, as processes of a test's own invention see it. */
final class TestIndex implements AutoCloseable {

    static final int OWNER = 1;

    final IndexFile file;
    final Set<Integer> dead = ConcurrentHashMap.newKeySet();

    TestIndex(Path directory, int units) {
        IndexFile.Opening opening = new IndexFile.Opening(1, new UUID(1, 2), 7, 2L << 20);
        Storage storage = TestMaps.storage().isNative() ? SystemStorage.system() : SystemStorage.portable();
        file = IndexFile.create(
                directory.resolve("index" + units),
                IndexFileLayout.STEPS_AT + units * IndexFileLayout.UNIT_BYTES,
                opening,
                Access.OWNER,
                storage);
    }

    TestIndex(Path directory) {
        this(directory, 64);
    }

    /** One process of several: slot 16 bits, generation 16. */
    Member enter(int owner) {
        return new Member(this, owner);
    }

    @Override
    public void close() {
        file.close();
    }

    /** What a process has of it. */
    static final class Member {

        final IndexFile file;
        final Processes processes;
        final Epochs changes;
        final Directory directory;
        final IndexMemory memory;
        final LiveBytes live;

        private Member(TestIndex all, int owner) {
            file = all.file;
            processes = Processes.enter(file, owner, other -> !all.dead.contains(other));
            changes = Epochs.ofChanges(file, processes, 50_000_000);
            directory = new Directory(file);
            memory = new IndexMemory(file, processes, changes);
            live = new LiveBytes(file, processes);
        }

        Index index(LogRecords records, Places places) {
            return index(records, places, Steps.NONE);
        }

        Index index(LogRecords records, Places places, Steps steps) {
            return new Index(
                    records,
                    places,
                    directory,
                    memory,
                    live,
                    new Deadlines(Lifetime.endless(), System::currentTimeMillis),
                    steps);
        }
    }
}
