package dev.larder.codec;

import dev.larder.memory.Access;
import dev.larder.memory.Storage;
import java.nio.file.Path;

/**
 * The folder in which a codec stores its schemas: the directory of a queue or a map.
 *
 * @param directory the directory of the codec's files
 * @param storage the storage that opens the files
 * @param files the users that may read and write the files that the codec makes
 * @param writable whether the codec may store a missing schema. If not, a value that it writes with that schema equals no
 *     stored value
 */
public record CodecFolder(Path directory, Storage storage, Access files, boolean writable) {

    /** Makes a folder in which the codec may store schemas. */
    public CodecFolder(Path directory, Storage storage, Access files) {
        this(directory, storage, files, true);
    }
}
