package dev.larder.tests.power;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The messages that were appended, kept outside the log; read while writers stand still. */
final class Ledger {

    private final List<Appended> all = new ArrayList<>();

    /** Enters messages that were appended in one go, as a run that ends with the last position. */
    synchronized void enter(List<Message> messages, int[] lengths, long lastPosition) {
        long position = lastPosition;
        for (int i = lengths.length - 1; i >= 0; i--) {
            all.add(new Appended(position, lengths[i], messages.get(i)));
            position -= i == 0 ? 0 : (8 + lengths[i - 1] + 7) & ~7L;
        }
    }

    /** Returns everything in the order of the log. */
    synchronized List<Appended> inOrder() {
        return all.stream().sorted(Comparator.comparingLong(Appended::position)).toList();
    }

    synchronized long bytes() {
        return all.stream().mapToLong(Appended::length).sum();
    }
}
