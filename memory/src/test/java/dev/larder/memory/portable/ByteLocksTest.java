package dev.larder.memory.portable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The bytes that one file object holds, whatever the system does. */
final class ByteLocksTest {

    private final Set<Long> system = new HashSet<>();
    private boolean failing;

    /** The system grants a byte again to the same file object. */
    private final ByteLocks locks = new ByteLocks(this::grant, this::free);

    private boolean grant(long offset, boolean shared) {
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
