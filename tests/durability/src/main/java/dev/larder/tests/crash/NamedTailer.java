package dev.larder.tests.crash;

import dev.larder.log.BookmarkHeldException;
import dev.larder.log.FellBehindException;
import dev.larder.log.layer.HookedOptions;
import dev.larder.queue.Commit;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that waits for the tailer of a name while another process has it. Then it continues where that process stopped, and
 * notes each message before and after it has looked at every byte.
 *
 * <p>It reaches two steps of its own for {@link CrashPlan}: {@code handle.begun} in its handler, before it looks at the
 * message's bytes, and {@code commit.begun}, right before it commits.
 */
public final class NamedTailer {

    /** The name whose place moves with each message; the places of other names move by commits. */
    public static final String HANDLED = "handled";

    private static final int DRAIN_MAX = 64;
    private static final long STAND_BY_NANOS = 2_000_000;
    private static final Duration WAIT = Duration.ofMillis(200);

    private final Child child;
    private final Commit commit;
    private final Conversation parent;
    private final Progress progress;
    private final Readings readings;
    private final CrashPlan plan;

    private NamedTailer(Child child) {
        this.child = child;
        this.commit = child.name().equals(HANDLED) ? Commit.WHEN_HANDLED : Commit.EXPLICIT;
        this.parent = new Conversation();
        this.progress = new Progress(child.progress());
        this.readings = new Readings(child.seen());
        this.plan = new CrashPlan(child.plan(), parent, progress);
    }

    /** Runs until its parent asks it to finish and it has read everything, or until it is killed. */
    public static void main(String[] args) {
        NamedTailer tailer = new NamedTailer(Child.of(args));
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

    private void run() throws InterruptedException {
        try (LarderQueue queue = LarderQueue.open(child.queue(), HookedOptions.withFailpoints(child.options(), plan))) {
            parent.say("READY");
            try (Tailer tailer = takeOver(queue)) {
                boolean more = true;
                while (more || !parent.isFinishing()) {
                    more = readSome(tailer);
                }
            }
        }
    }

    private Tailer takeOver(LarderQueue queue) {
        while (true) {
            try {
                Tailer tailer = queue.tailer(child.name(), commit);
                readings.takenOver();
                return tailer;
            } catch (BookmarkHeldException e) {
                progress.done(0);
                LockSupport.parkNanos(STAND_BY_NANOS);
            }
        }
    }

    private boolean readSome(Tailer tailer) throws InterruptedException {
        try {
            boolean read =
                    tailer.drain((segment, offset, length) -> handle(tailer, segment, offset, length), DRAIN_MAX) > 0
                            || tailer.poll((segment, offset, length) -> handle(tailer, segment, offset, length), WAIT);
            if (read) {
                commit(tailer);
                progress.done(readings.count());
                progress.position(tailer.position());
            }
            return read;
        } catch (FellBehindException e) {
            readings.gap(e.position());
            tailer.toStart();
            return true;
        }
    }

    private void handle(Tailer tailer, MemorySegment segment, long offset, int length) {
        long word = length < Long.BYTES ? -1 : Message.wordAt(segment, offset);
        readings.begin(tailer.position(), word);
        plan.reached("handle.begun");
        readings.looked(Message.sumOrZero(segment, offset, length));
    }

    private void commit(Tailer tailer) {
        if (commit == Commit.EXPLICIT) {
            readings.committing();
            plan.reached("commit.begun");
            tailer.commit();
            readings.committed();
        }
    }
}
