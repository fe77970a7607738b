package dev.larder.server.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.resp.Request;
import dev.larder.server.ServerFixture;
import dev.larder.server.session.Session;
import dev.larder.server.session.SessionHandler;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code SHUTDOWN} of a server that has no room for a thread at first. */
@Timeout(60)
final class ShutdownTest {

    @TempDir
    private Path directory;

    private final CountDownLatch stopped = new CountDownLatch(1);
    private int attempts;

    private Thread thread(Runnable work) {
        return attempts++ == 0
                ? new Thread(work) {
                    @Override
                    public void start() {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                }
                : new Thread(work);
    }

    /** Regression: the server took the second one for a repetition of the first, for ever. */
    @Test
    void itWorksOnceAThreadCanBeStarted() throws InterruptedException {
        NodeData none = new NodeData(List::of, List::of, path -> {}, active -> {});
        SessionHandler shutdown =
                Objects.requireNonNull(new ServerCommands(stopped::countDown, new Checkpoints(none), this::thread)
                        .all()
                        .get("shutdown"));
        Request request = Request.of(
                List.of("SHUTDOWN".getBytes(StandardCharsets.US_ASCII), "NOSAVE".getBytes(StandardCharsets.US_ASCII)));
        try (ServerFixture fixture = new ServerFixture(directory)) {
            fixture.client().line("PING");
            Session session = fixture.node().sessions().values().iterator().next();
            assertThatThrownBy(() -> shutdown.run(session, request)).isInstanceOf(OutOfMemoryError.class);
            assertThat(stopped.getCount()).isOne();
            shutdown.run(session, request);
            assertThat(stopped.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }
}
