package dev.larder.log.segment;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** The event that an appender moved to the next segment. */
@Name("dev.larder.Roll")
@Label("Log Roll")
@Category("Larder")
final class RollEvent extends Event {

    @Label("Segment")
    int segment;

    @Label("Segment Size")
    @DataAmount
    long bytes;

    static RollEvent start() {
        RollEvent event = new RollEvent();
        event.begin();
        return event;
    }

    void finish(Segment entered) {
        segment = entered.number;
        bytes = entered.limit;
        commit();
    }
}
