package dev.larder.array;

import dev.larder.array.stripe.StoreStripe;
import dev.larder.memory.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** The paths of the stores of a node's stripes. */
final class StoreFiles {

    private StoreFiles() {}

    /** Returns the folder of a stripe's store. */
    static Path store(ArrayOptions options, int stripe) {
        return options.directory().resolve("stripes").resolve(Integer.toString(stripe));
    }

    /** Returns the file beside the store. */
    static Path record(ArrayOptions options, int stripe) {
        Path store = store(options, stripe);
        return store.resolveSibling(store.getFileName() + StoreStripe.RECORD);
    }

    /**
     * Returns the folder of the empty store of a witness. It differs from a mirror's folder, so a witness's record of seen
     * entries is never taken for entries that a mirror has applied.
     */
    static Path witness(ArrayOptions options, int stripe) {
        return store(options, stripe).resolveSibling(stripe + ".witness");
    }

    /** Deletes the store of a stripe. */
    static void delete(ArrayOptions options, int stripe) {
        deleteMirror(options, stripe);
        deleteWitness(options, stripe);
    }

    /** Deletes the store of a mirror. */
    static void deleteMirror(ArrayOptions options, int stripe) {
        delete(store(options, stripe));
        delete(record(options, stripe));
    }

    /** Deletes the empty store of a witness. */
    static void deleteWitness(ArrayOptions options, int stripe) {
        Path store = witness(options, stripe);
        delete(store);
        delete(store.resolveSibling(store.getFileName() + StoreStripe.RECORD));
    }

    /** Deletes a file or a folder, if it is there. */
    static void delete(Path path) {
        if (!Files.exists(path)) {
            return;
        }
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new StorageException(path + " cannot be deleted: " + e, e);
        }
    }
}
