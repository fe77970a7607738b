package dev.larder.lucene;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings the bytes of one new file into its folder while it is being written, in order and each byte once.
 *
 * <pre>
 * |==== handed to the file system ====|------ in memory alone ------|
 * 0                                written                        length
 * </pre>
 *
 * <p>What fails is kept and told to whoever writes on, syncs, renames or closes. The bytes are still in memory then: the
 * next {@link #await} after one that failed writes the whole file anew, so an index writer may commit again once there is
 * space. A file whose memory has gone stays failed.
 */
final class WriteBack implements Runnable {

    private static final long LEAST_BYTES = 1L << 20;
    private static final long STEP_BYTES = 4L << 20;
    private static final long HEAP_STEP_BYTES =
            8L << 10; // the JDK copies them outside, and keeps as much for each thread
    private static final int STEPS_IN_TURN = 4; // then another file comes first

    private final IndexFile file;
    private final Folder folder;
    private final Executor executor;

    private @Nullable FileChannel channel; // this and all below guarded by this
    private long written;
    private long awaited;
    private boolean isComplete;
    private boolean isQueued;
    private boolean isRunning;
    private boolean isCancelled;
    private @Nullable IOException failure;
    private boolean isFailureTold;
    private boolean isLeavingMemory;

    /** The write-back of an empty file, that is there already. */
    WriteBack(IndexFile file, Folder folder, Executor executor) throws IOException {
        this.file = file;
        this.folder = folder;
        this.executor = executor;
        this.channel = folder.openForWriting(file.name());
    }

    /** Says that the file has grown. */
    synchronized void advance() {
        if (!isQueued && hasWork()) {
            executor.execute(this); // which begins once we let go of the lock
            isQueued = true;
        }
    }

    /** Says that the file has its final length. */
    synchronized void complete() {
        isComplete = true;
        if (!isQueued) {
            closeIfDone();
        }
        advance();
    }

    private boolean hasWork() {
        if (channel == null || failure != null) {
            return false;
        }
        return isComplete || isCancelled || awaited > written || file.lengthBytes() - written >= LEAST_BYTES;
    }

    /** Writes some steps, then leaves the turn to other files. */
    @Override
    public void run() {
        synchronized (this) {
            isRunning = true;
        }
        for (int step = 0; step < STEPS_IN_TURN && writeStep(); step++) {
            assert !Thread.holdsLock(this);
        }
        synchronized (this) {
            isRunning = false;
            isQueued = false;
            advance();
            notifyAll();
        }
    }

    /** Returns whether there may be more. */
    private boolean writeStep() {
        long from;
        long to;
        synchronized (this) {
            if (!hasWork() || isCancelled || written == file.lengthBytes()) {
                closeIfDone();
                return false;
            }
            from = written;
            to = Math.min(file.lengthBytes(), from + STEP_BYTES);
        }
        return wrote(from, to);
    }

    private boolean wrote(long from, long to) {
        IOException failed = null;
        try {
            file.withBlock(memory -> write(memory.asSlice(from, to - from), from));
        } catch (IOException e) {
            failed = failure(from, to, e);
        } catch (RuntimeException | Error e) {
            failed = failure(from, to, new IOException(e)); // nobody may wait for ever
        }
        synchronized (this) {
            written = failed == null ? to : written;
            fail(failed);
            return failed == null;
        }
    }

    private IOException failure(long from, long to, IOException cause) {
        return new IOException(
                folder.path(file.name()) + ": cannot write back " + (to - from) + " bytes at " + from + ": "
                        + cause.getMessage(),
                cause);
    }

    private void write(MemorySegment bytes, long at) throws IOException {
        FileChannel target = channel();
        long step = bytes.isNative() ? STEP_BYTES : HEAP_STEP_BYTES;
        for (long done = 0; done < bytes.byteSize(); done += step) {
            long count = Math.min(step, bytes.byteSize() - done);
            writeFully(target, bytes.asSlice(done, count).asByteBuffer(), at + done);
        }
    }

    /**
     * Writes whatever the thread is interrupted for, and gives the interrupt back. An interrupt closes the channel: then the
     * same bytes go to the same place through another one.
     */
    private void writeUninterrupted(MemorySegment bytes, long at) throws IOException {
        boolean interrupted = Thread.interrupted();
        boolean done = false;
        try {
            while (!done) {
                try {
                    write(bytes, at);
                    done = true;
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted();
                    closeChannel();
                    channel = folder.openForWriting(file.name());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void writeFully(FileChannel target, ByteBuffer bytes, long at) throws IOException {
        while (bytes.hasRemaining()) {
            int count = target.write(bytes, at + bytes.position());
            assert count >= 0 : count;
        }
    }

    private synchronized FileChannel channel() throws IOException {
        if (channel == null) {
            throw new IOException("the file is closed");
        }
        return channel;
    }

    private void fail(@Nullable IOException failed) {
        if (failed != null) {
            failure = failed;
            isFailureTold = false;
            closeChannel();
        }
    }

    private void closeIfDone() {
        if (isCancelled || (isComplete && failure == null && written == file.lengthBytes())) {
            closeChannel();
        }
    }

    private void closeChannel() {
        FileChannel open = channel;
        channel = null;
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            failure = failure == null && !isCancelled ? failure(0, written, e) : failure;
        }
    }

    /** Throws what has failed, to the one who goes on writing. */
    synchronized void throwFailure() throws IOException {
        if (failure != null) {
            throw told(failure);
        }
    }

    private IOException told(IOException failed) {
        isFailureTold = true;
        return new IOException(failed.getMessage(), failed);
    }

    /** Takes what was written for lost: the flush of it failed, and the system tells that once only. */
    synchronized void flushFailed(IOException cause) {
        String rest = isLeavingMemory ? "; its bytes are not in memory any more" : "";
        fail(new IOException(folder.path(file.name()) + ": cannot flush: " + cause.getMessage() + rest, cause));
        isFailureTold = true;
    }

    /**
     * Waits until all that the file has now is with the file system; again from its start, after a failure that was told.
     */
    synchronized void await() throws IOException {
        if (failure != null && isFailureTold && !isLeavingMemory) {
            startAnew();
        }
        awaited = file.lengthBytes();
        advance();
        waitWhile(() -> failure == null && !isCancelled && (written < awaited || (isComplete && channel != null)));
        throwFailure();
    }

    private void startAnew() throws IOException {
        waitWhile(() -> isQueued);
        channel = folder.openForWriting(file.name()); // the same bytes come over those that are durable
        written = 0;
        failure = null;
    }

    /** Writes nothing more, and closes the file before this returns; its turn may come later, for nothing. */
    synchronized void cancel() {
        isCancelled = true;
        waitWhile(() -> isRunning);
        closeChannel();
    }

    /** Brings what the file has to its folder at once, by this thread: its memory is about to go. */
    synchronized void finishNow(MemorySegment memory) throws IOException {
        waitWhile(() -> isQueued);
        isLeavingMemory = true;
        throwFailure();
        appendNow(memory.asSlice(written, file.lengthBytes() - written));
    }

    /** Writes what has never been in the file's memory. */
    synchronized void appendNow(MemorySegment bytes) throws IOException {
        try {
            writeUninterrupted(bytes, written);
            written += bytes.byteSize();
        } catch (IOException e) {
            fail(failure(written, written + bytes.byteSize(), e));
            throwFailure();
        }
    }

    /** Lets the memory go, where it is {@link #isDone done}; else returns false. */
    synchronized boolean tryLeaveMemory() {
        isLeavingMemory |= isDone();
        return isDone();
    }

    /** Returns whether the folder's file has all that the file will ever have. */
    synchronized boolean isDone() {
        return isComplete && failure == null && channel == null && !isCancelled;
    }

    synchronized long unwrittenBytes() {
        return isCancelled ? 0 : Math.max(0, file.lengthBytes() - written);
    }

    /** Waits whatever the thread is interrupted for, and gives the interrupt back. */
    private void waitWhile(BooleanSupplier condition) {
        boolean interrupted = false;
        while (condition.getAsBoolean()) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
