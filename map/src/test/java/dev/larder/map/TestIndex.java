package dev.larder.map;

import dev.larder.log.layer.Failpoints;
import dev.larder.log.random.LogRecords;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.map.format.PackedPositions;
import dev.larder.map.index.Deadlines;
import dev.larder.map.index.Directory;
import dev.larder.map.index.Index;
import dev.larder.map.index.IndexMemory;
import dev.larder.map.shared.Epochs;
import dev.larder.map.shared.IndexFile;
import dev.larder.map.shared.LiveBytes;
import dev.larder.map.shared.Processes;
import dev.larder.memory.Access;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import java.nio.file.Path;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** The memory of an index by itself, as imaginary processes of a test see it. */
public final class TestIndex implements AutoCloseable {

    public static final int OWNER = 1;

    public final IndexFile file;
    public final Set<Integer> dead = ConcurrentHashMap.newKeySet();

    public TestIndex(Path directory, int units) {
        IndexFile.Opening opening = new IndexFile.Opening(1, new UUID(1, 2), 7, 2L << 20);
        Storage storage = TestMaps.storage().isNative() ? SystemStorage.system() : SystemStorage.portable();
        file = IndexFile.create(
                directory.resolve("index" + units),
                IndexFileLayout.STEPS_AT + units * IndexFileLayout.UNIT_BYTES,
                opening,
                Access.OWNER,
                storage);
    }

    public TestIndex(Path directory) {
        this(directory, 64);
    }

    /** Returns one process of several, named by a slot of 16 bits and a generation of 16. */
    public Member enter(int owner) {
        return new Member(this, owner);
    }

    @Override
    public void close() {
        file.close();
    }

    /** The parts of the index that a process has. */
    public static final class Member {

        final IndexFile file;
        public final Processes processes;
        public final Epochs changes;
        public final Directory directory;
        public final IndexMemory memory;
        public final LiveBytes live;

        private Member(TestIndex all, int owner) {
            file = all.file;
            processes = Processes.enter(file, owner, other -> !all.dead.contains(other));
            changes = Epochs.ofChanges(file, processes, 50_000_000);
            directory = new Directory(file);
            memory = new IndexMemory(file, processes, changes);
            live = new LiveBytes(file, processes);
        }

        public Index index(LogRecords records, PackedPositions places) {
            return index(records, places, Failpoints.NONE);
        }

        public Index index(LogRecords records, PackedPositions places, Failpoints steps) {
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
