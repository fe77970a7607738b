package dev.larder.log.write;

import dev.larder.log.Position;
import dev.larder.log.format.RecordWord;
import dev.larder.log.layer.OpenClaim;
import dev.larder.log.segment.Segment;
import dev.larder.log.shared.Wake;
import dev.larder.memory.Words;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The claims of this process that none of its threads is going to commit. An error of the JVM, such as a stack overflow, came
 * between the claim and its end. The stack had no room left for giving the claim up.
 *
 * <pre>
 * appender    notes the position, then claims it      left behind if no thread is inside, and no other appender has it
 * open claim  names its thread and its class          left behind if no method of that class is on the thread's stack
 * </pre>
 *
 * <p>A thread that is held up by such a claim settles it. That is sound. A claimed word is never FREE again, so no thread
 * claims that position while it is being examined. One compare-and-set of the exact word wins. An appender notes a position
 * before it claims it, and enters before that: a thread that sees the claim sees both.
 */
public final class LeftClaims {

    private final AppendStatistics traffic;
    private final Claims claims;
    private final Wake wake;
    private final int owner;
    private final Set<OpenClaim> open = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    public LeftClaims(AppendStatistics traffic, Claims claims, Wake wake, int owner) {
        this.traffic = traffic;
        this.claims = claims;
        this.wake = wake;
        this.owner = owner;
    }

    public void know(OpenClaim claim) {
        open.add(claim);
        claim.known = true;
    }

    /** Settles a RESERVED word of this process if it was left behind; returns whether the word has changed. */
    boolean settle(Segment segment, long offset, long word) {
        long position = segment.position(offset);
        if (!isInsideAnAppender(position) && (isLeftByAnAppender(position) || isLeftOpen(position))) {
            claims.settle(segment, offset, word);
            wake.committed();
        }
        return segment.wordAcquire(offset) != word;
    }

    /**
     * Turns a record that an appender has claimed and not committed into padding. Called by the thread inside the appender.
     * If that thread does not know whether it has won the position, it asks the other appenders.
     */
    public void giveUp(Writer appender, Segment segment) {
        long mark = appender.claimed();
        long position = ClaimMark.position(mark);
        long offset = Position.offset(position);
        long word = segment.wordAcquire(offset);
        boolean own = RecordWord.state(word) == RecordWord.RESERVED && RecordWord.owner(word) == owner;
        if (own && (ClaimMark.isWon(mark) || !isClaimedByAnother(appender, position))) {
            long padding =
                    RecordWord.padding(segment.salt, position, RecordWord.length(word), RecordWord.KIND_ABANDONED);
            Words.compareAndSet(segment.memory, offset, word, padding);
            wake.committed();
        }
    }

    /**
     * Returns whether the appender lost the position to another appender of this process, or to an open claim, before it got
     * to claim it. Appenders that are trying just now lose it, or have won it, within a few instructions.
     */
    private boolean isClaimedByAnother(Writer appender, long position) {
        appender.leaving(ClaimMark.leaving(position));
        for (Writer other : traffic.writers()) {
            if (!other.equals(appender) && hasWon(other, position)) {
                return true;
            }
        }
        synchronized (open) {
            return open.stream().anyMatch(claim -> claim.position() == position);
        }
    }

    private static boolean hasWon(Writer other, long position) {
        long mark = other.claimed();
        while (mark == ClaimMark.trying(position) && other.isAtWork()) {
            Thread.onSpinWait();
            mark = other.claimed();
        }
        return mark == ClaimMark.won(position) && other.isAtWork();
    }

    private boolean isInsideAnAppender(long position) {
        for (Writer appender : traffic.writers()) {
            if (ClaimMark.position(appender.claimed()) == position && appender.isAtWork()) {
                return true;
            }
        }
        return false;
    }

    private boolean isLeftByAnAppender(long position) {
        boolean left = false;
        for (Writer appender : traffic.writers()) {
            left |= ClaimMark.position(appender.claimed()) == position;
        }
        synchronized (open) {
            return left && open.stream().noneMatch(claim -> claim.position() == position);
        }
    }

    private boolean isLeftOpen(long position) {
        synchronized (open) {
            return open.stream().anyMatch(claim -> claim.isLeft(position));
        }
    }
}
