package dev.larder.array.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.ratis.protocol.exceptions.ResourceUnavailableException;
import org.junit.jupiter.api.Test;

/** What Ratis' errors say of an entry. The texts are those of RaftServerImpl in Ratis 3.3.0. */
final class NotCommittedExceptionTest {

    private static NotCommittedException of(String text) {
        return new NotCommittedException(new ResourceUnavailableException(text));
    }

    @Test
    void anEntryThatGotNoPermitIsRefused() {
        NotCommittedException refused = of("n1@group-1: Failed to acquire a pending write request for request 7");
        assertThat(refused.isRefused()).isTrue();
        assertThat(refused.isBusy()).isTrue();
    }

    @Test
    void anEntryThatIsInTheLogIsNotRefused() {
        NotCommittedException unknown = of("n1@group-1: Failed to add a pending write request for request 7"
                + " Failed to acquire a pending write request for request 8");
        assertThat(unknown.isRefused()).isFalse();
        assertThat(unknown.isBusy()).isFalse();
    }
}
