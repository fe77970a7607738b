package dev.larder.lab.map;

import dev.larder.cli.Figures;
import dev.larder.lab.machine.CachedPages;
import dev.larder.lab.machine.MappedMemoryFiles;
import dev.larder.lab.machine.ProcessMemory;
import dev.larder.lab.process.ChildLoop;
import dev.larder.lab.result.Directories;
import dev.larder.lab.result.LabException;
import dev.larder.lab.result.Require;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The process that holds one map, and works on it on request: its code is compiled for it alone.
 *
 * <p>Commands: {@code agree} checks its answers; {@code load}, {@code check}, {@code measure}, {@code memory},
 * {@code close}, {@code reopen}.
 */
public final class MapChild {

    private static final long CHECKED_MAX = 20_000;
    private static final long CHECKED_MIN = 500;
    private static final long CHECK_NANOS = 20_000_000_000L;
    private static final int ABSENT = 1_000;

    private final Supplier<MapSubject> maker;
    private final boolean tells;
    private @Nullable MapSubject subject;
    private MapShape shape = new MapShape(1, MapValue.BYTES_MIN);
    private GrowingKeys keys = new GrowingKeys(1, 1);
    private Path directory = Path.of("");
    private Figures memoryBefore = new Figures();
    private long heapBefore;

    private MapChild(Supplier<MapSubject> maker, boolean tells) {
        this.maker = maker;
        this.tells = tells;
    }

    /** Serves with a map by name, of those that need only this lab. */
    public static void main(String[] arguments) throws IOException {
        switch (arguments[0]) {
            case "larder" -> serve(LarderSubject::keeping);
            case "larder-tight" -> serve(LarderSubject::tight);
            case "log" -> serve(LogSubject::new);
            case "larder-cache" -> serve(LarderSubject::evicting);
            case "concurrent-hash-map" ->
                serve(() -> new HashMapSubject(
                        wanted -> new ConcurrentHashMap<>((int) Math.min(wanted.mostEntries(), 1 << 29)),
                        "java.util.concurrent.ConcurrentHashMap, sized for its entries at most"));
            case "plain-file" -> serve(FileRecords::byPosition);
            case "mapped-file" -> serve(FileRecords::inMappedFile);
            case "plain" -> new MapChild(PlainRecords::new, false).loop().serve();
            default -> throw new LabException("unknown map '" + arguments[0] + "'");
        }
    }

    /** Serves a conductor with maps of one kind until it ends. */
    public static void serve(Supplier<MapSubject> maker) throws IOException {
        new MapChild(maker, true).loop().serve();
    }

    private ChildLoop loop() {
        return new ChildLoop()
                .on("agree", this::agree)
                .on("load", this::load)
                .on("check", plan -> check())
                .on("measure", this::measure)
                .on("memory", plan -> memory())
                .on("close", plan -> close())
                .on("reopen", plan -> reopen());
    }

    private MapSubject subject() {
        return Require.present(subject, "nothing was loaded");
    }

    /** Uses a separate small map; reopens a persistent one and checks it again. */
    private Figures agree(Figures plan) throws Exception {
        Path place = Directories.create(Path.of(plan.text("directory")));
        MapShape small = new MapShape(10_000, MapShape.of(plan).valueBytes());
        MapSubject made = maker.get();
        Figures settings = made.open(place, small);
        if (!made.isMap()) {
            made.close();
            return new Figures().put("settings", settings).put("compared", 0);
        }
        MapAgreement agreement = new MapAgreement(made, small);
        made.loaded();
        long compared = agreement.run(plan.whole("seed"));
        if (made.isPersistent()) {
            made.close();
            made.open(place, small);
            compared += agreement.checkAll();
        }
        made.close();
        return new Figures().put("settings", settings).put("compared", compared);
    }

    private Figures load(Figures plan) throws Exception {
        directory = Directories.create(Path.of(plan.text("directory")));
        shape = MapShape.of(plan);
        // plain records have a record for any key: there is always room
        keys = new GrowingKeys(shape.entries(), tells ? shape.mostEntries() : Long.MAX_VALUE);
        heapBefore = heapBytes();
        memoryBefore = ProcessMemory.figures();
        MapSubject made = maker.get();
        made.open(directory, shape);
        subject = made;
        byte[] value = MapValue.pattern(shape.valueBytes());
        long begun = System.nanoTime();
        for (long number = 0; number < shape.entries(); number++) {
            long key = MapValue.key(number);
            MapValue.set(value, key, number);
            made.load(key, value);
        }
        made.loaded();
        long ended = System.nanoTime();
        made.sync();
        double seconds = (ended - begun) / 1e9;
        return new Figures()
                .put("load_seconds", seconds)
                .put("load_per_s", shape.entries() / seconds)
                .put("sync_ms", (System.nanoTime() - ended) / 1e6);
    }

