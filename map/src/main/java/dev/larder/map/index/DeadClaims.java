package dev.larder.map.index;

import dev.larder.log.layer.ClaimResolver;
import dev.larder.map.format.EntryLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.map.format.KeyHash;
import dev.larder.map.format.PackedPositions;
import dev.larder.map.format.Placement;
import dev.larder.map.shared.IndexFile;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a record counts that a dead process has claimed and not committed: it does if the index leads to it.
 *
 * <p>No other process links the record, and a thread that replaces its word commits it first. So the answer is the same at
 * any time, in any process. Before there is an index, as at the first opening, nothing is linked: the index that led to the
 * record is gone.
 */
public final class DeadClaims implements ClaimResolver {

    /** The index in which a record is looked for. */
    private record Where(IndexFile file, Directory directory, PackedPositions places, long seed) {}

    private volatile @Nullable Where where;

    /** Sets the index to search. */
    public void lookAt(IndexFile file) {
        IndexFile.Opening opening = file.opening();
        where = new Where(
                file, new Directory(file), new PackedPositions(opening.largestSegmentBytes(), 0), opening.seed());
    }

    @Override
    public boolean isWhole(MemorySegment segment, long offset, int length, long position) {
        Where here = where;
        return here != null
                && EntryLayout.isEntry(segment, offset, length)
                && isLinked(here, hash(here, segment, offset), position);
    }

    private static long hash(Where here, MemorySegment segment, long offset) {
        int length = EntryLayout.keyLength(segment, offset);
        return KeyHash.of(segment, EntryLayout.keyAt(segment, offset), length, here.seed);
    }

    private static boolean isLinked(Where here, long hash, long position) {
        int partition = Placement.partition(hash);
        long word = here.directory.stepOf(partition, hash);
        while (true) {
            boolean linked = leadsTo(here, Directory.step(word), hash, here.places.placeOf(position));
            VarHandle.acquireFence();
            long after = here.directory.stepOf(partition, hash);
            if (after == word) {
                return linked;
            }
            word = after; // rebuilt meanwhile
        }
    }

    private static boolean leadsTo(Where here, int step, long hash, long place) {
        boolean[] found = {false};
        new PageWords(here.file.memory(), IndexMemory.base(step))
                .forEachOf(
                        Placement.group(hash),
                        (group, word) -> found[0] |= IndexWord.isOfKey(word)
                                && IndexWord.tag(word) == Placement.tag(hash)
                                && IndexWord.place(word) == place);
        return found[0];
    }
}
