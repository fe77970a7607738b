package dev.larder.lab.machine;

import dev.larder.memory.region.Region;
import dev.larder.memory.region.RegionKind;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;

/**
 * Memory that is written and held until a process takes as much: free memory of a virtual machine may belong to its
 * host.
 *
 * <p>The first process that takes such memory waits for it, and may get it in small pieces, with slow access for a while.
 * Data long in the page cache is past that: for a comparison, other memory must be warm as well.
 *
 * <pre>
 *   |--- taken by the process ---|--- free ---|------ held ------|
 *                                  AHEAD_BYTES
 * </pre>
 */
public final class WarmMemory implements AutoCloseable {

    private static final long PIECE_BYTES = 64L << 20;
    private static final long AHEAD_BYTES = 512L << 20;
    private static final long LEFT_BYTES = 1L << 30;
    private static final int PAGE_BYTES = 4096;
    private static final long LOOK_NANOS = 5_000_000;

    private final long bytes;
    private final Deque<Region> pieces = new ArrayDeque<>();

    /** Memory for a process that takes at most so much; holds nothing yet. */
    public WarmMemory(long bytes) {
        this.bytes = bytes;
    }

    /** Holds all of it, in pieces of 64 MiB: less if less is free, none without huge pages. */
    public synchronized void fill() {
        boolean none = RegionKind.HUGE_PAGES.unavailable().isPresent();
        long room = none ? 0 : Math.max(0, Machine.freeBytes() - LEFT_BYTES);
        for (long most = heldBytes() + room; heldBytes() < Math.min(bytes, most); ) {
            pieces.add(written(Region.create(RegionKind.HUGE_PAGES, PIECE_BYTES)));
        }
    }

    private static Region written(Region region) {
        for (long at = 0; at < region.sizeBytes(); at += PAGE_BYTES) {
            region.segment().set(ValueLayout.JAVA_BYTE, at, (byte) 1);
        }
        return region;
    }

    /** Returns the bytes held. */
    public synchronized long heldBytes() {
        return pieces.size() * PIECE_BYTES;
    }

    /** Releases as much as the process has taken, or is about to take, in all, and some more. */
    public synchronized void leave(long takenBytes) {
        while (heldBytes() > Math.max(0, bytes - takenBytes - AHEAD_BYTES)) {
            pieces.remove().close();
        }
    }

    /** Releases memory as a process takes it, until the returned watch is closed. */
    public Watch watch(long pid) {
        return new Watch(pid);
    }

    /** Releases all. */
    @Override
    public synchronized void close() {
        leave(bytes);
    }

    /** Watches a process. */
    public final class Watch implements AutoCloseable {

        private final Thread thread;
        private volatile boolean closed;

        private Watch(long pid) {
            thread = Thread.ofPlatform().daemon().name("lab-warm-memory").start(() -> look(pid));
        }

        private void look(long pid) {
            while (!closed) {
                leave(ProcessMemory.takenBytes(pid));
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }

        @Override
        public void close() {
            closed = true;
            LockSupport.unpark(thread);
        }
    }
}
