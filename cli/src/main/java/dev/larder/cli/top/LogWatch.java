package dev.larder.cli.top;

import dev.larder.cli.FailureReason;
import dev.larder.log.Log;
import dev.larder.log.LogCounter;
import dev.larder.log.LogOptions;
import dev.larder.map.StoredMap;
import dev.larder.map.StoredMapInfo;
import dev.larder.memory.LarderException;
import dev.larder.memory.MemoryNodes;
import dev.larder.memory.PageCache;
import dev.larder.memory.StorageException;
import dev.larder.memory.SystemStorage;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.QueueInfo;
import dev.larder.queue.TailerInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A watch that samples one log repeatedly, read-only, without effect on the processes that use it. */
final class LogWatch implements AutoCloseable {

    /** The name of a segment file, which is its number. Any other file is not Larder's. */
    private static final Pattern SEGMENT = Pattern.compile("(\\d{10})\\.seg");

    private static final boolean SEVERAL_NODES = MemoryNodes.withMemory().cardinality() > 1;

    private static final LogOptions OPTIONS =
            LogOptions.defaults().withReadOnly(true).withAllowRemote(true);

    private final Path directory;
    private final String identity;
    private final LarderQueue queue;
    private @Nullable LogLook before;
    private long durableSince = System.nanoTime();

    LogWatch(Path directory) {
        this.directory = directory;
        this.identity = identity(directory); // before the opening: a later file is another log
        this.queue = LarderQueue.open(directory, OPTIONS);
    }

    /** A look at a log and the look before it. The first look is its own predecessor. */
    record Change(LogLook now, LogLook before, double syncAgeSeconds) {}

    private static String identity(Path directory) {
        return SystemStorage.system().fileIdentity(directory.resolve("log.ctl"));
    }

    /** Returns whether the directory holds another log than the one that is watched. If the system cannot tell, the watch goes on. */
    boolean isReplaced() {
        try {
            return !identity(directory).equals(identity);
        } catch (StorageException e) {
            return false;
        }
    }

    Change look() {
        QueueInfo info = queue.info();
        long nanoTime = System.nanoTime();
        LogLook now = new LogLook(
                directory,
                nanoTime,
                info,
                counters(),
                segments(),
                tailers(),
                nodes(),
                map(),
                LockTable.holders(directory.resolve("log.lck")));
        LogLook previous = before == null ? now : before;
        before = now;
        boolean upToDate = info.durablePosition() >= info.endPosition();
        boolean moved = info.durablePosition() != previous.info().durablePosition();
        durableSince = upToDate || moved ? nanoTime : durableSince;
        return new Change(now, previous, (nanoTime - durableSince) / 1e9);
    }

    /** Returns the counters; none for a log that was never opened for writing since this format exists. */
    private Map<LogCounter, Long> counters() {
        try {
            return Log.readCounters(directory);
        } catch (LarderException e) {
            return new EnumMap<>(LogCounter.class);
        }
    }

    /** Returns the tailers; none if they cannot be read, because damage is for verify to report. */
    private List<TailerInfo> tailers() {
        try {
            return queue.tailers();
        } catch (LarderException e) {
            return List.of();
        }
    }

    /** Returns the state of the map; empty if it cannot be read, for the same reason. */
    private Optional<StoredMapInfo> map() {
        if (!StoredMap.isIn(directory)) {
            return Optional.empty();
        }
        try (StoredMap map = StoredMap.open(directory, OPTIONS)) {
            return Optional.of(map.info());
        } catch (LarderException e) {
            return Optional.empty();
        }
    }

    private SortedMap<Integer, Long> nodes() {
        SortedMap<Integer, Long> nodes = new TreeMap<>();
        if (SEVERAL_NODES) {
            for (Path file : segmentFiles()) {
                PageCache.residentBytesByNode(file)
                        .ifPresent(bytes -> bytes.forEach((node, more) -> nodes.merge(node, more, Long::sum)));
            }
        }
        return nodes;
    }

    private List<LogLook.Segment> segments() {
        return segmentFiles().stream().map(LogWatch::segment).toList();
    }

    private List<Path> segmentFiles() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> number(file).isPresent()).sorted().toList();
        } catch (IOException e) {
            throw new LarderException(directory + ": cannot list the segments: " + FailureReason.withoutPath(e), e);
        }
    }

    private static OptionalInt number(Path file) {
        Matcher name = SEGMENT.matcher(String.valueOf(file.getFileName()));
        long number = name.matches() ? Long.parseLong(name.group(1)) : Long.MAX_VALUE;
        return number <= Integer.MAX_VALUE ? OptionalInt.of((int) number) : OptionalInt.empty();
    }

    private static LogLook.Segment segment(Path file) {
        return new LogLook.Segment(number(file).orElseThrow(), file.toFile().length(), PageCache.residentBytes(file));
    }

    @Override
    public void close() {
        queue.close();
    }
}
