package dev.larder.map.clean;

import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A change of a map waited for room, or made room itself. */
@Name("dev.larder.MapSpaceWait")
@Label("Map Space Wait")
@Category("Larder")
final class SpaceWaitEvent extends Event {

    @Label("Map")
    String map = "";

    @Label("Removal")
    boolean removal;

    static SpaceWaitEvent start(Path map, boolean removal) {
        SpaceWaitEvent event = new SpaceWaitEvent();
        event.map = map.toString();
        event.removal = removal;
        event.begin();
        return event;
    }
}
