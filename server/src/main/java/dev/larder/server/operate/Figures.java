package dev.larder.server.operate;

import dev.larder.map.MapInfo;
import dev.larder.server.config.Settings;
import dev.larder.server.session.Node;
import dev.larder.server.store.Store;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The figures of a running server, which INFO, the health port and MEMORY show. Thread-safe. */
final class Figures {

    /** Counts of the stores. They continue when the counts of the server are set to 0. */
    enum Count {
        HITS,
        MISSES,
        EXPIRED,
        EVICTED;

        private long of(Seen seen) {
            return switch (this) {
                case HITS -> seen.store().lookUps().hits();
                case MISSES -> seen.store().lookUps().misses();
                case EXPIRED -> seen.store().expired();
                case EVICTED -> seen.store().memory().evicted(seen.info());
            };
        }
    }

    /**
     * A store with its figures at one moment. Reading them lists the store's files, so a report of several figures reads them
     * once.
     */
    record Seen(Store store, MapInfo info) {}

    private static final int ID_BYTES = 20;

    private final Settings settings;
    private final NodeData data;
    private final Observation observation;
    private final Checkpoints checkpoints;
    private final String configurationFile;
    private final String runId = randomId();
    private final String replicationId = randomId();
    private final Map<Count, Long> before = new ConcurrentHashMap<>();
    private final AtomicLong peakBytes = new AtomicLong();
    private volatile @Nullable Node node;
    private volatile String transport = "";
    private volatile int port;
    private volatile long changesAtSave;
    private volatile long savesSeen;
    private volatile Rates rates = Rates.NONE;

    Figures(
            Settings settings,
            NodeData data,
            Observation observation,
            Checkpoints checkpoints,
            String configurationFile) {
        this.configurationFile = configurationFile;
        this.settings = settings;
        this.data = data;
        this.observation = observation;
        this.checkpoints = checkpoints;
    }

    private static String randomId() {
        byte[] id = new byte[ID_BYTES];
        new SecureRandom().nextBytes(id);
        return HexFormat.of().formatHex(id);
    }

    Settings settings() {
        return settings;
    }

    void attach(Node shared) {
        node = shared;
    }

    void setTransport(String kind, int number) {
        transport = kind;
        port = number;
    }

    boolean isAttached() {
        return node != null;
    }

    Node node() {
        return Objects.requireNonNull(node, "not started yet");
    }

    NodeData data() {
        return data;
    }

    Observation observation() {
        return observation;
    }

    Checkpoints checkpoints() {
        return checkpoints;
    }

    String runId() {
        return runId;
    }

    String replicationId() {
        return replicationId;
    }

    /** Returns how the server waits for sockets. */
    String transport() {
        return transport;
    }

    /**
     * Returns the port on which the server listens: that of the file, the one that the system has chosen, or that of TLS
     * alone.
     */
    int port() {
        return port;
    }

    String configurationFile() {
        return configurationFile;
    }

    List<Store> stores() {
        return data.stores().get();
    }

    /** Returns the open stores by the number of their database; a database of an array has one for each stripe. */
    SortedMap<Integer, List<Store>> storesByDatabase() {
        return stores().stream().collect(Collectors.groupingBy(Store::index, TreeMap::new, Collectors.toList()));
    }

    long commandsRun() {
        return node().commands().allKnown().stream()
                .mapToLong(known -> known.calls().sum())
                .sum();
    }

    /**
     * Returns how many changes there were since the last checkpoint. The count restarts at the first call after a checkpoint.
     * If {@code save} is set, an empty server has none, as in Redis.
     */
    synchronized long changesSinceSave() {
        long changes = node().changes().count();
        boolean empty = !settings.text("save").isEmpty() && stores().stream().allMatch(store -> store.size() == 0);
        if (empty || checkpoints.count() != savesSeen) {
            savesSeen = checkpoints.count();
            changesAtSave = changes;
        }
        return changes - changesAtSave;
    }

    /** Returns the rates of the last second that was measured. */
    Rates rates() {
        return rates;
    }

    void setRates(Rates measured) {
        rates = measured;
    }

    /** Reads the figures of the maps of all databases. */
    List<Seen> look() {
        return stores().stream().map(store -> new Seen(store, store.info())).toList();
    }

    /** Returns a sum over the maps. */
    static long sum(List<Seen> maps, ToLongFunction<MapInfo> figure) {
        return maps.stream().map(Seen::info).mapToLong(figure).sum();
    }

    /** Returns the bytes of the strings, which {@code maxmemory} limits: their records in files, and the indexes. */
    long usedBytes(List<Seen> maps) {
        long used = 0;
        for (Seen seen : maps) {
            seen.store().memory().noteIndex(seen.info().indexBytes());
            used += seen.store().memory().usedBytes();
        }
        peakBytes.accumulateAndGet(used, Math::max);
        return used;
    }

    /** Returns the largest result of {@link #usedBytes} so far. */
    long peakBytes() {
        return peakBytes.get();
    }

    /** Returns the used bytes of the heap, including garbage that the next collection finds. */
    static long heapBytes() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static long sum(List<Seen> maps, Count count) {
        return maps.stream().mapToLong(count::of).sum();
    }

    /** Returns by how much a growing sum has grown since the counts were last set to 0. */
    long sumSinceReset(List<Seen> maps, Count count) {
        return Math.max(0, sum(maps, count) - before.getOrDefault(count, 0L));
    }

    /** Sets the counts to 0. */
    void resetCounts() {
        List<Seen> maps = look();
        for (Count count : Count.values()) {
            before.put(count, sum(maps, count));
        }
    }

    long inputBytes() {
        return node().traffic().inputBytes();
    }

    long outputBytes() {
        return node().traffic().outputBytes();
    }
}
