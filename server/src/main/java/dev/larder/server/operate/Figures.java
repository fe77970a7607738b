package dev.larder.server.operate;

import dev.larder.map.MapInfo;
import dev.larder.resp.CommandFlag;
import dev.larder.server.config.Settings;
import dev.larder.server.session.KnownCommand;
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
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The figures of a running server, from which INFO, the health port and MEMORY tell. Thread-safe. */
final class Figures {

    /** Counts of the maps, which count on when those of the server are set to 0. */
    enum Count {
        HITS,
        MISSES,
        EXPIRED,
        EVICTED;

        private long of(MapInfo info) {
            return switch (this) {
                case HITS -> info.hits();
                case MISSES -> info.misses();
                case EXPIRED -> info.space().expired();
                case EVICTED -> info.space().evicted();
            };
        }
    }

    private static final int ID_BYTES = 20;

    private final Settings settings;
    private final NodeData data;
    private final Observation observation;
    private final Checkpoints checkpoints;
    private final String configurationFile;
    private final String runId = randomId();
    private final String replicationId = randomId();
    private final Map<Count, Long> before = new ConcurrentHashMap<>();
    private volatile @Nullable Node node;
    private volatile String transport = "";
    private volatile long writesAtSave;
    private volatile long savesSeen;
    private volatile double commandsPerSecond;

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

    void setTransport(String kind) {
        transport = kind;
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

    private long writesRun() {
        return node().commands().allKnown().stream()
                .filter(known -> known.command().is(CommandFlag.WRITE))
                .mapToLong(Figures::done)
                .sum();
    }

    private static long done(KnownCommand known) {
        return known.calls().sum() - known.failed().sum();
    }

    /** Returns how many commands that write were done since the last checkpoint, as far as this object was asked. */
    synchronized long writesSinceSave() {
        long writes = writesRun();
        if (checkpoints.count() != savesSeen || writes < writesAtSave) {
            savesSeen = checkpoints.count();
            writesAtSave = writes;
        }
        return writes - writesAtSave;
    }

    double commandsPerSecond() {
        return commandsPerSecond;
    }

    void setCommandsPerSecond(double rate) {
        commandsPerSecond = rate;
    }

    /** Returns a sum over the maps of all databases. */
    long sum(ToLongFunction<MapInfo> figure) {
        return stores().stream().map(Store::info).mapToLong(figure).sum();
    }

    /** Returns the memory that the process uses by itself: the heap and the indexes. Files' pages are not in it. */
    long usedBytes() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory() + sum(MapInfo::indexBytes);
    }

    /** Returns a sum that only grows, since the counts were set to 0 last. */
    long sumSinceReset(Count count) {
        return Math.max(0, sum(count::of) - before.getOrDefault(count, 0L));
    }

    /** Sets the counts to 0. */
    void resetCounts() {
        for (Count count : Count.values()) {
            before.put(count, sum(count::of));
        }
    }

    long inputBytes() {
        return node().traffic().inputBytes();
    }

    long outputBytes() {
        return node().traffic().outputBytes();
    }
}
