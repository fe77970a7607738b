package dev.larder.array.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.ratis.protocol.exceptions.ResourceUnavailableException;
import org.junit.jupiter.api.Test;

/** An entry that Ratis has appended may be committed, whatever Ratis answers. */
final class NotCommittedExceptionTest {

    private static NotCommittedException of(String what) {
        return new NotCommittedException(
                new ResourceUnavailableException("Failed to " + what + " in n0@group-1 for RaftClientRequest"));
    }

    @Test
    void shouldBeRefusedOnlyBeforeTheAppend() {
        NotCommittedException before = of("acquire a pending write request");
        assertThat(before.isRefused()).isTrue();
        assertThat(before.isBusy()).isTrue();
        NotCommittedException behind = of("add a pending write request");
        assertThat(behind.isRefused()).isFalse();
        assertThat(behind.isBusy()).isFalse();
    }
}
