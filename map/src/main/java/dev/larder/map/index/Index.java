package dev.larder.map.index;

import dev.larder.log.GoneException;
import dev.larder.log.Position;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.random.HeldSegment;
import dev.larder.log.random.LogRecords;
import dev.larder.log.random.PrefixCache;
import dev.larder.map.format.EntryLayout;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.map.format.PackedPositions;
import dev.larder.map.format.Placement;
import dev.larder.map.index.Lookup.Found;
import dev.larder.map.shared.ExpiringRecords;
import dev.larder.map.shared.IndexFile;
import dev.larder.map.shared.IndexFullException;
import dev.larder.map.shared.LiveBytes;
import dev.larder.memory.CorruptException;
import dev.larder.memory.LarderException;
import dev.larder.memory.Words;
import dev.larder.memory.raw.RawMemory;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The index: it leads from the hash of a key to the word that names its newest record.
 *
 * <p>A thread that only reads needs no pin. It reads the word of the directory again after the slot's, so the page was the
 * key's own at that time. A thread that sets a word is pinned, so the page of the slot is not allocated again meanwhile.
 */
public final class Index {

    /** The most words for a page that is made for entries to come, so that it is not soon full. */
    private static final int WORDS_WANTED = IndexPageLayout.CAPACITY / 5 * 4;

    private final LogRecords records;
    private final PackedPositions places;
    private final Deadlines deadlines;
    private final Directory directory;
    private final IndexMemory memory;

    /** The memory of the pages. */
    private final MemorySegment steps;

    private final Rebuild rebuild;
    private final LiveBytes live;
    private final ExpiringRecords expiring;
    private @Nullable FlatLookup flat;

    public Index(
            LogRecords records,
            PackedPositions places,
            Directory directory,
            IndexMemory memory,
            LiveBytes live,
            Deadlines deadlines,
            Failpoints crashPoints) {
        this.records = records;
        this.deadlines = deadlines;
        this.places = places;
        this.directory = directory;
        this.memory = memory;
        this.steps = memory.memory();
        this.live = live;
        this.expiring = new ExpiringRecords(steps);
        this.rebuild = new Rebuild(directory, memory, crashPoints);
        memory.ask(rebuild::isNeeded);
    }

    /** Looks for keys by addresses from now on, if the memory of the index and of the log stays mapped for ever. */
    public void lookByAddress(IndexFile file) {
        flat = FlatLookup.of(file, records, places, deadlines);
    }

    /** Returns the lookup by addresses; null if there is none. */
    public @Nullable FlatLookup flat() {
        return flat;
    }

    /** Returns a linker of new keys by addresses, for one thread; null if there is no lookup by addresses. */
    public @Nullable FlatLink flatLink() {
        FlatLookup atOnce = flat;
        return atOnce == null ? null : new FlatLink(atOnce, places, live);
    }

    /** Ends lookups by address, as the index's memory is given back after this. */
    public void end() {
        if (flat != null) {
            flat.end();
        }
    }

    public PackedPositions places() {
        return places;
    }

    /** Returns the count of the bytes that its entries take in the log. */
    public LiveBytes live() {
        return live;
    }

    /** Returns the notes on which records may have a deadline. */
    public ExpiringRecords expiring() {
        return expiring;
    }

    /** Returns whether any record that the log still has may have a deadline. */
    public boolean mayExpire() {
        return expiring.mayBeFrom(Position.of(places.first(), 0));
    }

    /** Gives each partition its first page, empty. */
    public void makeEmpty() {
        for (int partition = 0; partition < Placement.PARTITIONS; partition++) {
            install(IndexPageLayout.place(partition, 0, 0));
        }
    }

    /** Makes a page for the hashes of a place and returns its number. No other thread has the index yet. */
    public int install(long place) {
        int step = memory.allocate();
        int partition = IndexPageLayout.partition(place);
        int depth = IndexPageLayout.depth(place);
        Words.setOpaque(memory.memory(step), IndexMemory.base(step) + IndexPageLayout.PLACE, place);
        directory.deepen(partition, depth);
        memory.use(step);
        directory.compareAndSet(partition, IndexPageLayout.prefix(place), 0, Directory.next(0, step, depth));
        return step;
    }

