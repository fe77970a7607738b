package dev.larder.server.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.resp.Request;
import dev.larder.server.ServerFixture;
import dev.larder.server.config.Settings;
import dev.larder.server.session.Session;
import dev.larder.server.session.SessionHandler;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code LATENCY LATEST} while another client resets what it shows. */
@Timeout(60)
final class LatestLatencyTest {

    private static final int ROUNDS = 200_000;

    @TempDir
    private Path directory;

    private final LatencyMonitor monitor = new LatencyMonitor(new Settings());

    private void showOften(Session session, CompletableFuture<Void> done) {
        SessionHandler latest =
                Objects.requireNonNull(new LatencyCommands(monitor).all().get("latency|latest"));
        Request request = Request.of(List.of("LATENCY".getBytes(StandardCharsets.US_ASCII)));
        int before = session.reply().output().sizeBytes();
        try {
            for (int i = 0; i < ROUNDS; i++) {
                latest.run(session, request);
                session.reply().output().truncate(before);
            }
            done.complete(null);
        } catch (RuntimeException e) {
            session.reply().output().truncate(before);
            done.completeExceptionally(e);
        }
    }

    /** Regression: a kind that was reset meanwhile made the reply an internal error. */
    @Test
    void aKindThatIsResetMeanwhileIsShownOrNot() throws Exception {
        try (ServerFixture fixture = new ServerFixture(directory)) {
            fixture.client().line("PING");
            Session session = fixture.node().sessions().values().iterator().next();
            CompletableFuture<Void> done = new CompletableFuture<>();
            session.link().execute(() -> showOften(session, done));
            while (!done.isDone()) {
                monitor.add("command", 2_000_000);
                monitor.forget("command");
            }
            assertThat(done).succeedsWithin(1, TimeUnit.SECONDS);
        }
    }

    @Test
    void itShowsTheLastAndTheWorst() {
        monitor.add("command", 2_000_000);
        monitor.add("fast-command", 7_000_000);
        assertThat(monitor.latest().stream().map(one -> one.kind() + one.last().millis() + one.worst()))
                .containsExactly("command22", "fast-command77");
    }
}
