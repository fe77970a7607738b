package dev.larder.server.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.server.push.BrokenRedirect;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a client's loop learns what has arrived. */
final class InboxTest {

    private final List<Runnable> tasks = new ArrayList<>();
    private boolean full = true;

    /** Returns a connection of which only the tasks of its loop are known. */
    private Link link() {
        return (Link) Proxy.newProxyInstance(
                Link.class.getClassLoader(), new Class<?>[] {Link.class}, (proxy, method, arguments) -> {
                    if (full) {
                        throw new OutOfMemoryError("no room for a task");
                    }
                    tasks.add((Runnable) arguments[0]);
                    return null;
                });
    }

    @Test
    void aLoopThatCouldNotBeWokenIsWokenByTheNextPush() {
        List<Object> taken = new ArrayList<>();
        Inbox[] inbox = new Inbox[1];
        inbox[0] = new Inbox(link(), bytes -> true, () -> inbox[0].drain(taken::add));
        assertThatThrownBy(() -> inbox[0].take(new BrokenRedirect(1))).isInstanceOf(OutOfMemoryError.class);
        full = false;
        inbox[0].take(new BrokenRedirect(2));
        tasks.forEach(Runnable::run);
        assertThat(taken).containsExactly(new BrokenRedirect(1), new BrokenRedirect(2));
    }
}
