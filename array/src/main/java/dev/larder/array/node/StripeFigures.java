package dev.larder.array.node;

import dev.larder.array.form.MemberLag;
import dev.larder.array.form.PullState;
import dev.larder.server.local.KeyspacePart;
import dev.larder.server.local.KeyspacePart.Figure;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The figures of the stripes of which a node has a member, or whose files it pulls. */
final class StripeFigures {

    private static final PullState NO_PULL = new PullState(0, 0, 0, 0, 0);

    private StripeFigures() {}

    /**
     * Returns the figures of a stripe.
     *
     * @param here this node's member; null if none runs
     * @param pull the pull of its files; null if there is none
     */
    static KeyspacePart of(Stripes stripes, int number, @Nullable Stripe here, @Nullable PullState pull) {
        List<MemberLag> others = here != null && here.isReady() ? MemberLags.of(stripes, here) : List.of();
        PullState pulled = pull == null ? NO_PULL : pull;
        return new KeyspacePart(
                number,
                List.of(
                        gauge("leads", "1: this node leads the stripe", here, own -> own.isReady() ? 1 : 0),
                        gauge("term", "term of this member", here, Stripe::term),
                        gauge(
                                "applied_index",
                                "last entry that this member has applied",
                                here,
                                own -> own.state().appliedIndex().get()),
                        counter("elections", "leaders that this member has seen take over", here, Stripe::elections),
                        counter(
                                "entries",
                                "entries that this node has sent",
                                here,
                                own -> own.lane().entries()),
                        counter(
                                "operations",
                                "writes in the entries that this node has sent",
                                here,
                                own -> own.lane().operations()),
                        counter(
                                "barrier_rounds",
                                "rounds in which this node has confirmed its leadership",
                                here,
                                Stripe::barrierRounds),
                        Figure.gauge(
                                "members_away",
                                "members that do not answer or do not run, of a stripe that this node leads",
                                others.stream().filter(other -> !other.runs()).count()),
                        most("lag_entries", "entries", others, MemberLag::entries),
                        most("lag_bytes", "bytes of the entries", others, MemberLag::bytes),
                        most("lag_millis", "milliseconds since the first entry", others, MemberLag::millis),
                        Figure.gauge(
                                "pulled_bytes",
                                "bytes that this node has, of the files that it pulls",
                                pulled.pulledBytes()),
                        Figure.gauge("pull_bytes", "bytes of all files that this node pulls", pulled.bytes())));
    }

    private static Figure gauge(String name, String help, @Nullable Stripe here, ToLongFunction<Stripe> figure) {
        return Figure.gauge(name, help, here == null ? 0 : figure.applyAsLong(here));
    }

    private static Figure counter(String name, String help, @Nullable Stripe here, ToLongFunction<Stripe> figure) {
        return Figure.counter(name, help, here == null ? 0 : figure.applyAsLong(here));
    }

    private static Figure most(String name, String what, List<MemberLag> others, ToLongFunction<MemberLag> figure) {
        return Figure.gauge(
                name,
                what + " that the member furthest behind lacks, of a stripe that this node leads",
                others.stream()
                        .filter(MemberLag::isKnown)
                        .mapToLong(figure)
                        .max()
                        .orElse(0));
    }
}
