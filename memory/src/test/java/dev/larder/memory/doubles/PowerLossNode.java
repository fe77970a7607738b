package dev.larder.memory.doubles;

import java.util.HashMap;
import java.util.Map;

/** The target of a name in {@link PowerLossStorage}: a file, or a directory. */
sealed interface PowerLossNode permits PowerLossNode.Directory, PowerLossContent {

    /** A directory: the names as processes see them, and as the disk has them. */
    final class Directory implements PowerLossNode {
        final Map<String, PowerLossNode> names = new HashMap<>();
        final Map<String, PowerLossNode> durable = new HashMap<>();

        void sync() {
            durable.clear();
            durable.putAll(names);
        }
    }
}
