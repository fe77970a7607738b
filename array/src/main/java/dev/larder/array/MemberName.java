package dev.larder.array;

/**
 * The name of a stripe's member: its node, and its number among the members of that node. A member that has lost its log, vote or
 * term never comes back under its name: the node's next member takes its place.
 *
 * @param node the number of the node, 0 to 65535
 * @param incarnation the number among the members of the node, from 0 on
 */
public record MemberName(int node, int incarnation) {

    private static final int NODE_MAX = 65_535;

    /** Creates a name; both numbers must be in their ranges. */
    public MemberName {
        if (node < 0 || node > NODE_MAX) {
            throw new IllegalArgumentException("node " + node + " is not within 0 and " + NODE_MAX);
        }
        if (incarnation < 0) {
            throw new IllegalArgumentException("incarnation " + incarnation + " is below 0");
        }
    }

    /** Returns the name that {@link #toString} has written. */
    public static MemberName parse(String text) {
        int dot = text.indexOf('.');
        try {
            return new MemberName(Integer.parseInt(text.substring(0, dot)), Integer.parseInt(text.substring(dot + 1)));
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw new IllegalArgumentException("not the name of a member: '" + text + "'", e);
        }
    }

    /** Returns the name in Raft's form: {@code node.incarnation}. */
    @Override
    public String toString() {
        return node + "." + incarnation;
    }
}
