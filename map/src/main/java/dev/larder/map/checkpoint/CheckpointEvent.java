package dev.larder.map.checkpoint;

import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** An image of a map's index was written. */
@Name("dev.larder.MapCheckpoint")
@Label("Map Checkpoint")
@Category("Larder")
@StackTrace(false)
final class CheckpointEvent extends Event {

    @Label("Map")
    String map = "";

    @Label("Size")
    @DataAmount
    long bytes;

    static CheckpointEvent start() {
        CheckpointEvent event = new CheckpointEvent();
        event.begin();
        return event;
    }

    void finish(Path directory) {
        map = directory.toString();
        commit();
    }
}
