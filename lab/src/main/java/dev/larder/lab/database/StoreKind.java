package dev.larder.lab.database;

import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.process.RivalClassPath;
import java.util.List;
import java.util.function.Supplier;

/**
 * A store for the comparison, in one of its variants.
 *
 * @param store its name
 * @param variant how it is used; empty if there is only one way
 * @param command starts its child process
 */
record StoreKind(String store, String variant, Supplier<List<String>> command) {

    /** The name of Larder's queue in options and results. */
    static final String LARDER = "larder";

    /** The name of its map in options and results. */
    static final String LARDER_MAP = "larder-map";

    /** The name of the machine's own limit. */
    static final String FILE = "file";

    /** The name of the store that needs a server. */
    static final String POSTGRES = "postgres";

    /** Every store, in the order of results. */
    static final List<String> STORES = List.of(LARDER, LARDER_MAP, FILE, "sqlite", "h2", POSTGRES);

    private static final String RIVALS = "dev.larder.benchmarks.rivals.DatabaseStores";

    /** Prevents the JDK's warning of the native library of sqlite-jdbc. */
    private static final List<String> SQLITE_FLAGS = List.of("--enable-native-access=ALL-UNNAMED");

    /** Returns the kinds of a store. */
    static List<StoreKind> named(String store, DatabaseOptions options) {
        return switch (store) {
            case LARDER, LARDER_MAP, FILE ->
                List.of(new StoreKind(
                        store, "", () -> JavaProcess.command(options.smallHeapBytes(), StoreChild.class)));
            case "sqlite" ->
                List.of(
                        rival(store, "wal", options.clientHeapBytes(), SQLITE_FLAGS),
                        rival(store, "journal", options.clientHeapBytes(), SQLITE_FLAGS));
            case "h2" -> List.of(rival(store, "", options.cachingHeapBytes(), List.of()));
            default ->
                List.of(
                        rival(store, "copy", options.clientHeapBytes(), List.of()),
                        rival(store, "insert", options.clientHeapBytes(), List.of()));
        };
    }

    private static StoreKind rival(String store, String variant, long heapBytes, List<String> flags) {
        return new StoreKind(store, variant, () -> RivalClassPath.command(heapBytes, RIVALS, flags));
    }

    /** Returns whether it is a database, to compare Larder with. */
    static boolean isDatabase(String store) {
        return !store.equals(LARDER) && !store.equals(LARDER_MAP) && !store.equals(FILE);
    }

    boolean needsServer() {
        return store.equals(POSTGRES);
    }

    /** Returns its name with its variant. */
    @Override
    public String toString() {
        return variant.isEmpty() ? store : store + "-" + variant;
    }
}
