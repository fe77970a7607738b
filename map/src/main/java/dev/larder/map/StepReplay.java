package dev.larder.map;

import dev.larder.log.Log;
import dev.larder.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A step of the index made once more, from the log: the last record of each of its keys. For one that lies damaged in the
 * image, and that nobody has looked at since: so all its records are where they were when the image was made.
 */
final class StepReplay {

    /** The word of a key, and the group that it belongs to. */
    private record Place(int group, long word) {}

    private final Log log;
    private final Places places;
    private final long seed;
    private final long place;
    private final Probe probe = new Probe();
    private final Map<ByteBuffer, Place> last = new HashMap<>();

    StepReplay(Log log, Places places, long seed, long place) {
        this.log = log;
        this.places = places;
        this.seed = seed;
        this.place = place;
    }

    /** Reads the log up to a position; returns the step. */
    MemorySegment run(long end) {
        Replay.read(log, OptionalLong.empty(), end, this::take);
        return step();
    }

    private void take(long position, MemorySegment record, long at, int length) {
        probe.take(record, at, seed);
        int entry = Placement.entry(probe.hash, IndexStepLayout.depth(place));
        if (probe.partition == IndexStepLayout.partition(place) && entry == IndexStepLayout.prefix(place)) {
            boolean removal = EntryLayout.isRemoval(EntryLayout.kind(record, at));
            long word = IndexWord.of(Placement.tag(probe.hash), places.place(position), removal);
            last.put(key(), new Place(Placement.group(probe.hash), word));
        }
    }

    private ByteBuffer key() {
        byte[] key = new byte[probe.keyLength];
        MemorySegment.copy(probe.key, 0, MemorySegment.ofArray(key), 0, key.length);
        return ByteBuffer.wrap(key);
    }

    private MemorySegment step() {
        MemorySegment memory = Arena.ofAuto().allocate(IndexStepLayout.BYTES, 8);
        NewStep step = new NewStep(memory, 0, place);
        last.values().forEach(there -> step.add(there.group, there.word));
        Words.setPlain(memory, IndexStepLayout.CHECK, 0);
        return memory;
    }
}