    /**
     * Checks every byte of so many random values, and that absent keys are not found. If that takes long, it checks fewer:
     * beyond memory, a plain mapping reads 8 MiB for each.
     */
    private Figures check() throws Exception {
        if (!subject().isMap()) {
            return new Figures().put("checked", 0);
        }
        long checked = check(0, shape.entries()) + check(shape.entries(), keys.count());
        byte[] found = new byte[shape.valueBytes()];
        for (long i = 0; i < ABSENT; i++) {
            if (subject().get(MapValue.key(keys.count() + i), found)) {
                throw new LabException("a key that was never put is there");
            }
        }
        return new Figures().put("checked", checked);
    }

    /** Checks the values of some numbers in a range. */
    private long check(long first, long end) throws Exception {
        byte[] found = new byte[shape.valueBytes()];
        SplittableRandom random = new SplittableRandom(1);
        long wanted = Math.min(CHECKED_MAX, end - first);
        long until = System.nanoTime() + CHECK_NANOS;
        long checked = 0;
        for (; checked < wanted && (checked < CHECKED_MIN || System.nanoTime() < until); checked++) {
            long number = first + (wanted == end - first ? checked : random.nextLong(end - first));
            long key = MapValue.key(number);
            if (!subject().get(key, found) || !MapValue.isWhole(found, key)) {
                throw new LabException("key " + key + " is missing, or has another value than was put");
            }
        }
        return checked;
    }

    private Figures measure(Figures plan) {
        MapOperation operation = MapOperation.of(plan);
        if (operation.inPlace() && !subject().readsInPlace()) {
            return new Figures().put("skipped_reason", "it returns only copies");
        }
        if (operation.finds() && !subject().isMap()) {
            return new Figures().put("skipped_reason", "it has no lookup");
        }
        MapTimes times = new MapTimes(subject(), shape, keys, operation, tells);
        int threads = Math.toIntExact(plan.whole("threads"));
        times.run(threads, plan.number("warm_up_seconds"), plan.whole("seed") + 1);
        Figures before = subject().space();
        long entries = keys.count();
        Figures figures = times.run(
                threads, plan.number("seconds"), plan.whole("seed"), Math.toIntExact(plan.whole("safepoints_per_s")));
        long puts = figures.whole("operations") * operation.writesPercent() / 100;
        return figures.put("entries_start", entries)
                .put("entries_end", keys.count())
                .put("room_reached", keys.isFull() && shape.newEntries() > 0)
                .putAll(CleanerFigures.of(before, subject().space(), puts, entries, keys.count()));
    }

    /**
     * Returns the growth since before the load: heap, memory without a file, and files, also those without a disk. The
     * second excludes the heap, which was touched before.
     */
    private Figures memory() {
        long heap = heapBytes() - heapBefore;
        Figures now = ProcessMemory.figures();
        long outside =
                grown(now, "anonymous_bytes") + grown(now, "shared_memory_bytes") - MappedMemoryFiles.bytes(directory);
        long cached = new CachedPages(directory).bytes();
        long all = Math.max(0, heap) + Math.max(0, outside) + cached;
        return new Figures()
                .put("entries", keys.count())
                .put("heap_bytes", heap)
                .put("outside_bytes", outside)
                .put("cached_file_bytes", cached)
                .put("memory_bytes", all)
                .put("overhead_bytes_per_entry", (all - shape.bytes(keys.count())) / (double) keys.count());
    }

    private long grown(Figures now, String name) {
        Long before = memoryBefore.wholeOrNull(name);
        Long after = now.wholeOrNull(name);
        return before == null || after == null ? 0 : after - before;
    }

    private static long heapBytes() {
        System.gc();
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private Figures close() throws Exception {
        long begun = System.nanoTime();
        subject().close();
        return new Figures().put("close_ms", (System.nanoTime() - begun) / 1e6);
    }

    /** Reopens a closed map, if it is persistent, and checks it again. */
    private Figures reopen() throws Exception {
        if (!subject().isPersistent()) {
            return new Figures().put("reopen_ms", null);
        }
        long begun = System.nanoTime();
        subject().open(directory, shape);
        Figures figures = new Figures().put("reopen_ms", (System.nanoTime() - begun) / 1e6);
        check();
        subject().close();
        return figures;
    }
}
