package dev.larder.memory;

final class PortableStorageTest extends StorageContract {

    @Override
    Storage storage() {
        return PortableStorage.INSTANCE;
    }
}
