package dev.larder.map.entry;

import dev.larder.log.random.LogRecords;
import dev.larder.map.EntryHandler;
import dev.larder.map.format.EntryLayout;
import dev.larder.map.index.Lookup;
import dev.larder.memory.AccessErrors;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reads and changes of many keys, in groups: the keys of a group are laid out and looked up together ({@link GroupLookup}).
 * Then each is read or changed as it would be alone.
 */
public final class KeyGroups<K, V> {

    /** Receives a key that has an entry, and the place of its record. */
    @FunctionalInterface
    private interface FoundHandler<K> {
        void onFound(K key, Lookup probe);
    }

    private final MapParts parts;
    private final LogRecords records;
    private final ThreadStates<K, V> desks;
    private final Reads<K, V> lookups;
    private final Changes<K, V> changes;
    private final AccessTracker uses;
    private final GroupLookup look;
    private final ThreadLocal<KeyGroup<K>> keyGroups = ThreadLocal.withInitial(KeyGroup::new);
    private final ThreadLocal<KeyGroup<Map.Entry<? extends K, ? extends V>>> entryGroups =
            ThreadLocal.withInitial(KeyGroup::new);

    public KeyGroups(
            MapParts parts, ThreadStates<K, V> desks, Reads<K, V> lookups, Changes<K, V> changes, AccessTracker uses) {
        this.parts = parts;
        this.records = parts.records();
        this.desks = desks;
        this.lookups = lookups;
        this.changes = changes;
        this.uses = uses;
        this.look = new GroupLookup(parts.index(), records);
    }

    /** Returns the entries of the keys that have one. */
    public Map<K, V> getAll(Iterator<? extends K> keys) {
        Map<K, V> all = new HashMap<>();
        read(keys, (key, probe) -> all.put(key, lookups.value(probe.position, probe.length)));
        return all;
    }

    /** Hands over the values in place; returns their number. */
    public long readAll(Iterator<? extends K> keys, EntryHandler<? super K> handler) {
        return read(keys, (key, probe) -> hand(key, probe.position, probe.length, handler));
    }

    private void hand(K key, long position, int length, EntryHandler<? super K> handler) {
        MemorySegment record = records.bytes(position);
        long at = LogRecords.payload(position);
        if (EntryLayout.isApart(EntryLayout.kind(record, at))) {
            ApartValue apart = ApartValue.of(records, record, at, length);
            handler.onEntry(key, apart.bytes(), apart.from(), apart.length());
        } else {
            long from = EntryLayout.valueAt(record, at);
            handler.onEntry(key, record, from, (int) (at + length - from));
        }
    }

    private long read(Iterator<? extends K> keys, FoundHandler<K> handler) {
        long[] found = new long[1];
        eachGroup(keyGroups, keys, key -> key, group -> found[0] += read(group, handler));
        return found[0];
    }

    /** Reads the keys of a group while the thread is pinned, so the bytes stay as long as the handler reads them. */
    private int read(KeyGroup<K> group, FoundHandler<K> handler) {
        ThreadState<K, V> pinned = desks.pinToRead();
        try {
            look.run(group);
            int found = 0;
            for (int i = 0; i < group.count(); i++) {
                if (group.probe(i).isApart()) {
                    lookups.hold(group.probe(i));
                }
                if (group.probe(i).isPresent()) {
                    group.lengths.met(group.probe(i).length);
                    handler.onFound(group.item(i), group.probe(i));
                    found++;
                }
                uses.note(group.probe(i));
            }
            AccessErrors.deliver();
            return found;
        } catch (IllegalStateException | InternalError e) {
            throw desks.explain(e, -1);
        } finally {
            if (pinned != null) {
                int line = pinned.readLine;
                pinned.readLine = ThreadState.NO_LINE; // a store: the call might not fit on the stack
                parts.reads().unpinAnyway(line);
            }
        }
    }

    /** Puts entries in the order given. */
    public void putAll(Iterator<? extends Map.Entry<? extends K, ? extends V>> entries) {
        eachGroup(entryGroups, entries, Map.Entry::getKey, this::put);
    }

    private void put(KeyGroup<Map.Entry<? extends K, ? extends V>> group) {
        ThreadState<K, V> desk = changes.enter(false);
        try {
            changes.overwriting(group);
            look.run(group);
            for (int i = 0; i < group.count(); i++) {
                changes.put(desk, group.probe(i), group.item(i).getValue());
            }
        } finally {
            desk.probe.busy = false; // a store: the call might not fit on the stack
            changes.leave(desk);
        }
    }

    private <T> void eachGroup(
            ThreadLocal<KeyGroup<T>> groups,
            Iterator<? extends T> items,
            Function<T, ? extends K> key,
            Consumer<KeyGroup<T>> action) {
        KeyGroup<T> group = enter(groups.get());
        try {
            while (items.hasNext()) {
                group.take(items);
                layOut(group, key);
                action.accept(group);
                group.clear();
            }
        } finally {
            group.busy = false; // a store: the call might not fit on the stack
            group.clear();
        }
    }

    /** Lays out the keys of a group for their lookups. */
    private <T> void layOut(KeyGroup<T> group, Function<T, ? extends K> key) {
        ThreadState<K, V> desk = desks.enter();
        try {
            for (int i = 0; i < group.count(); i++) {
                desk.key(Objects.requireNonNull(key.apply(group.item(i)), "key"), group.probe(i), parts.seed());
            }
        } finally {
            desk.probe.busy = false;
        }
    }

    private static <T> KeyGroup<T> enter(KeyGroup<T> own) {
        KeyGroup<T> group = own.busy ? new KeyGroup<>() : own;
        group.busy = true;
        return group;
    }
}