    /** Looks for the key of a probe. Commits every record that it looks at, as a record counts once it is linked. */
    public void find(Lookup probe) {
        probe.valueAddress = 0;
        probe.position = Lookup.NO_RECORD; // after an error it must not be the one of the lookup before
        FlatLookup atOnce = flat;
        boolean unchanged = RawMemory.IS_OPEN && atOnce != null && atOnce.find(probe);
        while (!unchanged) {
            unchanged = look(probe);
        }
    }

    /**
     * Searches once. Returns false if the result does not count, because the page was rebuilt meanwhile, or the first segment
     * dropped. A word of such a page may lead to a former record, whose memory was unmapped. Then that error does not count
     * either.
     */
    private boolean look(Lookup probe) {
        probe.position = Lookup.NO_RECORD;
        locate(probe);
        try {
            scan(probe);
        } catch (IllegalStateException | GoneException | CorruptException e) {
            if (isUnchanged(probe)) {
                throw e;
            }
            return false;
        }
        return isUnchanged(probe);
    }

    /**
     * Returns the error to throw in place of one that came before a lookup had found a record. It names the file of the first
     * record that the lookup may have read and that cannot be read. Throws the given error if there is none.
     */
    public RuntimeException readFailed(Lookup probe, InternalError met) {
        locate(probe);
        List<Long> positions = new ArrayList<>();
        words(probe.entryWord).forEachOf(Placement.group(probe.hash), (group, word) -> {
            if (IndexWord.tag(word) == Placement.tag(probe.hash) && IndexWord.isOfKey(word)) {
                positions.add(places.position(IndexWord.place(word), probe.first));
            }
        });
        return positions.stream()
                .flatMap(position -> readFailed(position, met).stream())
                .findFirst()
                .orElseThrow(() -> met);
    }

    /** Returns the error of a record that cannot be read; empty if it can, or was dropped meanwhile. */
    private Optional<RuntimeException> readFailed(long position, InternalError met) {
        try {
            return Optional.of(records.readFailed(met, position));
        } catch (InternalError | GoneException e) {
            return Optional.empty();
        }
    }

    /** Returns whether what a probe has found since it was located counts. */
    public boolean isUnchanged(Lookup probe) {
        VarHandle.acquireFence();
        return directory.getOpaque(probe.partition, probe.entry()) == probe.entryWord
                && places.firstOpaque() == probe.first;
    }

    /** Finds the page of a probe's hash. */
    public void locate(Lookup probe) {
        probe.first = places.first();
        long word = directory.stepOf(probe.partition, probe.hash);
        probe.entryWord = word;
        probe.base = IndexMemory.base(Directory.step(word));
    }

    /** Returns the directory's word of the page for a hash. */
    long stepOf(int partition, long hash) {
        return directory.stepOf(partition, hash);
    }

    /** Returns the words of the page that a word of the directory leads to. */
    PageWords words(long word) {
        int step = Directory.step(word);
        return new PageWords(memory.memory(step), IndexMemory.base(step));
    }

    /** Searches the lines of the group, beginning with the tag's own, then the overflow lines. */
    private void scan(Lookup probe) {
        int tag = Placement.tag(probe.hash);
        int home = Placement.homeLine(tag);
        long group = probe.base + IndexPageLayout.group(Placement.group(probe.hash));
        for (int i = 0; i < IndexPageLayout.GROUP_LINES; i++) {
            int line = home ^ i;
            int end = line == IndexPageLayout.GROUP_LINES - 1 ? IndexPageLayout.LINK : IndexPageLayout.LINE_BYTES;
            if (scanLine(probe, tag, group + (long) line * IndexPageLayout.LINE_BYTES, end)) {
                return;
            }
        }
        scanOverflow(probe, tag, group + (IndexPageLayout.GROUP_LINES - 1) * IndexPageLayout.LINE_BYTES);
    }

