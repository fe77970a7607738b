package dev.larder.map.entry;

import dev.larder.log.layer.Duty;
import dev.larder.log.random.LogRecords;
import dev.larder.map.LossListener;
import dev.larder.map.RemovalCause;
import dev.larder.map.RemovalListener;
import dev.larder.map.index.Lookup;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Calls a listener for each entry that goes, in the thread that removes it, while its record can still be read. */
public final class RemovalNotifier<K, V> implements Forgotten {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.map");

    private final Path directory;
    private final LogRecords records;
    private final ThreadStates<K, V> desks;
    private final ThreadLocal<Boolean> telling = new ThreadLocal<>();
    private volatile @Nullable RemovalListener<? super K, ? super V> listener;
    private volatile @Nullable LossListener<? super K> losses;

    /** Logs what the listeners throw: each cause at once, and then less and less often. */
    private final Duty ofListener;

    private final Duty ofLosses;

    public RemovalNotifier(Path directory, LogRecords records, ThreadStates<K, V> desks) {
        this.directory = directory;
        this.records = records;
        this.desks = desks;
        this.ofListener = new Duty(directory + ": a removal listener", LOGGER);
        this.ofLosses = new Duty(directory + ": a loss listener", LOGGER);
    }

    /** Sets the removal listener. */
    public void tell(RemovalListener<? super K, ? super V> told) {
        listener = told;
    }

    /** Sets the listener for entries that end by themselves. */
    public void tellLosses(LossListener<? super K> told) {
        losses = told;
    }

    /** Returns whether there is a removal listener. */
    boolean areTold() {
        return listener != null;
    }

    /** Returns whether this thread is inside a call of a listener. */
    public boolean areTelling() {
        return (listener != null || losses != null) && telling.get() != null;
    }

    /** Refuses a change by the listener itself. */
    void requireNotTelling() {
        if (areTelling()) {
            throw new IllegalStateException(directory + ": a removal listener cannot change the map");
        }
    }

    /** Reports the entry that a change has replaced or removed. */
    void changed(ThreadState<K, V> desk, Lookup former, boolean removal) {
        LossListener<? super K> lost = losses;
        if (lost != null && former.holdsValue() && former.expired) {
            tell(lost, desk.readKey(former), RemovalCause.EXPIRED);
        }
        RemovalListener<? super K, ? super V> told = listener;
        if (told != null && former.holdsValue()) {
            records.length(former.position); // in memory, also where the listener was set since the lookup
            RemovalCause cause = removal ? RemovalCause.REMOVED : RemovalCause.REPLACED;
            MemorySegment record = records.bytes(former.position);
            long at = LogRecords.payload(former.position);
            tell(told, desk, former.expired ? RemovalCause.EXPIRED : cause, record, at, former.length);
        }
    }

    /** Reports an entry that the cleaner has forgotten. */
    @Override
    public void gone(RemovalCause cause, MemorySegment record, long at, int length) {
        LossListener<? super K> lost = losses;
        if (lost != null) {
            tell(lost, readKey(desks.free(), record, at), cause);
        }
        RemovalListener<? super K, ? super V> told = listener;
        if (told != null) {
            tell(told, desks.free(), cause, record, at, length);
        }
    }

    /** Reads a key by a desk, which is in use meanwhile: a constructor of the user may call the map. */
    private static <K, V> K readKey(ThreadState<K, V> desk, MemorySegment record, long at) {
        boolean busy = desk.probe.busy;
        desk.probe.busy = true;
        try {
            return desk.readKey(record, at);
        } finally {
            desk.probe.busy = busy;
        }
    }

    private V readValue(ThreadState<K, V> desk, MemorySegment record, long at, int length) {
        boolean busy = desk.probe.busy;
        desk.probe.busy = true;
        try {
            return desk.readValue(records, record, at, length);
        } finally {
            desk.probe.busy = busy;
        }
    }

    private void tell(LossListener<? super K> told, K key, RemovalCause cause) {
        telling.set(Boolean.TRUE);
        try {
            told.onLoss(key, cause);
        } catch (InternalError e) {
            throw e; // memory of the map could not be read
        } catch (RuntimeException | Error e) {
            failed(ofLosses, e);
        } finally {
            telling.remove();
        }
    }

    private void tell(
            RemovalListener<? super K, ? super V> told,
            ThreadState<K, V> desk,
            RemovalCause cause,
            MemorySegment record,
            long at,
            int length) {
        telling.set(Boolean.TRUE);
        try {
            told.onRemoval(readKey(desk, record, at), readValue(desk, record, at, length), cause);
        } catch (InternalError e) {
            throw e; // memory of the map could not be read
        } catch (RuntimeException | Error e) {
            failed(ofListener, e);
        } finally {
            telling.remove();
        }
    }

    private static void failed(Duty guard, Throwable error) {
        synchronized (guard) {
            guard.failed(error);
        }
    }
}
