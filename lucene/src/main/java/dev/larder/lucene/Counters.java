package dev.larder.lucene;

import java.util.concurrent.atomic.LongAdder;

/** The counters of a directory. */
final class Counters {

    final LongAdder loads = new LongAdder();
    final LongAdder loadedBytes = new LongAdder();
    final LongAdder loadNanos = new LongAdder();
    final LongAdder leftOnDisk = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder evicted = new LongAdder();
    final LongAdder recycledBytes = new LongAdder();
}
