package dev.larder.map;

import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.checkpoint.MapFiles;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.map.format.Placement;
import dev.larder.map.index.Directory;
import dev.larder.map.index.IndexMemory;
import dev.larder.map.index.Lookup;
import dev.larder.map.index.PageBuilder;
import dev.larder.memory.Words;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The index of a map by itself, as two processes see it, for all states of a test. Each state has its own key, or its own
 * place: the page at one end of the hash, which it may have divided or filled.
 *
 * <pre>
 *  partition    ..00   ..01    a place each, a step of depth 2, or two of depth 3
 *               ..10   ..11    always divided: so what becomes one in a place finds no neighbour to go on with
 * </pre>
 */
final class StressIndex {

    private static final int DEPTH = 2;
    private static final int HALF = 1 << DEPTH;
    private static final int ENTRIES = 2;
    private static final long LARGEST_SEGMENT_BYTES = 2 << 20;

    /** Two processes of the map: in the heap they share only the records. */
    final StressProcess one;

    final StressProcess other;

    private final MapFiles files;
    private final Queue<Place> free = new ConcurrentLinkedQueue<>();
    private final AtomicLong keys = new AtomicLong();

    /** The entry to which a hash leads, and two keys of either half of it. */
    record Place(int partition, int entry, List<Long> lower, List<Long> upper) {

        long word() {
            return IndexPageLayout.place(partition, DEPTH, entry);
        }

        int upperEntry() {
            return entry | HALF;
        }
    }

    StressIndex() {
        this(Failpoints.NONE);
    }

