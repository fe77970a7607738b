package dev.larder.map.index;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The event that a page of a map's index became two, or one without its dead words, or one with its neighbour. */
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
