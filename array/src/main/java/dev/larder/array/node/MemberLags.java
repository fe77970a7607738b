package dev.larder.array.node;

import dev.larder.array.form.MemberLag;
import java.util.List;
import java.util.OptionalLong;

/** How far other members of a stripe are behind its leader, as the nodes have told. */
final class MemberLags {

    private MemberLags() {}

    /** Returns what this node knows of the other members of a stripe that it leads. */
    static List<MemberLag> of(Stripes stripes, Stripe led) {
        led.noteApplied();
        return stripes.nodes(led.number()).stream()
                .filter(node -> node != stripes.self())
                .map(node -> of(stripes.leaders(), led, node))
                .toList();
    }

    private static MemberLag of(Leaders leaders, Stripe led, int node) {
        boolean runs = leaders.hasMember(node, led.id());
        OptionalLong applied = leaders.applied(node, led.id());
        if (applied.isEmpty()) {
            return new MemberLag(led.number(), node, runs, -1, 0, 0);
        }
        EntryTrail.Behind behind = led.trail().behind(applied.getAsLong(), System.nanoTime());
        return new MemberLag(led.number(), node, runs, behind.entries(), behind.bytes(), behind.millis());
    }
}
