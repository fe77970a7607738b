package dev.larder.server.local;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A sync for all sessions that waited for one. */
@Name("dev.larder.GroupCommit")
@Label("Group Commit")
@Category({"Larder", "Server"})
@StackTrace(false)
final class GroupCommitEvent extends Event {

    @Label("Sessions")
    int sessions;

    @Label("Failed")
    boolean failed;

    static GroupCommitEvent start(int sessions) {
        GroupCommitEvent event = new GroupCommitEvent();
        event.sessions = sessions;
        event.begin();
        return event;
    }

    void finish(boolean hasFailed) {
        failed = hasFailed;
        commit();
    }
}
