package dev.larder.codec;

import dev.larder.memory.Access;
import dev.larder.memory.Storage;
import java.nio.file.Path;

/**
 * Where a codec writes down how its values are to be read: the directory of a queue or a map.
 *
 * @param directory where the codec's files are
 * @param storage what they are opened with
 * @param files who may read and write those that the codec makes
 */
public record CodecFolder(Path directory, Storage storage, Access files) {}
