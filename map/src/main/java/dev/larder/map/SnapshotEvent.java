package dev.larder.map;

import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** The index of a map was copied for a snapshot. */
@Name("dev.larder.MapSnapshot")
@Label("Map Snapshot")
@Category("Larder")
final class SnapshotEvent extends Event {

    @Label("Map")
    String map = "";

    @Label("Entries")
    long entries;

    static SnapshotEvent start() {
        SnapshotEvent event = new SnapshotEvent();
        event.begin();
        return event;
    }

    void finish(Path directory, long count) {
        map = directory.toString();
        entries = count;
        commit();
    }
}
