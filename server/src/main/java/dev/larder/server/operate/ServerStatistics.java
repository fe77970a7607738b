package dev.larder.server.operate;

import dev.larder.log.FlightEvents;
import dev.larder.server.operate.Figures.Count;
import dev.larder.server.operate.Figures.Seen;
import java.util.List;

/** Reports to flight recordings each second what the server has done. Used by one thread. */
final class ServerStatistics {

    private final Figures figures;
    private Totals before = Totals.NONE;

    /** Counts since the server started, or since they were set to 0. */
    private record Totals(long opened, long closed, long refused, long commands, long evicted, long outOfMemory) {

        static final Totals NONE = new Totals(0, 0, 0, 0, 0, 0);
    }

    ServerStatistics(Figures figures) {
        this.figures = figures;
    }

    /** Reports at the end of a second. */
    void tell() {
        FlightEvents.ifRecorded(ServerStatisticsEvent::new).ifPresent(this::commit);
    }

    private void commit(ServerStatisticsEvent event) {
        if (!event.isEnabled()) {
            return;
        }
        List<Seen> maps = figures.look();
        Totals now = new Totals(
                figures.node().connections(),
                figures.node().closedConnections(),
                figures.node().admission().refused(),
                figures.commandsRun(),
                figures.sumSinceReset(maps, Count.EVICTED),
                figures.node().outOfMemory());
        event.port = figures.port();
        event.clients = figures.node().sessions().size();
        event.opened = since(now.opened, before.opened);
        event.closed = since(now.closed, before.closed);
        event.refused = since(now.refused, before.refused);
        event.commands = since(now.commands, before.commands);
        event.evicted = since(now.evicted, before.evicted);
        event.outOfMemory = since(now.outOfMemory, before.outOfMemory);
        event.usedMemory = figures.usedBytes(maps);
        event.commit();
        before = now;
    }

    /** Returns the growth of a count, which CONFIG RESETSTAT may have set to 0. */
    private static long since(long now, long before) {
        return now < before ? now : now - before;
    }
}
