package dev.larder.array.form;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.jr.ob.JSON;

/**
 * A node's report of members that are behind. {@code docs/formats/array.md} describes its JSON.
 *
 * @param members the members of the stripes that the node leads, except its own
 * @param pulls the stripes whose files it pulls
 */
public record LagReport(List<MemberLag> members, List<PullState> pulls) {

    private static final int VERSION = 1;

    /** Creates a report; the lists are copied. */
    public LagReport {
        members = List.copyOf(members);
        pulls = List.copyOf(pulls);
    }

    /** Returns the report in JSON. */
    public String write() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("version", VERSION);
        fields.put("members", members.stream().map(LagReport::fields).toList());
        fields.put("pulls", pulls.stream().map(LagReport::fields).toList());
        return JSON.std.asString(fields);
    }

    private static Map<String, Object> fields(MemberLag member) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("stripe", member.stripe());
        fields.put("node", member.node());
        fields.put("runs", member.runs());
        fields.put("entries", member.entries());
        fields.put("bytes", member.bytes());
        fields.put("millis", member.millis());
        return fields;
    }

    private static Map<String, Object> fields(PullState pull) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("stripe", pull.stripe());
        fields.put("node", pull.node());
        fields.put("source", pull.source());
        fields.put("pulledBytes", pull.pulledBytes());
        fields.put("bytes", pull.bytes());
        return fields;
    }

    /**
     * Returns the report of a text in JSON.
     *
     * @throws IllegalArgumentException if the text is not a report
     */
    public static LagReport read(String text) {
        return JsonFields.read(text, LagReport::read);
    }

    private static LagReport read(JsonFields fields) {
        if (fields.number("version") != VERSION) {
            throw new IllegalArgumentException("version " + fields.number("version") + " is not " + VERSION);
        }
        return new LagReport(fields.list("members", LagReport::member), fields.list("pulls", LagReport::pull));
    }

    private static MemberLag member(JsonFields fields) {
        return new MemberLag(
                fields.smallNumber("stripe"),
                fields.smallNumber("node"),
                fields.flag("runs"),
                fields.number("entries"),
                fields.number("bytes"),
                fields.number("millis"));
    }

    private static PullState pull(JsonFields fields) {
        return new PullState(
                fields.smallNumber("stripe"),
                fields.smallNumber("node"),
                fields.smallNumber("source"),
                fields.number("pulledBytes"),
                fields.number("bytes"));
    }
}
