package dev.larder.server.store;

/**
 * Patterns of keys and channels as Redis matches them: {@code *} any bytes, {@code ?} one, {@code [a-c^]} one of a class,
 * {@code \} takes the next byte as it is. Its time grows with the product of both lengths at most.
 */
public final class GlobPattern {

    private final Bytes pattern;
    private final boolean ignoresCase;

    /** A pattern over a copy of its bytes. */
    public GlobPattern(Bytes pattern) {
        this(pattern, false);
    }

    /** A pattern that may take small and capital letters for the same. */
    public GlobPattern(Bytes pattern, boolean ignoresCase) {
        this.pattern = pattern.copy();
        this.ignoresCase = ignoresCase;
    }

    /** Returns whether every text matches. */
    public boolean matchesAll() {
        return pattern.length() == 1 && pattern.at(0) == '*';
    }

    /** Returns whether a text matches. Only the last star is gone back to, so there is no exponential search. */
    public boolean matches(Bytes text) {
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

    /** Returns where the part of the pattern ends that one byte is compared with. */
    private int endOfPart(int from) {
        if (pattern.at(from) == '\\' && from + 1 < pattern.length()) {
            return from + 2;
        }
        if (pattern.at(from) != '[') {
            return from + 1;
        }
        int at = from + 1;
        if (at < pattern.length() && pattern.at(at) == '^') {
            at++;
        }
        while (at < pattern.length() && pattern.at(at) != ']') {
            at += pattern.at(at) == '\\' && at + 1 < pattern.length() ? 2 : 1;
        }
        return Math.min(pattern.length(), at + 1);
    }

    private boolean matchesPart(int from, int end, byte character) {
        return switch (pattern.at(from)) {
            case '?' -> true;
            case '[' -> matchesClass(from + 1, end, character);
            case '\\' -> folded(pattern.at(end - 1)) == folded(character);
            default -> folded(pattern.at(from)) == folded(character);
        };
    }

    private boolean matchesClass(int from, int end, byte character) {
        boolean negated = from < pattern.length() && pattern.at(from) == '^';
        int last = end > from && pattern.at(end - 1) == ']' ? end - 1 : end;
        boolean found = false;
        int at = negated ? from + 1 : from;
        while (at < last) {
            if (pattern.at(at) == '\\' && at + 1 < last) {
                found |= folded(pattern.at(at + 1)) == folded(character);
                at += 2;
            } else if (at + 2 < last && pattern.at(at + 1) == '-') {
                found |= isBetween(folded(pattern.at(at)), folded(pattern.at(at + 2)), folded(character));
                at += 3;
            } else {
                found |= folded(pattern.at(at)) == folded(character);
                at++;
            }
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
