package dev.larder.server.stream;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the streams of some folders end at one moment. The thread that takes them has locked the slots of all keys, so no
 * stream changes. But another thread may use a stream for long, to open its queue, say. All writers would wait for that thread,
 * too. So this thread waits for it without the slots, and takes all ends anew.
 */
@SuppressWarnings("exports") // callers do not need the nullness annotations
public final class StreamEnds {

    private final Map<StreamFolder, Map<Long, StreamsMoment.At>> all = new HashMap<>();
    private @Nullable Stream busy;

    /** Takes the ends of a folder's streams, up to the first stream that another thread uses for long. */
    public void take(StreamFolder folder) {
        Map<Long, StreamsMoment.At> ends = new HashMap<>();
        for (Stream stream : folder.all()) {
            StreamsMoment.At end = busy == null ? stream.momentIfUnused() : null;
            if (end == null) {
                busy = busy == null ? stream : busy;
                return;
            }
            ends.put(stream.number(), end);
        }
        all.put(folder, ends);
    }

    /** Takes the ends of a folder's streams, and waits for other threads that use one. */
    public void takeAll(StreamFolder folder) {
        Map<Long, StreamsMoment.At> ends = new HashMap<>();
        folder.all().forEach(stream -> ends.put(stream.number(), stream.moment()));
        all.put(folder, ends);
    }

    /** Returns whether it has the ends of all streams. */
    public boolean isComplete() {
        return busy == null;
    }

    /** Waits until no thread uses the stream that was in use. */
    public void awaitBusy() {
        if (busy != null) {
            busy.moment();
        }
    }

    /** Returns the ends of a folder's streams, by the streams' numbers. */
    Map<Long, StreamsMoment.At> of(StreamFolder folder) {
        return all.getOrDefault(folder, Map.of());
    }
}
