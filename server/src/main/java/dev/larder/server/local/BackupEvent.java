package dev.larder.server.local;

import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A backup was written, or was given up. */
@Name("dev.larder.Backup")
@Label("Backup")
@Category({"Larder", "Server"})
@StackTrace(false)
final class BackupEvent extends Event {

    @Label("Folder")
    String folder = "";

    /** How long all slots were locked, so that writers waited. */
    @Label("Pause")
    @Timespan(Timespan.NANOSECONDS)
    long pause;

    @Label("Complete")
    boolean complete;

    static BackupEvent start(Path folder) {
        BackupEvent event = new BackupEvent();
        event.folder = folder.toString();
        event.begin();
        return event;
    }

    void finish(long pauseNanos, boolean isComplete) {
        pause = pauseNanos;
        complete = isComplete;
        commit();
    }
}
