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
 */
public record CodecFolder(Path directory, Storage storage, Access files) {}
