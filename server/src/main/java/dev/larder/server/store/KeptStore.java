package dev.larder.server.store;

import dev.larder.map.LarderMap;
import java.time.InstantSource;

/** A store that is kept at moments. Its next opening takes the store back to the last kept moment. */
public final class KeptStore {

    private final Keeper keeper;
    private final LarderMap<Bytes, Bytes> strings;
    private final LazyStreams streams;
    private final InstantSource clock;

    KeptStore(Keeper keeper, LarderMap<Bytes, Bytes> strings, LazyStreams streams, InstantSource clock) {
        this.keeper = keeper;
        this.strings = strings;
        this.streams = streams;
        this.clock = clock;
    }

    /**
     * Returns the note of the moment to which this opening has taken the store back, or of a later one. Empty if the store was
     * empty.
     */
    public byte[] note() {
        return keeper.point().note().clone();
    }

    /**
     * Prepares a store that was copied, and taken back to its moment, for another future: what was added behind that moment
     * while the files were copied does not come again. The caller keeps the store next.
     */
    public void giveUpRepeated() {
        StreamNames names = streams.ifOpen();
        if (names != null) {
            names.folder().giveUpRepeated();
        }
    }

    /**
     * Keeps the store at this moment, with a note of at most 512 bytes. It is durable when this returns. The next opening
     * takes the store back to this moment, whatever changes followed and however they ended. No thread may change the store
     * meanwhile.
     */
    public void keep(byte[] note) {
        if (note.length > KeptPoint.NOTE_MAX_BYTES) {
            throw new IllegalArgumentException(
                    "a note of " + note.length + " bytes; the most is " + KeptPoint.NOTE_MAX_BYTES);
        }
        StreamNames names = streams.ifOpen();
        long now = clock.millis();
        long point = strings.restorePoint();
        KeptPoint next = names == null ? new KeptPoint(now, point, 0, 0, 0, 0, note) : names.keep(now, point, note);
        keeper.keep(next);
        strings.keepFrom(point);
        if (names != null) {
            names.kept(next);
        }
    }
}
