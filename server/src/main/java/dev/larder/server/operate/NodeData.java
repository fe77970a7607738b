package dev.larder.server.operate;

import dev.larder.server.local.KeyspacePart;
import dev.larder.server.store.Store;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The data of the node.
 *
 * @param stores returns the databases that are open
 * @param parts returns the parts that have figures of their own
 * @param backup writes the databases to a folder that does not exist yet
 * @param activeExpiry sets whether the server scans for expired keys that no command requests
 */
public record NodeData(
        Supplier<List<Store>> stores,
        Supplier<List<KeyspacePart>> parts,
        Consumer<Path> backup,
        Consumer<Boolean> activeExpiry) {

    void sync() {
        stores.get().forEach(Store::sync);
    }

    void checkpoint() {
        stores.get().forEach(store -> {
            store.sync();
            store.checkpoint();
        });
    }

    void leaveOutLastCheckpoint() {
        stores.get().forEach(Store::leaveOutLastCheckpoint);
    }
}
