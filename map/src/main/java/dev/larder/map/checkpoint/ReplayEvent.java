package dev.larder.map.checkpoint;

import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A map was opened, and its index made from its log: from the records since the last image, or from all of them. */
@Name("dev.larder.MapReplay")
@Label("Map Replay")
@Category("Larder")
@StackTrace(false)
final class ReplayEvent extends Event {

    @Label("Map")
    String map = "";

    @Label("Records")
    long records;

    @Label("Segments")
    int segments;

    @Label("Threads")
    int threads;

    static ReplayEvent start(Path map) {
        ReplayEvent event = new ReplayEvent();
        event.begin();
        event.map = map.toString();
        return event;
    }

    void finish(long readRecords, int readSegments, int byThreads) {
        records = readRecords;
        segments = readSegments;
        threads = byThreads;
        commit();
    }
}
