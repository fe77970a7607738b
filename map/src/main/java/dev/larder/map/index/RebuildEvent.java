package dev.larder.map.index;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A step of a map's index became two, or one without what was dead; or it and its neighbour became one. */
@Name("dev.larder.MapRebuild")
@Label("Map Index Rebuild")
@Category("Larder")
@StackTrace(false)
final class RebuildEvent extends Event {

    @Label("Partition")
    int partition;

    @Label("Depth")
    int depth;

    @Label("Split")
    boolean split;

    @Label("Merge")
    boolean merge;

    static RebuildEvent start() {
        RebuildEvent event = new RebuildEvent();
        event.begin();
        return event;
    }

    void finish(PageRef step, long decision) {
        partition = step.partition();
        depth = step.depth();
        split = Decision.isSplit(decision);
        merge = Decision.isBoth(decision);
        commit();
    }
}
