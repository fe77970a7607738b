package dev.larder.server.operate;

import dev.larder.server.store.Store;
import java.util.List;
import java.util.function.Supplier;

/**
 * The data of the node.
 *
 * @param stores returns the databases that are open
 */
public record NodeData(Supplier<List<Store>> stores) {

    void sync() {
        stores.get().forEach(Store::sync);
    }

    void checkpoint() {
        stores.get().forEach(store -> {
            store.sync();
            store.checkpoint();
        });
    }
}
