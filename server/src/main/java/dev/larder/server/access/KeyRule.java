package dev.larder.server.access;

import dev.larder.resp.KeyUse;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.GlobPattern;
import java.util.Set;

/**
 * A rule for keys that may be read, written, or both.
 *
 * @param text the pattern
 * @param pattern the pattern, ready to match
 */
record KeyRule(String text, GlobPattern pattern, boolean reads, boolean writes) {

    static KeyRule of(String text, boolean reads, boolean writes) {
        return new KeyRule(text, new GlobPattern(Bytes.of(text)), reads, writes);
    }

    KeyRule with(KeyRule other) {
        return new KeyRule(text, pattern, reads || other.reads, writes || other.writes);
    }

    /** Returns whether a key may be used in some ways. Any rule for a key lets commands see that it exists. */
    boolean allows(Bytes key, Set<KeyUse> uses) {
        boolean read = uses.contains(KeyUse.ACCESS);
        boolean written = uses.contains(KeyUse.UPDATE) || uses.contains(KeyUse.INSERT) || uses.contains(KeyUse.DELETE);
        return (reads || !read) && (writes || !written) && pattern.matches(key);
    }

    @Override
    public String toString() {
        return reads && writes ? "~" + text : "%" + (reads ? "R" : "W") + "~" + text;
    }
}
