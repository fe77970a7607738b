package dev.larder.array.node;

import dev.larder.array.form.MemberLag;
import java.util.List;
import java.util.OptionalLong;

/** The lags of a stripe's other members behind its leader, as the nodes report them. */
final class MemberLags {

    private MemberLags() {}

    /** Returns the lags of the other members of a stripe that this node leads. */
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
