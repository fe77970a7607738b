package dev.larder.map.checkpoint;

import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** The index of a map was copied for a snapshot. */
@Name("dev.larder.MapSnapshot")
@Label("Map Snapshot")
@Category("Larder")
public final class SnapshotEvent extends Event {

    @Label("Map")
    String map = "";

    @Label("Entries")
    long entries;

    public static SnapshotEvent start() {
        SnapshotEvent event = new SnapshotEvent();
        event.begin();
        return event;
    }

    public void finish(Path directory, long count) {
        map = directory.toString();
        entries = count;
        commit();
    }
}
