package dev.larder.tests.crash;

import dev.larder.log.layer.HookedOptions;
import dev.larder.queue.Appender;
import dev.larder.queue.Batch;
import dev.larder.queue.LarderQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/** A process that appends as fast as it can: single messages, messages written in place, batches. */
public final class QueueWriter {

    private static final int BATCH_MAX = 40;

    private final Child child;
    private final Conversation parent;
    private final Progress progress;
    private final CrashPlan plan;
    private final MemorySegment buffer = Arena.global().allocate(Message.LENGTH_MAX, 8);
    private final SplittableRandom random;
    private long sequence;

    private QueueWriter(Child child) {
        this.child = child;
        this.parent = new Conversation();
        this.progress = new Progress(child.progress());
        this.plan = new CrashPlan(child.plan(), parent, progress);
        this.random = new SplittableRandom(child.number());
    }

    /** Runs until its parent asks it to finish, or until it is killed. */
    public static void main(String[] args) {
        QueueWriter writer = new QueueWriter(Child.of(args));
        try {
            writer.run();
            writer.parent.say("DONE");
            System.exit(0);
        } catch (RuntimeException | Error e) {
            e.printStackTrace();
            writer.parent.say("ERROR " + e);
            Runtime.getRuntime().halt(4);
        }
    }

    private void run() {
        progress.watchHiccups();
        try (LarderQueue queue = LarderQueue.open(child.queue(), HookedOptions.withFailpoints(child.options(), plan));
                Appender appender = queue.appender();
                Batch batch = appender.batch()) {
            parent.say("READY");
            while (!parent.isFinishing()) {
                appendSome(appender, batch);
                progress.pauseIfAsked();
                plan.betweenMessages();
            }
        }
    }

    private void appendSome(Appender appender, Batch batch) {
        int kind = random.nextInt(100);
        if (kind < 60) {
            appendCopy(appender);
        } else if (kind < 90) {
            appendInPlace(appender);
        } else {
            appendBatch(batch, 2 + random.nextInt(BATCH_MAX));
        }
        progress.done(sequence);
    }

    private void appendCopy(Appender appender) {
        long word = begin(1);
        int length = Message.length(word);
        Message.fill(buffer, 0, length, word);
        progress.position(appender.append(buffer, 0, length));
        sequence++;
    }

    private void appendInPlace(Appender appender) {
        long word = begin(1);
        appender.append(Message.length(word), (segment, offset, length) -> {
            Message.fill(segment, offset, Math.max(Long.BYTES, length / 2), word);
            plan.reached("fill.half");
            Message.fill(segment, offset, length, word);
        });
        sequence++;
    }

    private void appendBatch(Batch batch, int messages) {
        begin(messages);
        for (int i = 0; i < messages; i++) {
            long word = Message.word(child.number(), sequence + i);
            int length = Message.length(word);
            Message.fill(buffer, 0, length, word);
            batch.add(buffer, 0, length);
        }
        batch.flush();
        sequence += messages;
    }

    /**
     * Records the messages of the next append, and returns their first word. A faulty control acknowledges them before it
     * appends.
     */
    private long begin(int messages) {
        progress.intend(sequence + messages);
        if (plan.isAction("early-acknowledge")) {
            progress.done(sequence + messages);
        }
        return Message.word(child.number(), sequence);
    }
}
