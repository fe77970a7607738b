package dev.larder.map.clean;

import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The cleaner emptied the oldest segment of a map's log, and dropped it. */
@Name("dev.larder.MapCleaning")
@Label("Map Cleaning")
@Category("Larder")
@StackTrace(false)
final class CleaningEvent extends Event {

    @Label("Map")
    String map = "";

    @Label("Segment")
    int segment;

    @Label("Size")
    @DataAmount
    long bytes;

    @Label("Carried")
    @DataAmount
    long carriedBytes;

    static CleaningEvent start() {
        CleaningEvent event = new CleaningEvent();
        event.begin();
        return event;
    }

    void finish(Path directory, int cleaned, long fileBytes, long carried) {
        map = directory.toString();
        segment = cleaned;
        bytes = fileBytes;
        carriedBytes = carried;
        commit();
    }
}
