package dev.larder.benchmarks.rivals;

import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import net.openhft.chronicle.bytes.BytesStore;
import net.openhft.chronicle.bytes.PointerBytesStore;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;

/** A queue to which one message after another is appended. */
interface AppendSubject extends AutoCloseable {

    /** Appends the message given at creation. */
    void append();

    /** Prepares present space for the given number of messages, if the queue can. */
    default void prepare(long count) {}

    @Override
    void close();

    /** Returns the subject of a name: {@code larder}, {@code larder-default-sync} or {@code chronicle}. */
    static AppendSubject named(String name, Path directory, MemorySegment message) {
        return switch (name) {
            case "larder" -> new OfLarder(directory, LogOptions.defaults().withSync(SyncPolicy.none()), message);
            case "larder-default-sync" -> new OfLarder(directory, LogOptions.defaults(), message);
            case "chronicle" -> new OfChronicle(directory, message);
            default -> throw new IllegalArgumentException("unknown subject '" + name + "'");
        };
    }

    /** Larder. */
    final class OfLarder implements AppendSubject {

        private static final long RECORD_HEADER_BYTES = 8;

        private final MemorySegment message;
        private final LarderQueue queue;
        private final Appender appender;

        OfLarder(Path directory, LogOptions options, MemorySegment message) {
            this.message = message;
            queue = LarderQueue.open(directory, options);
            appender = queue.appender();
        }

        @Override
        public void append() {
            appender.append(message, 0, message.byteSize());
        }

        @Override
        public void prepare(long count) {
            queue.prepare(count * (message.byteSize() + RECORD_HEADER_BYTES));
        }

        @Override
        public void close() {
            queue.close();
        }
    }

    /** Chronicle Queue; its preparation ahead is not in the open-source edition. */
    final class OfChronicle implements AppendSubject {

        private final PointerBytesStore message = BytesStore.nativePointer();
        private final ChronicleQueue queue;
        private final ExcerptAppender appender;

        OfChronicle(Path directory, MemorySegment message) {
            this.message.set(message.address(), message.byteSize());
            queue = ChronicleQueue.singleBuilder(directory).build();
            appender = queue.createAppender();
        }

        @Override
        public void append() {
            appender.writeBytes(message);
        }

        @Override
        public void close() {
            queue.close();
        }
    }
}