    private void scanOverflow(Lookup probe, int tag, long lastLine) {
        long link = lastLine + IndexPageLayout.LINK;
        long word = Words.getAcquire(steps, link);
        while (IndexWord.thawed(word) != 0) {
            long line = probe.base + IndexPageLayout.overflowLine(IndexWord.thawed(word));
            if (scanLine(probe, tag, line, IndexPageLayout.LINK)) {
                return;
            }
            link = line + IndexPageLayout.LINK;
            word = Words.getAcquire(steps, link);
        }
        probe.foundNone(Found.FULL, link, word);
    }

    /**
     * Searches the words of a line; returns whether the search ends there. The record is loaded after the word with the key's
     * tag. The loads of other words need no order, and without it the compiler keeps what the checks of memory need.
     */
    private boolean scanLine(Lookup probe, int tag, long line, int bytes) {
        for (long slot = line; slot < line + bytes; slot += 8) {
            long word = Words.getOpaque(steps, slot);
            if (IndexWord.thawed(word) == IndexWord.EMPTY) {
                probe.foundNone(Found.EMPTY, slot, word);
                return true;
            }
            if (IndexWord.tag(word) == tag && IndexWord.isOfKey(word) && isKey(probe, slot, word)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a word leads to a record of the probe's key; then the probe has found it. */
    public boolean isKey(Lookup probe, long slot, long word) {
        VarHandle.acquireFence();
        long position = places.position(IndexWord.place(word), probe.first);
        if (probe.hasRecord() && position != probe.ownPosition && records.isDurable(position)) {
            return false; // committed, and not the probe's record: its key does not matter
        }
        HeldSegment there = records.at(position);
        if (position == probe.ownPosition) {
            return isKey(probe, slot, word, position, probe.ownLength, there.bytes(), LogRecords.payload(position));
        }
        if (probe.forHeadAlone) {
            return isKeyOfHead(probe, slot, word, position, there);
        }
        int length = there.length(position, probe.expectedLength);
        return isKey(probe, slot, word, position, length, there.bytes(), LogRecords.payload(position));
    }

    private boolean isKeyOfHead(Lookup probe, long slot, long word, long position, HeldSegment there) {
        PrefixCache heads = there.heads();
        long at = heads.find(position);
        if (at != PrefixCache.NONE) {
            return isKey(probe, slot, word, position, heads.length(at), heads.bytes(), at);
        }
        int length = there.lengthForHead(position);
        return isKey(probe, slot, word, position, length, there.bytes(), LogRecords.payload(position));
    }

    private boolean isKey(Lookup probe, long slot, long word, long position, int length, MemorySegment bytes, long at) {
        int header = EntryLayout.header(bytes, at);
        boolean same = probe.isKeyOf(bytes, at, length, header);
        if (same) {
            long deadline = EntryLayout.deadline(bytes, at, header);
            int uses = EntryLayout.uses((byte) header);
            probe.foundKey(slot, word, position, length, uses, deadline, deadlines.isPast(deadline, probe));
            if (EntryLayout.isApart((byte) header)) {
                foundApart(probe, position, length, bytes, at);
            }
        }
        return same;
    }

    private void foundApart(Lookup probe, long position, int length, MemorySegment bytes, long at) {
        if (!EntryLayout.isEntry(bytes, at, length)) {
            throw records.damaged(position, "of " + length + " bytes, is not an entry of a map");
        }
        probe.foundReference(bytes, at, length);
        if (probe.valuePosition >= position) {
            throw records.damaged(position, "points to a later value, at " + probe.valuePosition);
        }
    }

    /** Returns whether the probe needs only the head of the record at which it stands, and that head is kept. */
    public boolean knowsHead(Lookup probe) {
        return probe.forHeadAlone && records.keepsHeads(probe.position);
    }

    /**
     * Sets the word of the probe's key to the word of another record, with {@code length} live bytes. Every change happens at
     * this moment. Returns false if another thread was faster, or the page had no room. This has then made room, or helped
     * to, and the key is to be looked for again. The caller is pinned.
     */
    public boolean link(Lookup probe, long position, long length, boolean removal) {
        if (IndexWord.isFrozen(probe.word)) {
            rebuild.finish(probe);
            return false;
        }
        if (probe.found == Found.FULL) {
            extend(probe);
            return false;
        }
        long word = IndexWord.of(Placement.tag(probe.hash), places.place(position), removal);
        FlatLookup atOnce = flat;
        boolean linked = (RawMemory.IS_OPEN && atOnce != null)
                ? atOnce.compareAndSet(probe.slot, probe.word, word)
                : Words.compareAndSet(steps, probe.slot, probe.word, word);
        if (linked) {
            count(probe, removal);
            live.changed(probe.position, formerBytes(probe), position, removal ? 0 : LogRecords.sizeBytes(length));
        }
        return linked;
    }

    private static long formerBytes(Lookup probe) {
        return probe.holdsValue() ? LogRecords.sizeBytes(probe.liveLength()) : 0;
    }

    /**
     * Forgets the record that a probe has found, of a removal or an entry, so that nothing of its key counts. Allowed only if
     * all that is left of the key in the log lies in the segment that is dropped next. Returns false if another thread was
     * faster. The caller is pinned.
     */
    public boolean forget(Lookup probe) {
        assert probe.found == Found.KEY;
        if (IndexWord.isFrozen(probe.word)) {
            rebuild.finish(probe);
            return false;
        }
        boolean forgotten = Words.compareAndSet(steps, probe.slot, probe.word, probe.word | IndexWord.DEAD);
        if (forgotten) {
            count(probe, true);
            live.changed(probe.position, formerBytes(probe), probe.position, 0);
        }
        return forgotten;
    }

    /**
     * Shrinks the index around a probe whose key was forgotten, if little is left there. It checks one key in 32, as words
     * enough are forgotten before a page is small. The caller is pinned.
     */
    public void shrink(Lookup probe) {
        if (Placement.isSample(probe.hash)) {
            rebuild.shrink(probe.partition, probe.hash);
        }
    }

    /**
     * Marks the entry that a probe has found as used, unless it is marked already. The caller need not be pinned: a word that
     * is still the same names the same record, wherever its page is now.
     */
    public void visit(Lookup probe) {
        if (probe.isPresent() && !IndexWord.isVisited(probe.word)) {
            mark(probe, probe.word | IndexWord.VISITED);
        }
    }

    /** Returns whether the entry that a probe has found is marked as used, and clears the mark. Pinned or not, as above. */
    public boolean takeVisit(Lookup probe) {
        boolean visited = probe.isPresent() && IndexWord.isVisited(probe.word);
        if (visited) {
            mark(probe, probe.word & ~IndexWord.VISITED);
        }
        return visited;
    }

    /**
     * Replaces the word that a probe has found. A page that was rebuilt may have lost its memory, and a store there would take
     * it again, or fail. So nothing is stored unless the directory still leads to the page.
     */
    private void mark(Lookup probe, long word) {
        if (!IndexWord.isFrozen(probe.word) && isUnchanged(probe)) {
            Words.compareAndSet(steps, probe.slot, probe.word, word);
        }
    }

    /** Returns whether the slot that a probe has found names a record, for a thread that was interrupted during a link. */
    public boolean isLinked(Lookup probe, long position) {
        return probe.found != Found.FULL
                && IndexWord.place(Words.getAcquire(steps, probe.slot)) == places.place(position);
    }

    private void count(Lookup probe, boolean removal) {
        int change = (removal ? 0 : 1) - (probe.holdsValue() ? 1 : 0);
        if (change != 0) {
            Words.getAndAdd(steps, probe.base + IndexPageLayout.ALIVE, change);
        }
    }

    /** Hangs another overflow line on a full group, or rebuilds the page if none is left. */
    private void extend(Lookup probe) {
        long at = probe.base + IndexPageLayout.OVERFLOW;
        long taken = Words.getAcquire(steps, at);
        if (IndexWord.isFrozen(taken)) {
            rebuild.finish(probe);
        } else if (taken == IndexPageLayout.OVERFLOW_LINES) {
            requireGain(probe);
            rebuild.finish(probe);
        } else if (Words.compareAndSet(steps, at, taken, taken + 1)) {
            Words.compareAndSet(steps, probe.slot, probe.word, taken + 1); // the loser's line is lost
        }
    }

    /**
     * Rejects a key whose hash so many others have that no page of the index holds them all. This comes before the page is
     * frozen, so that its entries can still be found, changed and cleaned.
     */
    private void requireGain(Lookup probe) {
        if (!rebuild.gains(probe)) {
            throw new LarderException(records.directory() + ": the index has no place for a key of hash "
                    + Long.toHexString(probe.hash) + ": " + rebuild.inseparable(probe)
                    + " other keys, removed ones included, have the same place; no page holds more of them");
        }
    }

    /**
     * Splits the pages of a partition for {@code entries} entries of all partitions, so that none is rebuilt as they come.
     * Stops if there is no more memory, or a thread merges pages meanwhile. The caller is pinned.
     */
    public void makeRoom(int partition, long entries) {
        int depth = depthFor(partition, entries);
        try {
            for (int prefix = 0; prefix < 1 << depth; prefix++) {
                makeRoom(partition, prefix, depth);
            }
        } catch (IndexFullException e) {
            return; // an entry may still find room, or its put says that there is none
        }
    }

    private static int depthFor(int partition, long entries) {
        long share = Placement.share(partition, entries);
        int depth = 0;
        while ((long) WORDS_WANTED << depth < share && depth < IndexWord.DEPTH_MAX) {
            depth++;
        }
        return depth;
    }

    /**
     * Rejects more entries than there is memory for, before any of it is taken.
     *
     * @throws IndexFullException if the pages for so many entries do not fit
     */
    public void requireRoom(long entries) {
        long pages = 0;
        for (int partition = 0; partition < Placement.PARTITIONS; partition++) {
            pages += 1L << depthFor(partition, entries);
        }
        memory.requireRoom(pages - steps(), entries);
    }

    private void makeRoom(int partition, int prefix, int depth) {
        int before = -1;
        int now = Directory.depth(stepOf(partition, prefix));
        while (before < now && now < depth) {
            rebuild.divide(partition, prefix);
            before = now;
            now = Directory.depth(stepOf(partition, prefix));
        }
    }

    /**
     * Looks at the next page of a walk. Rebuilds the page if its count does not match its words: then a process was killed
     * before it counted a change. The caller is pinned. Returns false at the end.
     */
    public boolean recount(IndexWalk walk) {
        boolean[] miscounted = {false};
        long[] place = {0};
        boolean more = walk.next((step, there) -> {
            miscounted[0] = step.isMiscounted();
            place[0] = there;
        });
        if (miscounted[0]) {
            rebuild.refresh(IndexPageLayout.partition(place[0]), IndexPageLayout.prefix(place[0]));
        }
        return more;
    }

    /** Returns how many entries there are. Some changes that are just being made count, and some do not. */
    public long count() {
        return count(directory);
    }

    public Rebuild rebuild() {
        return rebuild;
    }

    /** Returns how many pages the directory leads to. */
    public long steps() {
        long[] count = {0};
        directory.forEach((partition, entry, word) -> count[0]++);
        return count[0];
    }

    /** Returns the same for the index that a directory leads to. */
    public static long count(Directory directory) {
        long[] count = {0};
        directory.forEach((partition, entry, word) -> count[0] += directory.alive(Directory.step(word)));
        return Math.max(count[0], 0);
    }

    public IndexMemory memory() {
        return memory;
    }

    Directory directory() {
        return directory;
    }
}
