package dev.larder.array.barrier;

import java.util.ArrayList;
import java.util.List;

/** A read that records how it ended. */
final class RecordedRead implements WaitingRead {

    final List<String> ends = new ArrayList<>();

    @Override
    public void confirmed(long index) {
        ends.add("at " + index);
    }

    @Override
    public void refused(Refusal why) {
        ends.add(why.name());
    }
}
