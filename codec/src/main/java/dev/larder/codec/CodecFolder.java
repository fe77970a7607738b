package dev.larder.codec;

import dev.larder.memory.Access;
import dev.larder.memory.Storage;
import java.nio.file.Path;

/**
 * The folder in which a codec stores its schemas: the directory of a queue or a map.
 *
 * @param directory the directory of the codec's files
 * @param storage that opens them
 * @param files who may read and write the files that the codec makes
 * @param writable whether the codec may store a schema that is not there yet. If not, what it writes with that schema is
 *     equal to nothing that is stored
 */
public record CodecFolder(Path directory, Storage storage, Access files, boolean writable) {

    /** A folder in which the codec may store schemas. */
    public CodecFolder(Path directory, Storage storage, Access files) {
        this(directory, storage, files, true);
    }
}
