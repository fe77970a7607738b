package dev.larder.lab.buffers;

import dev.larder.memory.region.Region;
import dev.larder.memory.region.RegionKind;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The names of a run's blocks: the same in every process, so that a killed process's blocks can be deleted.
 *
 * @param directory of names that are paths
 * @param prefix that no other run has
 */
record BlockNames(Path directory, String prefix) {

    /** The one file of a round, and the blocks of the proofs. */
    static final String FILE = "file";

    static final String MOVED = "moved";
    static final String LEFT = "left";
    static final String ORPHAN = "orphan";
    private static final List<String> WORDS = List.of(FILE, MOVED, LEFT, ORPHAN);

    /** More than ever live at once, and less than the default limit of 4096 System V segments. */
    static final int PLACES = 1024;

    /** Returns the number in a block's name; blocks that live at once differ in it. */
    static int place(int index) {
        return index % PLACES;
    }

    String of(BufferKind kind, Object block) {
        String name = prefix + "-" + kind + "-" + block;
        boolean isPath = kind.region() == RegionKind.MAPPED_FILE || kind.region() == RegionKind.APR;
        return isPath ? directory.resolve(name).toString() : name;
    }

    /** Deletes every remaining region of a kind, such as a killed child's. */
    void deleteAll(BufferKind kind) {
        RegionKind region = kind.region();
        if (region.isNamed() && region.unavailable().isEmpty()) {
            IntStream.range(0, PLACES).forEach(place -> Region.delete(region, of(kind, place)));
            WORDS.forEach(word -> Region.delete(region, of(kind, word)));
        }
    }
}
