package dev.larder.log.sync;

import dev.larder.log.Position;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** The event that a log was made durable up to a position. */
@Name("dev.larder.Sync")
@Label("Log Sync")
@Category("Larder")
final class SyncEvent extends Event {

    @Label("Durable Position")
    String position = "";

    static SyncEvent start() {
        SyncEvent event = new SyncEvent();
        event.begin();
        return event;
    }

    void finish(long durable) {
        position = Position.toString(durable);
        commit();
    }
}
