package dev.larder.log.layer;

import java.util.ArrayList;
import java.util.List;

/**
 * The texts of damage that was found. Only the first texts are kept: a damaged terabyte has more than anyone reads. The list
 * says at its end how many more there were. Not thread-safe.
 */
public final class ProblemList {

    /** How many texts are kept by default. */
    public static final int KEPT_MAX = 1000;

    private final List<String> kept = new ArrayList<>();
    private final int max;
    private long count;

    /** An empty list that keeps {@link #KEPT_MAX} texts. */
    public ProblemList() {
        this(KEPT_MAX);
    }

    public ProblemList(int max) {
        this.max = max;
    }

    /** Adds a problem. */
    public void add(String text) {
        count++;
        if (kept.size() < max) {
            kept.add(text);
        }
    }

    /** Returns how many were added, including those that were not kept. */
    public long count() {
        return count;
    }

    /** Forgets the problems that were added since there were so many. */
    public void cutTo(long before) {
        count = before;
        if (kept.size() > before) {
            kept.subList((int) before, kept.size()).clear();
        }
    }

    /** Returns the kept texts, and behind them how many more there were. */
    public List<String> toList() {
        List<String> all = new ArrayList<>(kept);
        if (count > kept.size()) {
            all.add("the list is cut at " + max + " problems; there are " + (count - kept.size()) + " more");
        }
        return List.copyOf(all);
    }
}
