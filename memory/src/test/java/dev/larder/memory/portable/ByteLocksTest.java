package dev.larder.memory.portable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The bytes that one file object holds, whatever the system does. */
final class ByteLocksTest {

    private final Set<Long> system = new HashSet<>();
    private final AtomicBoolean noted = new AtomicBoolean();
    private boolean failing;

    /** The system grants a byte again to the same file object. */
    private final ByteLocks locks = new ByteLocks(this::grant, this::free);

    private boolean grant(long offset, boolean shared) {
        if (failing) {
            throw new OutOfMemoryError("Java heap space");
        }
        noted.set(locks.isHeldAlone(offset, absent -> false));
        system.add(offset);
        return true;
    }

    private void free(long offset) {
        if (failing) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        system.remove(offset);
    }

    /** Regression: no thread of the process could hold the byte from then on. */
    @Test
    void aByteCanBeHeldAgainAfterAnUnlockThatFailed() {
        assertThat(locks.lock(1)).isTrue();
        assertThat(locks.lock(1)).isFalse();
        failing = true;
        assertThatThrownBy(() -> locks.unlock(1)).isInstanceOf(OutOfMemoryError.class);
        failing = false;
        assertThat(locks.lock(1)).isTrue();
        locks.unlock(1);
        assertThat(system).isEmpty();
    }

    /** Regression: where the note found no memory, the system kept a lock that no thread could free. */
    @Test
    void aByteIsNotedBeforeItIsLocked() {
        assertThat(locks.lock(1)).isTrue();
        assertThat(noted).isTrue();
    }

    @Test
    void aByteThatTheSystemRefusesWithAnErrorIsNotHeld() {
        failing = true;
        assertThatThrownBy(() -> locks.lock(1)).isInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(() -> locks.share(1)).isInstanceOf(OutOfMemoryError.class);
        failing = false;
        assertThat(locks.share(1)).isTrue();
        locks.unlock(1);
        assertThat(locks.lock(1)).isTrue();
    }

    @Test
    void onlyTheLastHolderFreesASharedByte() {
        assertThat(locks.share(1)).isTrue();
        assertThat(locks.share(1)).isTrue();
        assertThat(locks.lock(1)).isFalse();
        locks.unlock(1);
        assertThat(system).containsExactly(1L);
        locks.unlock(1);
        assertThat(system).isEmpty();
        locks.unlock(1);
        assertThat(locks.lock(1)).isTrue();
    }
}
