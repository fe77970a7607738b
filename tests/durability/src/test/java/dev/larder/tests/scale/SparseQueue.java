package dev.larder.tests.scale;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
import dev.larder.log.Position;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.DelegatingFile;
import dev.larder.memory.doubles.DelegatingStorage;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Queues with many segments of a GiB that take next to no space: a few small messages, and between them abandoned claims, whose
 * bytes were never touched.
 */
final class SparseQueue {

    static final long SEGMENT_BYTES = 1L << 30;

    private static final int CLAIM_BYTES = (int) (SEGMENT_BYTES / 4);

    /** Thrown by a writer that gives its claim up. */
    private static final class GivenUp extends RuntimeException {
        private static final long serialVersionUID = 1L;

        GivenUp() {
            super("given up", null, false, false);
        }
    }

    /** A storage whose files have holes where others reserve space. */
    private static final class Sparse extends DelegatingStorage {

        Sparse(Storage storage) {
            super(storage);
        }

        @Override
        public Optional<StorageFile> create(Path file, Access access) {
            return super.create(file, access).map(Sparse::grown);
        }

        private static StorageFile grown(StorageFile file) {
            return new DelegatingFile(file) {
                @Override
                public void allocate(long bytes, Allocation allocation) {
                    super.allocate(bytes, Allocation.GROW);
                }
            };
        }
    }

    private SparseQueue() {}

    /** Makes a queue of this many segments, or a few more; returns how many messages it has. */
    static long make(Path directory, Storage files, int segments) {
        LogOptions options = HookedOptions.withStorage(LogOptions.defaults(), new Sparse(files))
                .withIntegrity(IntegrityMode.NONE)
                .withLargestSegmentBytes(SEGMENT_BYTES)
                .withLayout(layout -> layout.withAllocation(Allocation.RESERVE))
                .withPrepareBytes(0)
                .withSync(SyncPolicy.none());
        try (LarderQueue queue = LarderQueue.open(directory, options);
                Appender appender = queue.appender()) {
            long messages = 0;
            int last = 0;
            while (last < segments) {
                last = Position.segment(appender.append("message " + messages++));
                giveUp(appender);
            }
            return messages;
        }
    }

    private static void giveUp(Appender appender) {
        try {
            appender.append(CLAIM_BYTES, (segment, offset, length) -> {
                throw new GivenUp();
            });
        } catch (GivenUp e) {
            // its place is padding
        }
    }
}
