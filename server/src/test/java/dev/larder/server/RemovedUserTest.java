package dev.larder.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.server.command.Call;
import dev.larder.server.command.Database;
import dev.larder.server.command.NotReadyException;
import dev.larder.server.session.Session;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client whose user was removed runs nothing more, whatever it has sent before. */
@Timeout(60)
final class RemovedUserTest {

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch read = new CountDownLatch(1);
    private final CountDownLatch prepared = new CountDownLatch(1);

    /** A database that reads the key {@code cold} from the disk before it is written, as soon as the test lets it. */
    private final class HeldKey extends DelegatingDatabase {

        HeldKey(Database inner) {
            super(inner);
        }

        @Override
        public boolean run(Call call) {
            boolean cold = call.command().name().equals("set")
                    && call.request().text(1).equals("cold");
            if (cold && prepared.getCount() > 0) {
                throw new NotReadyException(() -> await(read), false);
            }
            return super.run(call);
        }

        @Override
        public void prepare(NotReadyException met, List<Upcoming> next, Commit done) {
            begun.countDown();
            super.prepare(met, next, error -> {
                done.done(error);
                prepared.countDown();
            });
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) { // the server stops
            Thread.currentThread().interrupt();
        }
    }

    /** Returns a reply, or that the server has closed the connection, where it may not have read all requests. */
    private static String replyOrEnd(TestClient client) {
        try {
            return client.reply();
        } catch (UncheckedIOException e) {
            return "closed";
        }
    }

    /** Regression: a command that waited for the disk, and those behind it, ran with the rights of the removed user. */
    @Test
    void aCommandThatWaitedForTheDiskDoesNotRun() {
        ServerOptions options =
                ServerOptions.of(directory).withPort(0).withLoops(2).withSegmentBytes(4 << 20);
        try (LarderServer server = LarderServer.start(options, HeldKey::new);
                TestClient bob = new TestClient(server.port());
                TestClient operator = new TestClient(server.port())) {
            operator.line("ACL SETUSER bob on nopass ~* +@all");
            bob.line("AUTH bob x");
            Session session = server.node().sessions().values().stream()
                    .filter(one -> one.authority().user().name().equals("bob"))
                    .findFirst()
                    .orElseThrow();
            bob.send("SET", "cold", "v");
            bob.send("SET", "k", "v");
            await(begun);
            CountDownLatch removed = new CountDownLatch(1);
            session.link().execute(() -> await(removed)); // its loop finds the record before the end of the session
            read.countDown();
            await(prepared);
            assertThat(operator.line("ACL DELUSER bob")).isEqualTo("1");
            removed.countDown();
            assertThat(replyOrEnd(bob)).isEqualTo("closed");
            assertThat(operator.line("GET cold")).isEqualTo("nil");
            assertThat(operator.line("GET k")).isEqualTo("nil");
        }
    }
}
