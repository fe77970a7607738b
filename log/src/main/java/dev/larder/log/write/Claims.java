package dev.larder.log.write;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogCounter;
import dev.larder.log.LogOptions;
import dev.larder.log.format.RecordWord;
import dev.larder.log.layer.ClaimResolver;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.segment.Segment;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.CountersFile;
import dev.larder.log.shared.LockFile;
import dev.larder.log.shared.Slots;
import dev.larder.memory.Crc32c;
import dev.larder.memory.Words;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of a record that its writer claimed and did not commit.
 *
 * <p>A live owner is never timed out. It holds its LIVE byte alone, so it is dead when another process can share the byte.
 * The kernel frees the byte after the last thread of the process has left user code, so no store of it is to come. Recoverers
 * share the byte, so any number of them judge at once. A recoverer that is stopped in its judgement holds up neither the
 * others nor a newcomer, which takes another slot. One compare-and-set of the exact word wins.
 *
 * <p>A byte that is held alone proves life only for the generation that took it. A newcomer in the slot of a dead writer has
 * raised the generation, so the dead writer's claims are recognized by theirs. A newcomer that comes after the judgement and
 * before the compare-and-set changes nothing. Its words carry another generation, and at one position no word that was
 * settled ever comes back.
 */
public final class Claims {

    private final ControlFile control;
    private final LockFile locks;
    private final int owner;
    private final ClaimResolver resolver;
    private final Failpoints steps;
    private final CountersFile counters;
    private volatile @Nullable LeftClaims left;

    /** Whether the log belongs to a map that this process does not have open. */
    private final boolean isOfAMap;

    public Claims(ControlFile control, LockFile locks, int owner, LogOptions options, CountersFile counters) {
        this.control = control;
        this.locks = locks;
        this.owner = owner;
        this.resolver = HookedOptions.of(options).resolver();
        this.isOfAMap = control.isLinked() && !HookedOptions.of(options).linked();
        this.steps = HookedOptions.of(options).failpoints();
        this.counters = counters;
    }

    /** Sets the object that finds the claims which no thread of this process is going to commit. */
    public void heed(LeftClaims own) {
        left = own;
    }

    /**
     * Resolves a RESERVED word if its owner is dead; returns whether the word has changed.
     *
     * <p>In a map's log only the map's processes know what becomes of a dead writer's claim. So the claim stays as long as
     * any other process lives.
     */
    public boolean resolve(Segment segment, long offset, long word) {
        if (RecordWord.owner(word) == owner) {
            LeftClaims own = left;
            return own == null ? segment.wordAcquire(offset) != word : own.settle(segment, offset, word);
        }
        if (isOfAMap && Slots.anyAlive(control, locks, owner >>> 16)) {
            return segment.wordAcquire(offset) != word;
        }
        int slot = RecordWord.owner(word) >>> 16;
        if (isSucceeded(slot, word)) {
            steps.reached("recover.judged");
            settle(segment, offset, word);
            return true;
        }
        if (!locks.tryLockShared(LockFile.live(slot))) {
            return segment.wordAcquire(offset) != word;
        }
        try {
            steps.reached("recover.judged");
            settle(segment, offset, word);
        } finally {
            locks.unlock(LockFile.live(slot));
        }
        return true;
    }

    /** Returns whether another process has registered in the slot since: it got the LIVE byte, so the owner was dead. */
    private boolean isSucceeded(int slot, long word) {
        return (control.generationAcquire(slot) & 0xFFFF) != (RecordWord.owner(word) & 0xFFFF);
    }

    /** Turns the claim of a writer that is known to be dead into padding, or commits it if the layer above says so. */
    public void settle(Segment segment, long offset, long word) {
        int length = RecordWord.length(word);
        segment.next(offset, word);
        if (Words.compareAndSet(segment.memory, offset, word, settled(segment, offset, length))) {
            counters.add(LogCounter.RECOVERED_CLAIMS, 1);
        }
        steps.reached("recover.settled");
    }

    private long settled(Segment segment, long offset, int length) {
        long position = segment.position(offset);
        long payload = offset + RecordWord.BYTES;
        if (resolver.isWhole(segment.view, payload, length, position)) {
            int crc = control.integrity() == IntegrityMode.RECORD ? Crc32c.of(segment.memory, payload, length) : 0;
            return RecordWord.committed(segment.salt, position, length, crc);
        }
        return RecordWord.padding(segment.salt, position, length, RecordWord.KIND_ABANDONED);
    }

    Path path() {
        return locks.path();
    }
}
