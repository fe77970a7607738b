package dev.larder.array.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.junit.jupiter.api.Test;

/** A member whose log fails. */
final class StripeMachineTest {

    private final Register register = new Register(() -> {});
    private final AtomicInteger closes = new AtomicInteger();

    /** Returns an object whose methods all return the same, or count a call. */
    private static <T> T stub(Class<T> type, Runnable called, Object result) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    called.run();
                    return method.getReturnType().isInstance(result) ? result : null;
                }));
    }

    /** Regression: the member was neither reported as failed nor ended, and Ratis kept all later entries in the heap. */
    @Test
    void aMemberForWhoseEndNoThreadStartsHasFailedAndIsEndedLater() throws IOException {
        Executor none = end -> {
            throw new OutOfMemoryError("unable to create native thread");
        };
        List<Executor> threads = new ArrayList<>(List.of(none, Runnable::run));
        StripeMachine machine =
                new StripeMachine(register, end -> threads.removeFirst().execute(end));
        RaftServer.Division division = stub(RaftServer.Division.class, closes::incrementAndGet, "");
        machine.initialize(
                stub(RaftServer.class, () -> {}, division),
                RaftGroupId.valueOf(new UUID(8, 8)),
                stub(RaftStorage.class, () -> {}, ""));
        IOException cause = new IOException("injected");

        assertThatThrownBy(() -> machine.notifyLogFailed(cause, null)).isInstanceOf(OutOfMemoryError.class);
        assertThat(register.failures()).containsExactly(cause);
        assertThat(closes.get()).isZero();
        machine.notifyLogFailed(cause, null);
        assertThat(closes.get()).isOne();
        machine.notifyLogFailed(cause, null);
        assertThat(closes.get()).isOne();
    }
}
