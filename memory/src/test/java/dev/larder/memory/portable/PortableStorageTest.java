package dev.larder.memory.portable;

import dev.larder.memory.Storage;
import dev.larder.memory.StorageContract;

final class PortableStorageTest extends StorageContract {

    @Override
    protected Storage storage() {
        return PortableStorage.INSTANCE;
    }
}
