package dev.larder.tests.power;

import dev.larder.log.FellBehindException;
import dev.larder.log.LogCounter;
import dev.larder.log.LogOptions;
import dev.larder.log.Position;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Storage;
import dev.larder.queue.Appender;
import dev.larder.queue.Batch;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A queue of Larder. */
final class PoweredQueue implements PoweredLog {

    /** Several missing directories, whose names a power loss can lose like any other name. */
    static final Path DIRECTORY = Path.of("/", "power", "of", "queues");

    /** Thrown by a writer that gives its place up. */
    private static final class GivenUp extends RuntimeException {
        private static final long serialVersionUID = 1L;

        GivenUp() {
            super("given up", null, false, false);
        }
    }

    private final LarderQueue queue;
    private long begin;

    private PoweredQueue(LarderQueue queue) {
        this.queue = queue;
    }

    static Opener opener(LogOptions options) {
        return storage -> open(storage, options);
    }

    static PoweredQueue open(Storage storage, LogOptions options) {
        return new PoweredQueue(LarderQueue.open(DIRECTORY, HookedOptions.withStorage(options, storage)));
    }

    LarderQueue queue() {
        return queue;
    }

    @Override
    public Writer writer() {
        Appender appender = queue.appender();
        return new Writer() {
            @Override
            public long append(List<Message> messages, int[] lengths) {
                return messages.size() == 1
                        ? appendOne(appender, messages.getFirst(), lengths[0])
                        : appendBatch(appender, messages, lengths);
            }

            @Override
            public void abandon(int length) {
                try {
                    appender.append(length, (segment, offset, bytes) -> {
                        segment.asSlice(offset, bytes).fill((byte) 0x55);
                        throw new GivenUp();
                    });
                } catch (GivenUp expected) {
                    // its place is padding now
                }
            }
        };
    }

    /** Appends from the heap, or in place. */
    private static long appendOne(Appender appender, Message message, int length) {
        return (message.sequence() & 1) == 0
                ? appender.append(message.bytes(length))
                : appender.append(length, message::write);
    }

    private static long appendBatch(Appender appender, List<Message> messages, int[] lengths) {
        try (Batch batch = appender.batch()) {
            for (int i = 0; i < messages.size(); i++) {
                batch.add(messages.get(i).bytes(lengths[i]));
            }
            return batch.flush();
        }
    }

    @Override
    public long sync() {
        return queue.sync();
    }

    /** Begins again if retention drops what is being read. */
    @Override
    public List<Appended> readAll() {
        while (true) {
            try {
                return readOnce();
            } catch (FellBehindException e) {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public long begin() {
        return begin;
    }

    private List<Appended> readOnce() {
        List<Appended> all = new ArrayList<>();
        try (Tailer tailer = queue.tailer()) {
            begin = Position.of(Position.segment(tailer.position()), 0);
            while (tailer.poll((segment, offset, length) -> {
                Message message = Message.read(segment, offset, length);
                if (!message.isWhole(segment, offset, length)) {
                    throw new AssertionError("torn: " + message + " of " + length + " bytes at " + tailer.position());
                }
                all.add(new Appended(tailer.position(), length, message));
            })) {
                assert !all.isEmpty();
            }
        }
        return all;
    }

    @Override
    public List<String> problems() {
        return queue.verify().problems();
    }

    @Override
    public long recoveries() {
        return queue.counters().getOrDefault(LogCounter.RECOVERIES, 0L);
    }

    @Override
    public void close() {
        queue.close();
    }
}
