package dev.larder.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.server.command.Call;
import dev.larder.server.command.Database;
import dev.larder.server.store.Bytes;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The messages about keys that were evicted before a command. */
@Timeout(60)
final class EvictionMessagesTest {

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    private @Nullable LarderServer server;

    /** A database that evicts a key before the command that names it, and then cannot run that. */
    private final class EvictingDatabase extends DelegatingDatabase {

        private boolean evicts;

        EvictingDatabase(Database inner) {
            super(inner);
        }

        @Override
        public MemoryState keepWithinMemory() {
            if (!evicts) {
                return super.keepWithinMemory();
            }
            Objects.requireNonNull(server).node().channels().publish(Bytes.of("evictions"), Bytes.of("gone"));
            return MemoryState.EVICTED;
        }

        @Override
        public boolean run(Call call) {
            if (call.request().text(1).equals("begin")) {
                evicts = true;
            }
            if (call.request().text(1).equals("wrong")) {
                call.reply().array(3);
                throw new IllegalStateException("a mistake");
            }
            return super.run(call);
        }
    }

    /** Regression: the error of the command took the place of the messages, so the client kept copies of evicted keys. */
    @Test
    void theErrorOfTheCommandLeavesThem() {
        ServerOptions options =
                ServerOptions.of(directory).withPort(0).withLoops(1).withSegmentBytes(4 << 20);
        try (LarderServer started = LarderServer.start(options, EvictingDatabase::new);
                TestClient client = new TestClient(started.port())) {
            server = started;
            client.line("HELLO 3");
            assertThat(client.line("SUBSCRIBE evictions")).isEqualTo(">[subscribe, evictions, 1]");
            assertThat(client.line("GET begin")).isEqualTo("nil");
            assertThat(client.line("GET wrong")).isEqualTo(">[message, evictions, gone]");
            assertThat(client.reply()).isEqualTo("ERR internal error: java.lang.IllegalStateException: a mistake");
        }
    }
}
