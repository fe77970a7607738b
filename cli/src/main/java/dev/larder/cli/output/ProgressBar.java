package dev.larder.cli.output;

import dev.larder.cli.ByteSize;
import dev.larder.cli.LiveFiles;
import dev.larder.cli.Streams;
import dev.larder.log.WorkProgress;
import dev.larder.memory.LarderException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The progress of a command, in one line of the standard error that is overwritten in place. It appears only on a terminal, and
 * is removed before the command answers.
 *
 * <pre>
 * verify  [#########-----------]  48 %
 * repair  1.20 GiB                                               the total is unknown
 * </pre>
 */
public final class ProgressBar implements WorkProgress, AutoCloseable {

    private static final String LINE_BEGIN = "\r";
    private static final String TO_END_OF_LINE = "\u001b[K";
    private static final long UNKNOWN = 0;
    private static final int SIGNS = 20;
    private static final long PAUSE_MILLIS = 200;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);

    private final String what;
    private final PrintStream err;
    private final boolean terminal;
    private final LongSupplier nanoTime;
    private final CountDownLatch closed = new CountDownLatch(1);
    private long next;
    private boolean drawn;

    /** Creates a bar to which the command reports its progress. */
    public ProgressBar(String what, Streams streams) {
        this(what, streams, System::nanoTime);
    }

    /** Creates a bar. Short commands draw nothing: the first drawing is half a second after the beginning. */
    public ProgressBar(String what, Streams streams, LongSupplier nanoTime) {
        this.what = what;
        this.err = streams.err();
        this.terminal = streams.terminal();
        this.nanoTime = nanoTime;
        this.next = nanoTime.getAsLong() + 2 * PAUSE_NANOS;
    }

    /** Returns a bar that polls the number of done bytes, on its own thread. */
    public static ProgressBar asking(String what, Streams streams, LongSupplier doneBytes) {
        ProgressBar bar = new ProgressBar(what, streams);
        if (bar.terminal) {
            Thread.ofPlatform().daemon().name("larder-progress").start(() -> bar.ask(doneBytes));
        }
        return bar;
    }

    /** Returns a bar that polls and shows a text, on its own thread. */
    public static ProgressBar telling(String what, Streams streams, Supplier<String> text) {
        ProgressBar bar = new ProgressBar(what, streams);
        if (bar.terminal) {
            Thread.ofPlatform().daemon().name("larder-progress").start(() -> bar.tell(text));
        }
        return bar;
    }

    private void tell(Supplier<String> text) {
        try {
            while (!closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                draw(text.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns a bar that shows how many bytes are in the files below a directory. */
    public static ProgressBar writing(String what, Streams streams, Path directory) {
        return asking(what, streams, () -> bytes(directory));
    }

    private static long bytes(Path directory) {
        try {
            return Files.isDirectory(directory) ? LiveFiles.bytes(directory) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void ask(LongSupplier doneBytes) {
        try {
            while (!closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                onProgress(doneBytes.getAsLong(), UNKNOWN);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (LarderException | UncheckedIOException e) {
            // the command itself reports the error
        }
    }

    @Override
    public void onProgress(long done, long total) {
        if (terminal && nanoTime.getAsLong() - next >= 0) {
            draw(total > 0 ? share(Math.min(done, total), total) : ByteSize.format(done));
        }
    }

    private synchronized void draw(String text) {
        if (closed.getCount() > 0) {
            err.print(LINE_BEGIN + what + "  " + text + TO_END_OF_LINE);
            err.flush();
            drawn = true;
            next = nanoTime.getAsLong() + PAUSE_NANOS;
        }
    }

    private static String share(long done, long total) {
        int signs = (int) (SIGNS * (double) done / total);
        long percent = (long) (100 * (double) done / total);
        return "[" + "#".repeat(signs) + "-".repeat(SIGNS - signs) + "]  " + percent + " %";
    }

    /** Returns a stream whose reads move this bar. */
    public InputStream reading(InputStream in, long totalBytes) {
        return new FilterInputStream(in) {
            private long done;

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                int read = super.read(target, offset, length);
                done += Math.max(0, read);
                onProgress(done, totalBytes);
                return read;
            }
        };
    }

    /** Removes the line. */
    @Override
    public synchronized void close() {
        closed.countDown();
        if (drawn) {
            err.print(LINE_BEGIN + TO_END_OF_LINE);
            err.flush();
        }
    }
}