    /** Makes an index that reports the steps of the code to a listener, on the thread that has reached one. */
    StressIndex(Failpoints listener) {
        LogOptions options = HookedOptions.with(
                LogOptions.defaults().withSync(SyncPolicy.none()).withLargestSegmentBytes(LARGEST_SEGMENT_BYTES),
                doors -> doors.withFailpoints(listener));
        Path directory = StressMap.create();
        files = MapFiles.open(directory, options, Sharing.defaults(), new MapTypes("long", "long"));
        int owner = files.records().owner();
        one = new StressProcess(files, HookedOptions.of(options), owner);
        other = new StressProcess(files, HookedOptions.of(options), ((owner >>> 16) + 1) << 16 | 1);
        files.ready();
        for (int partition = 0; partition < Placement.PARTITIONS; partition++) {
            makeSteps(partition);
        }
        makePlaces();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            files.leave();
            files.closeLast();
            StressMap.delete(directory);
        }));
    }

    private void makeSteps(int partition) {
        one.directory.deepen(partition, DEPTH + 1);
        for (int entry = 0; entry < HALF; entry++) {
            if (entry < ENTRIES) {
                one.index.install(IndexPageLayout.place(partition, DEPTH, entry));
            } else {
                one.index.install(IndexPageLayout.place(partition, DEPTH + 1, entry));
                one.index.install(IndexPageLayout.place(partition, DEPTH + 1, entry | HALF));
            }
        }
    }

    private void makePlaces() {
        Map<Long, List<Long>> found = new HashMap<>();
        int wanted = Placement.PARTITIONS * ENTRIES * 2;
        int whole = 0;
        while (whole < wanted) {
            long key = key();
            Lookup probe = one.probe(key);
            int entry = Placement.entry(probe.hash, DEPTH + 1);
            List<Long> there = found.computeIfAbsent(half(probe.partition, entry), half -> new ArrayList<>());
            if ((entry & (HALF - 1)) < ENTRIES && there.size() < 2) {
                there.add(key);
                whole += there.size() / 2;
            }
        }
        for (int partition = 0; partition < Placement.PARTITIONS; partition++) {
            for (int entry = 0; entry < ENTRIES; entry++) {
                List<Long> lower = List.copyOf(found.get(half(partition, entry)));
                free.add(new Place(partition, entry, lower, List.copyOf(found.get(half(partition, entry | HALF)))));
            }
        }
    }

    private static long half(int partition, int entry) {
        return IndexPageLayout.place(partition, DEPTH + 1, entry);
    }

    MapFiles files() {
        return files;
    }

    /** Returns a key that no other state has. */
    long key() {
        return keys.getAndIncrement();
    }

    /** Returns a place that no other state has until this state gives it back. */
    Place take() {
        Place taken = free.poll();
        if (taken == null) {
            throw new IllegalStateException("more states at a time than there are places: run with -strideSize 16"
                    + " -strideCount 4, as the build does");
        }
        return taken;
    }

    void giveBack(Place place) {
        free.add(place);
    }

    /** Turns a place into two empty pages. */
    void divide(Place place) {
        empty(place);
        lead(place.partition(), place.upperEntry(), DEPTH + 1);
        lead(place.partition(), place.entry(), DEPTH + 1);
    }

    /** Turns a place into one page, filled with words of other keys: it has one slot for a second key, and none for the first. */
    void fill(Place place, long first, long second) {
        empty(place);
        int step = lead(place.partition(), place.entry(), DEPTH);
        PageBuilder filled = new PageBuilder(one.memory.memory(step), IndexMemory.base(step), place.word());
        long hash = one.probe(first).hash;
        OtherWords words = new OtherWords(place.entry(), hash, one.probe(second).hash);
        int full = Placement.group(hash);
        int left = Placement.group(one.probe(second).hash);
        for (int group = 0; group < IndexPageLayout.GROUPS; group++) {
            int slots = IndexPageLayout.CAPACITY / IndexPageLayout.GROUPS - (group == left && group != full ? 1 : 0);
            for (int slot = 0; slot < slots; slot++) {
                filled.add(group, words.next());
            }
        }
        boolean more = true;
        while (more) { // all overflow lines of the page
            more = filled.addIfRoom(full, words.next());
        }
    }

    /** Words that lead to any record, with the tags of a place, except the tags of two keys. */
    private static final class OtherWords {

        private final int entry;
        private final long first;
        private final long second;
        private int number;

        OtherWords(int entry, long first, long second) {
            this.entry = entry;
            this.first = first;
            this.second = second;
        }

        long next() {
            int tag = tag();
            while (tag == Placement.tag(first) || tag == Placement.tag(second)) {
                tag = tag();
            }
            return IndexWord.of(tag, 1, false);
        }

        private int tag() {
            number += 1;
            return (entry | (number << DEPTH)) & ((1 << IndexWord.TAG_BITS) - 1);
        }
    }

    /** Returns whether a place is one page. */
    boolean isOne(Place place) {
        return Directory.depth(one.directory.get(place.partition(), place.entry())) == DEPTH;
    }

    /** Empties all entries of a place but the first: if only one half was decided on, it may have split further. */
    private void empty(Place place) {
        int end = 1 << one.directory.depthOf(place.partition());
        for (int entry = place.upperEntry(); entry < end; entry += HALF) {
            long word = one.directory.get(place.partition(), entry);
            if (!Directory.isEmpty(word)) {
                set(place.partition(), entry, Directory.emptied(word));
            }
        }
    }

    private int lead(int partition, int entry, int depth) {
        int line = one.changes.pinAnyway();
        try {
            int step = one.memory.allocate();
            long place = IndexPageLayout.place(partition, depth, entry);
            Words.setOpaque(one.memory.memory(step), IndexMemory.base(step) + IndexPageLayout.PLACE, place);
            one.memory.use(step);
            set(partition, entry, Directory.next(one.directory.get(partition, entry), step, depth));
            return step;
        } finally {
            one.changes.unpin(line);
        }
    }

    /** Sets an entry for a state on which no actor works. */
    private void set(int partition, int entry, long to) {
        long word = one.directory.get(partition, entry);
        int line = one.changes.pinAnyway();
        try {
            boolean done = one.directory.compareAndSet(partition, entry, word, to);
            if (done && !Directory.isEmpty(word)) {
                one.memory.retire(Directory.step(word));
            }
        } finally {
            one.changes.unpin(line);
        }
    }
}
