package dev.larder.arraycli.state;

import dev.larder.array.form.MemberLag;
import dev.larder.array.form.PullState;
import dev.larder.cli.Columns;
import dev.larder.cli.Figures;
import java.util.ArrayList;
import java.util.List;

/** Shows lagging members and pulls, for people and for programs. */
final class LagForm {

    private LagForm() {}

    /** Returns lines for the members that lack entries, and the pulls; none if all members have all entries. */
    static List<String> lines(List<MemberLag> members, List<PullState> pulls) {
        List<String> lines = new ArrayList<>();
        List<MemberLag> behind = members.stream()
                .filter(member -> !member.runs() || member.entries() != 0)
                .toList();
        if (!behind.isEmpty()) {
            Columns columns = new Columns("stripe", "member on", "state", ">entries", ">bytes", ">ms behind");
            for (MemberLag member : behind) {
                columns.row(
                        Integer.toString(member.stripe()),
                        "node " + member.node(),
                        member.runs() ? "runs" : "away",
                        figure(member, member.entries()),
                        figure(member, member.bytes()),
                        figure(member, member.millis()));
            }
            lines.addAll(columns.lines());
        }
        pulls.forEach(pull -> lines.add(line(pull)));
        return lines;
    }

    private static String line(PullState pull) {
        return pull.source() < 0
                ? "node " + pull.node() + " is to pull stripe " + pull.stripe()
                        + ", and waits for a source, for its turn, or for free space"
                : "node " + pull.node() + " pulls stripe " + pull.stripe() + " from node " + pull.source() + ": "
                        + pull.pulledBytes() + " of " + pull.bytes() + " bytes";
    }

    private static String figure(MemberLag member, long figure) {
        return member.isKnown() ? Long.toString(figure) : "-";
    }

    static Figures figures(MemberLag member) {
        return new Figures()
                .put("stripe", member.stripe())
                .put("node", member.node())
                .put("runs", member.runs())
                .put("lag_entries", member.isKnown() ? member.entries() : null)
                .put("lag_bytes", member.isKnown() ? member.bytes() : null)
                .put("lag_ms", member.isKnown() ? member.millis() : null);
    }

    static Figures figures(PullState pull) {
        return new Figures()
                .put("stripe", pull.stripe())
                .put("node", pull.node())
                .put("source", pull.source() < 0 ? null : pull.source())
                .put("pulled_bytes", pull.pulledBytes())
                .put("bytes", pull.bytes());
    }
}
