package dev.larder.tests.power;

import dev.larder.log.FellBehindException;
import dev.larder.log.LogOptions;
import dev.larder.log.Position;
import dev.larder.memory.Storage;
import dev.larder.queue.Commit;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import dev.larder.queue.TailerInfo;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Two named tailers read along while the power is cut: the place of one moves with each message, the other one commits. Once
 * the power is back, a place must not be before its position at the last sync that had returned, nor behind the end of what is
 * left. From there on, a tailer reads exactly what is left.
 */
final class NamedReaders {

    private static final Map<String, Commit> NAMES =
            Map.of("handled", Commit.WHEN_HANDLED, "committed", Commit.EXPLICIT);
    private static final int DRAIN_MAX = 40;
    private static final long PAUSE_NANOS = 100_000;

    /** The positions of places when a sync began that has returned. */
    private final Map<String, Long> synced = new ConcurrentHashMap<>();

    private volatile Map<String, Long> promised = Map.of();

    /** Opens queues that named tailers read along; whenever everything is read, the places are checked. */
    PoweredLog.Opener opener(LogOptions options) {
        return storage -> open(storage, options);
    }

    private PoweredLog open(Storage storage, LogOptions options) {
        return new Watched(PoweredQueue.open(storage, options));
    }

    private static Map<String, Long> places(LarderQueue queue) {
        return queue.tailers().stream().collect(Collectors.toMap(TailerInfo::name, TailerInfo::position));
    }

    private final class Watched implements PoweredLog {

        private final PoweredQueue log;
        private volatile boolean running;

        Watched(PoweredQueue log) {
            this.log = log;
        }

        @Override
        public List<Runnable> companions() {
            List<Runnable> readers = new ArrayList<>();
            running = true;
            NAMES.forEach((name, commit) -> {
                Tailer tailer = log.queue().tailer(name, commit);
                readers.add(() -> readSome(tailer, commit));
            });
            return readers;
        }

        private static void readSome(Tailer tailer, Commit commit) {
            try {
                tailer.drain(NamedReaders::checkWhole, DRAIN_MAX);
                if (commit == Commit.EXPLICIT) {
                    tailer.commit();
                }
            } catch (FellBehindException e) {
                tailer.toStart();
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }

        /** Only the running queue promises places; the promises of an image do not count here. */
        @Override
        public long sync() {
            Map<String, Long> before = running ? places(log.queue()) : Map.of();
            long durable = log.sync();
            before.forEach((name, position) -> synced.merge(name, position, Math::max));
            return durable;
        }

        @Override
        public void beforeImage() {
            promised = Map.copyOf(synced);
        }

        @Override
        public List<Appended> readAll() {
            List<Appended> all = log.readAll();
            Map<String, Long> places = places(log.queue());
            promised.forEach((name, position) -> checkNotLost(name, position, places.getOrDefault(name, 0L), all));
            places.forEach((name, position) -> checkPlace(name, position, all));
            return all;
        }

        /** The end of a segment and the beginning of the next are the same place. */
        private static void checkNotLost(String name, long synced, long place, List<Appended> all) {
            if (all.stream().anyMatch(message -> message.position() >= place && message.position() < synced)) {
                throw new AssertionError("place of " + name + " lost although synced at " + Position.toString(synced)
                        + ": it is at " + Position.toString(place));
            }
        }

        private void checkPlace(String name, long position, List<Appended> all) {
            if (position > log.queue().info().endPosition()) {
                throw new AssertionError("place of " + name + " behind the end: " + Position.toString(position));
            }
            try (Tailer tailer = log.queue().tailer(name, Commit.EXPLICIT)) {
                List<Appended> read = read(tailer);
                long kept = log.queue().info().firstPosition(); // the background may have dropped segments meanwhile
                if (!from(kept, read).equals(from(Math.max(kept, position), all))) {
                    throw new AssertionError("from the place of " + name + ", " + Position.toString(position)
                            + ", on is other than left");
                }
            }
        }

        private static List<Appended> from(long position, List<Appended> messages) {
            return messages.stream()
                    .filter(message -> message.position() >= position)
                    .toList();
        }

        private static List<Appended> read(Tailer tailer) {
            List<Appended> read = new ArrayList<>();
            boolean more = true;
            while (more) {
                try {
                    more = tailer.poll((segment, offset, length) ->
                            read.add(new Appended(tailer.position(), length, Message.read(segment, offset, length))));
                } catch (FellBehindException e) {
                    tailer.toStart();
                }
            }
            return read;
        }

        @Override
        public Writer writer() {
            return log.writer();
        }

        @Override
        public long begin() {
            return log.begin();
        }

        @Override
        public List<String> problems() {
            return log.problems();
        }

        @Override
        public long recoveries() {
            return log.recoveries();
        }

        @Override
        public void close() {
            log.close();
        }
    }

    private static void checkWhole(MemorySegment segment, long offset, int length) {
        Message message = Message.read(segment, offset, length);
        if (length == Long.BYTES && segment.get(Poisoned.LAYOUT, offset) == Poisoned.WORD) {
            throw new AssertionError("poisoned bytes of a former life");
        }
        if (!message.isWhole(segment, offset, length)) {
            throw new AssertionError("torn: " + message + " of " + length + " bytes");
        }
    }
}
