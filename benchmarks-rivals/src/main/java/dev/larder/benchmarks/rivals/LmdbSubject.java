package dev.larder.benchmarks.rivals;

import dev.larder.cli.Figures;
import dev.larder.lab.map.MapShape;
import dev.larder.lab.map.MapSubject;
import dev.larder.lab.map.MapValue;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.Txn;

/**
 * LMDB under test. Each thread has a read transaction that it renews. Each put is a transaction; one write transaction runs at
 * a time. A load puts 1000 entries in each.
 */
final class LmdbSubject implements MapSubject {

    private static final int LOADED_AT_ONCE = 1000;
    private static final long ROOM_BYTES = 4L << 30;
    private static final int READERS = 1024;

    private final ThreadLocal<Hand> hands = ThreadLocal.withInitial(this::newHand);
    private final Queue<Hand> all = new ConcurrentLinkedQueue<>();
    private @Nullable Env<ByteBuffer> environment;
    private @Nullable Dbi<ByteBuffer> database;
    private @Nullable Txn<ByteBuffer> loading;
    private int valueBytes;
    private int loaded;
    private final AtomicLong openings = new AtomicLong();

    /** The state of one thread: buffers, and a read transaction. */
    private final class Hand {
        final long opening = openings.get();
        final ByteBuffer key = ByteBuffer.allocateDirect(Long.BYTES);
        final ByteBuffer value = ByteBuffer.allocateDirect(valueBytes);
        final Txn<ByteBuffer> reading = OpenSubject.of(environment).txnRead();

        Hand() {
            reading.reset();
        }

        ByteBuffer key(long number) {
            key.clear();
            return key.putLong(number).flip();
        }

        ByteBuffer value(byte[] bytes) {
            value.clear();
            return value.put(bytes).flip();
        }
    }

    private Hand newHand() {
        Hand hand = new Hand();
        all.add(hand);
        return hand;
    }

    private Hand hand() {
        Hand hand = hands.get();
        if (hand.opening != openings.get()) {
            hands.remove();
            hand = hands.get();
        }
        return hand;
    }

    @Override
    public Figures open(Path directory, MapShape shape) {
        valueBytes = shape.valueBytes();
        openings.incrementAndGet();
        Env<ByteBuffer> made = Env.create()
                .setMapSize(6 * (shape.mostBytes() + shape.mostEntries() * 64) + ROOM_BYTES)
                .setMaxDbs(1)
                .setMaxReaders(READERS)
                .open(directory.toFile(), EnvFlags.MDB_NOSYNC, EnvFlags.MDB_WRITEMAP);
        environment = made;
        database = made.openDbi("lab", DbiFlags.MDB_CREATE);
        return new Figures()
                .put("flags", "MDB_NOSYNC, MDB_WRITEMAP")
                .put("puts", "a transaction each; of a load, " + LOADED_AT_ONCE + " in one")
                .put("survives", "the process; the machine after sync, which the load ends with");
    }

    @Override
    public void load(long key, byte[] value) {
        Txn<ByteBuffer> open = loading;
        if (open == null) {
            open = OpenSubject.of(environment).txnWrite();
            loading = open;
        }
        Hand hand = hand();
        OpenSubject.of(database).put(open, hand.key(key), hand.value(value));
        if (++loaded % LOADED_AT_ONCE == 0) {
            endLoading(open);
        }
    }

    private void endLoading(Txn<ByteBuffer> open) {
        open.commit();
        open.close();
        loading = null;
    }

    @Override
    public void loaded() {
        if (loading != null) {
            endLoading(loading);
        }
    }

    @Override
    public void sync() {
        OpenSubject.of(environment).sync(true);
    }

    @Override
    public void put(long key, byte[] value) {
        Hand hand = hand();
        OpenSubject.of(database).put(hand.key(key), hand.value(value));
    }

    @Override
    public boolean get(long key, byte[] into) {
        Hand hand = hand();
        hand.reading.renew();
        try {
            ByteBuffer value = OpenSubject.of(database).get(hand.reading, hand.key(key));
            if (value == null) {
                return false;
            }
            value.get(into);
            return true;
        } finally {
            hand.reading.reset();
        }
    }

    @Override
    public boolean remove(long key) {
        return OpenSubject.of(database).delete(hand().key(key));
    }

    @Override
    public boolean readsInPlace() {
        return true;
    }

    @Override
    public long sum(long key) {
        Hand hand = hand();
        hand.reading.renew();
        try {
            ByteBuffer value = OpenSubject.of(database).get(hand.reading, hand.key(key));
            return value == null ? 0 : MapValue.sum(MemorySegment.ofBuffer(value), 0, value.remaining());
        } finally {
            hand.reading.reset();
        }
    }

    @Override
    public boolean isPersistent() {
        return true;
    }

    @Override
    public void close() {
        all.forEach(hand -> hand.reading.close());
        all.clear();
        OpenSubject.of(environment).close();
    }
}
