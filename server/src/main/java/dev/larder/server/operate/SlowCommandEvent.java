package dev.larder.server.operate;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A command that the slow log took, for flight recordings. */
@Name("dev.larder.SlowCommand")
@Label("Slow command")
@Category({"Larder", "Server"})
@StackTrace(false)
final class SlowCommandEvent extends Event {

    @Label("Command")
    String command = "";

    @Label("Client")
    String client = "";

    @Label("Time")
    @Timespan(Timespan.NANOSECONDS)
    long time;
}
