package consumer;

import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** Says hello through a file of Larder in the directory that the first argument names. */
public final class Greeting {
    private Greeting() {}

    public static void main(String[] arguments) {
        Storage storage = Storage.system();
        Path directory = Path.of(arguments[0]);
        storage.createDirectories(directory, Access.OWNER);
        try (StorageFile file = storage.create(directory.resolve("greeting"), Access.OWNER)
                        .orElseThrow();
                Arena arena = Arena.ofShared()) {
            file.allocate(4096, Allocation.ZEROS);
            MemorySegment mapped = file.map(0, 4096, true, arena);
            mapped.setString(0, "hello");
            file.force(mapped);
            System.out.println(mapped.getString(0) + ", native calls " + storage.isNative());
        }
    }
}
