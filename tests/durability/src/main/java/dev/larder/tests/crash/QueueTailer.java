package dev.larder.tests.crash;

import dev.larder.log.FellBehindException;
import dev.larder.log.Position;
import dev.larder.log.layer.HookedOptions;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.MessageHandler;
import dev.larder.queue.Tailer;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.time.Duration;

/**
 * A process that reads everything, checks every byte, and reports each message: position, first word, sum of the content (0 if
 * it is torn). It continues after the last reported message. If it fell behind, it reports its position, and continues at the
 * start.
 */
public final class QueueTailer implements MessageHandler {

    /** In place of a first word: messages from this position on were dropped before the tailer read them. */
    public static final long GAP = -2;

    private static final int REPORT_EVERY = 1024;
    private static final int DRAIN_MAX = 64;
    private static final Duration WAIT = Duration.ofMillis(200);

    private final Child child;
    private final Conversation parent;
    private final Progress progress;
    private final CrashPlan plan;
    private final DataOutputStream seen;
    private long read;
    private long unreported;
    private long skipped = -1;
    private long position;

    private QueueTailer(Child child) throws IOException {
        this.child = child;
        this.parent = new Conversation();
        this.progress = new Progress(child.progress());
        this.plan = new CrashPlan(child.plan(), parent, progress);
        this.seen = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(child.seen()), 1 << 16));
    }

    /** Runs until its parent asks it to finish and it has read everything, or until it is killed. */
    public static void main(String[] args) throws IOException {
        QueueTailer tailer = new QueueTailer(Child.of(args));
        try {
            tailer.run();
            tailer.parent.say("DONE");
            System.exit(0);
        } catch (RuntimeException | InterruptedException | Error e) {
            e.printStackTrace();
            tailer.parent.say("ERROR " + e);
            Runtime.getRuntime().halt(4);
        }
    }

    private void run() throws IOException, InterruptedException {
        progress.watchHiccups();
        try (LarderQueue queue = LarderQueue.open(child.queue(), HookedOptions.withFailpoints(child.options(), plan));
                Tailer tailer = queue.tailer()) {
            goOn(tailer);
            parent.say("READY");
            boolean more = true;
            while (more || !parent.isFinishing()) {
                more = readSome(tailer);
                report(!more);
            }
            report(true);
        }
    }

    /** Moves the tailer behind the last message that was reported. */
    private void goOn(Tailer tailer) {
        if (child.from() < 0 && Position.segment(tailer.position()) > 0) {
            skipGap(tailer, 0);
        }
        if (child.from() >= 0) {
            try {
                tailer.moveTo(child.from());
            } catch (FellBehindException e) {
                skipGap(tailer, child.from() + 1);
                return;
            }
            if (!tailer.poll((segment, offset, length) -> skipped = tailer.position()) || skipped != child.from()) {
                throw new IllegalStateException("the message at " + child.from() + " is not there any more");
            }
        }
    }

    private boolean readSome(Tailer tailer) throws InterruptedException {
        try {
            position = tailer.position();
            MessageHandler handler = (segment, offset, length) -> {
                position = tailer.position();
                onMessage(segment, offset, length);
            };
            // Both ways of reading, by turns: the one that never waits must also get past a dead writer's claim.
            int drained = tailer.drain(handler, DRAIN_MAX);
            return drained > 0 || tailer.poll(handler, WAIT);
        } catch (FellBehindException e) {
            skipGap(tailer, e.position());
            return true;
        } catch (CrashPlan.NoRecoveryException e) {
            return false;
        }
    }

    private void skipGap(Tailer tailer, long from) {
        try {
            seen.writeLong(from);
            seen.writeLong(GAP);
            seen.writeLong(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        tailer.toStart();
    }

    @Override
    public void onMessage(MemorySegment segment, long offset, int length) {
        try {
            seen.writeLong(position);
            seen.writeLong(length < Long.BYTES ? -1 : Message.wordAt(segment, offset));
            seen.writeLong(Message.sumOrZero(segment, offset, length));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        progress.position(position);
        progress.done(++read);
    }

    private void report(boolean now) throws IOException {
        if (now || read - unreported >= REPORT_EVERY) {
            seen.flush();
            unreported = read;
        }
    }
}
