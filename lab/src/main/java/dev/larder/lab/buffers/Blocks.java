package dev.larder.lab.buffers;

import dev.larder.memory.region.MappedFile;
import dev.larder.memory.region.Region;
import dev.larder.memory.region.RegionKind;
import java.lang.foreign.Arena;
import java.nio.file.Path;

/**
 * The source of the blocks of one round.
 *
 * <pre>
 * heap, direct, huge pages     a region each
 * shared memory of all kinds   a region each, with a name, deleted when it is released
 * mapped files                 a part each of one file, which is made for the round and deleted after it
 * </pre>
 */
interface Blocks extends AutoCloseable {

    /** Creates a block, by its index in the round; its group's arena frees its bytes. */
    Region create(int index, Arena group);

    /** Frees what a block has besides its bytes. */
    default void release(Region block) {
        block.delete();
        block.close();
    }

    /** Frees what all blocks share. */
    @Override
    default void close() {}

    /** Creates what all blocks share. */
    static Blocks open(BufferKind kind, BlockNames names, long blockBytes, long totalBytes) {
        RegionKind region = kind.region();
        if (region == RegionKind.MAPPED_FILE) {
            Path path = Path.of(names.of(kind, BlockNames.FILE));
            return new Parts(MappedFile.create(path, totalBytes, kind.sync()), blockBytes);
        }
        return region.isNamed()
                ? (index, group) -> Region.create(region, names.of(kind, BlockNames.place(index)), blockBytes, group)
                : (index, group) -> Region.create(region, blockBytes, group);
    }

    /** The parts of one file. */
    record Parts(MappedFile file, long blockBytes) implements Blocks {

        @Override
        public Region create(int index, Arena group) {
            return file.map(index * blockBytes, blockBytes, group);
        }

        @Override
        public void release(Region block) {
            block.close();
        }

        @Override
        public void close() {
            file.delete();
            file.close();
        }
    }
}
