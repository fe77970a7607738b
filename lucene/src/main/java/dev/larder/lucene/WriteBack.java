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
 * Writes the bytes of one new file to its folder while the file is being written, in order and each byte once.
 *
 * <pre>
 * |==== handed to the file system ====|------ in memory alone ------|
 * 0                                written                        length
 * </pre>
 *
 * <p>Once the folder's file has all bytes and is closed, the file gets its identity. From then on, it is checked like a file
 * that was found in the folder.
 *
 * <p>An error is kept and thrown to the next call that writes, syncs, renames or closes. The bytes are still in memory then,
 * and the {@link #await} after a failed one writes the whole file again. So an index writer may commit again once there is
 * space. A file whose memory is gone stays failed.
 */
final class WriteBack implements Runnable {

    private static final long LEAST_BYTES = 1L << 20;
    private static final long STEP_BYTES = 4L << 20;
    private static final long HEAP_STEP_BYTES =
            8L << 10; // the JDK copies heap bytes outside, and keeps a buffer of this size for each thread
    private static final int STEPS_IN_TURN = 4; // then another file gets its turn

    private final IndexFile file;
    private final Folder folder;
    private final Executor executor;

    /** The failure of a run that had no memory left to describe it. */
    private final IOException undescribed;

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

    /** Creates the write-back of an empty file that already exists. */
    WriteBack(IndexFile file, Folder folder, Executor executor) throws IOException {
        this.file = file;
        this.folder = folder;
        this.executor = executor;
        this.undescribed = new IOException(folder.path(file.name())
                + ": cannot write back: the thread ended by an error that it could not describe");
        this.channel = folder.openForWriting(file.name());
    }

    /** Notes that the file has grown, and schedules a run if there is enough to write. */
    synchronized void advance() {
        if (!isQueued && hasWork()) {
            executor.execute(this); // the run begins once we release the lock
            isQueued = true;
        }
    }

    /** Notes that the file has its final length. */
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
        boolean isEnded = false;
        try {
            for (int step = 0; step < STEPS_IN_TURN && writeStep(); step++) {
                assert !Thread.holdsLock(this);
            }
            isEnded = true;
        } finally {
            ended(isEnded);
        }
    }

    /** Notes the end of a run, which an error may have ended that leaves no memory to describe it. */
    private synchronized void ended(boolean regularly) {
        isRunning = false;
        isQueued = false;
        try {
            if (regularly) {
                advance();
            } else {
                fail(undescribed);
            }
        } finally {
            notifyAll();
        }
    }

    /** Writes one step, and returns whether there may be more. */
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
            failed = failure(from, to, new IOException(e)); // no thread may wait for ever
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
     * Writes even if the thread is interrupted, and restores the interrupt. An interrupt closes the channel; then the same
     * bytes go to the same place through another channel.
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
            throw new IOException(folder.path(file.name()) + ": the file is closed");
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
        if (isCancelled) {
            closeChannel();
        } else if (isComplete && channel != null && written == file.lengthBytes()) {
            closeChannel();
            identify();
        }
    }

    /** Takes the identity after the closing, which sets the time on some file systems, and before a waiting commit goes on. */
    private void identify() {
        if (failure == null) {
            file.identify(folder.identityOfWritten(file.name(), written));
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

    /** Throws the kept failure to a caller that continues to write. */
    synchronized void throwFailure() throws IOException {
        if (failure != null) {
            throw told(failure);
        }
    }

    private IOException told(IOException failed) {
        isFailureTold = true;
        return new IOException(failed.getMessage(), failed);
    }

    /** Treats the written bytes as lost, because their flush failed and the system reports that only once. */
    synchronized void flushFailed(IOException cause) {
        String rest = isLeavingMemory ? "; its bytes are not in memory any more" : "";
        fail(new IOException(folder.path(file.name()) + ": cannot flush: " + cause.getMessage() + rest, cause));
        isFailureTold = true;
    }

    /**
     * Waits until the file system has all that the file has now. Writes again from the start after a failure that was reported.
     */
    synchronized void await() throws IOException {
        if (failure != null && isFailureTold && !isLeavingMemory) {
            startAnew();
        }
        awaited = file.lengthBytes();
        waitWhile(() -> {
            advance(); // the last run may have found no thread or memory for the next one
            return failure == null && !isCancelled && (written < awaited || (isComplete && channel != null));
        });
        throwFailure();
    }

    private void startAnew() throws IOException {
        waitWhile(() -> isQueued);
        if (!file.isStill(folder.identity(file.name()))) {
            throw new IOException(
                    folder.path(file.name()) + ": cannot write again: another file has its name", failure);
        }
        channel = folder.openForWriting(file.name()); // the same bytes overwrite the durable ones
        file.identify(null);
        written = 0;
        failure = null;
    }

    /** Stops the writing, and closes the file before this returns. A queued run may still start later, and does nothing. */
    synchronized void cancel() {
        isCancelled = true;
        waitWhile(() -> isRunning);
        closeChannel();
    }

    /** Writes the rest of the file to its folder in the calling thread, because its memory is about to go. */
    synchronized void finishNow(MemorySegment memory) throws IOException {
        waitWhile(() -> isQueued);
        isLeavingMemory = true;
        appendNow(memory.asSlice(written, file.lengthBytes() - written));
    }

    /** Writes bytes that have never been in the file's memory. */
    synchronized void appendNow(MemorySegment bytes) throws IOException {
        throwFailure(); // the first failure tells why
        try {
            writeUninterrupted(bytes, written);
            written += bytes.byteSize();
        } catch (IOException e) {
            fail(failure(written, written + bytes.byteSize(), e));
            throwFailure();
        }
    }

    /** Allows the memory to go if the write-back is {@link #isDone done}; else returns false. */
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

    /** Waits even if the thread is interrupted, and restores the interrupt. */
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
