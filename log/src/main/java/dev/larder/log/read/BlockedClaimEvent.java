package dev.larder.log.read;

import dev.larder.log.Position;
import dev.larder.log.format.RecordWord;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A reader or a sync was held up by a record that its writer had claimed and not committed. */
@Name("dev.larder.Stall")
@Label("Log Stall")
@Category("Larder")
final class BlockedClaimEvent extends Event {

    @Label("Position")
    String position = "";

    @Label("Writer Slot")
    int slot;

    @Label("Writer Was Dead")
    boolean dead;

    static BlockedClaimEvent start() {
        BlockedClaimEvent event = new BlockedClaimEvent();
        event.begin();
        return event;
    }

    void finish(long stoodAt, long word, boolean wasDead) {
        position = Position.toString(stoodAt);
        slot = RecordWord.owner(word) >>> 16;
        dead = wasDead;
        commit();
    }
}
