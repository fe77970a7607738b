package dev.larder.server.store;

/**
 * A pattern of keys or channels, matched as Redis does: {@code *} matches any bytes, {@code ?} one byte, {@code [a-c^]} one of
 * a class, and {@code \} makes the next byte literal. The time grows with the product of both lengths at most.
 */
public final class GlobPattern {

    /** The length of a range within a class, in bytes. */
    private static final int RANGE = 3;

    private final Bytes pattern;
    private final boolean ignoresCase;

    /** A pattern over a copy of its bytes. */
    public GlobPattern(Bytes pattern) {
        this(pattern, false);
    }

    /** A pattern that can ignore case. */
    public GlobPattern(Bytes pattern, boolean ignoresCase) {
        this.pattern = pattern.copy();
        this.ignoresCase = ignoresCase;
    }

    /** Returns whether every text matches. */
    public boolean matchesAll() {
        return pattern.length() == 1 && pattern.at(0) == '*';
    }

    /** Returns whether a text matches. It backtracks only to the last star, so the search is never exponential. */
    public boolean matches(Bytes text) {
        if (text.length() == 0) {
            return pattern.length() == 0 || matchesAll(); // two stars need a byte, as in Redis
        }
        int p = 0;
        int t = 0;
        int star = -1;
        int behindStar = 0;
        while (t < text.length()) {
            if (p < pattern.length() && pattern.at(p) == '*') {
                star = p++;
                behindStar = t;
                continue;
            }
            int end = p < pattern.length() ? endOfPart(p) : -1;
            if (end > 0 && matchesPart(p, end, text.at(t))) {
                p = end;
                t++;
            } else if (star >= 0) {
                p = star + 1;
                t = ++behindStar;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.at(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }

    /** Returns the end of the part of the pattern that is compared with one byte. */
    private int endOfPart(int from) {
        if (pattern.at(from) == '\\' && from + 1 < pattern.length()) {
            return from + 2;
        }
        if (pattern.at(from) != '[') {
            return from + 1;
        }
        int at = firstOfClass(from);
        for (int next = endOfMember(at); next > at; next = endOfMember(at)) {
            at = next;
        }
        return Math.min(pattern.length(), at + 1);
    }

    private int firstOfClass(int bracket) {
        int at = bracket + 1;
        return at < pattern.length() && pattern.at(at) == '^' ? at + 1 : at;
    }

    /**
     * Returns the end of a class member: two bytes with a backslash, three for a range, else one. Behind the last member it
     * returns {@code at}.
     */
    private int endOfMember(int at) {
        int left = pattern.length() - at;
        if (left >= 2 && pattern.at(at) == '\\') {
            return at + 2;
        }
        if (left == 0 || pattern.at(at) == ']') {
            return at;
        }
        return left >= RANGE && pattern.at(at + 1) == '-' ? at + RANGE : at + 1;
    }

    private boolean matchesPart(int from, int end, byte character) {
        return switch (pattern.at(from)) {
            case '?' -> true;
            case '[' -> matchesClass(from, character);
            case '\\' -> folded(pattern.at(end - 1)) == folded(character);
            default -> folded(pattern.at(from)) == folded(character);
        };
    }

    private boolean matchesClass(int from, byte character) {
        int at = firstOfClass(from);
        boolean negated = at > from + 1;
        boolean found = false;
        for (int next = endOfMember(at); next > at; next = endOfMember(at)) {
            found |= next == at + RANGE
                    ? isBetween(folded(pattern.at(at)), folded(pattern.at(at + 2)), folded(character))
                    : folded(pattern.at(next - 1)) == folded(character);
            at = next;
        }
        return found != negated;
    }

    private static boolean isBetween(int one, int other, int character) {
        return character >= Math.min(one, other) && character <= Math.max(one, other);
    }

    private int folded(byte character) {
        int unsigned = character & 0xFF;
        return ignoresCase && unsigned >= 'A' && unsigned <= 'Z' ? unsigned + ('a' - 'A') : unsigned;
    }
}
