package dev.larder.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The errors that end a transaction, and those that do not. */
final class TransactionTest {

    private static final String DISCARDED = "EXECABORT Transaction discarded because of previous errors.";

    @TempDir
    private Path directory;

    private ServerFixture fixture;

    @BeforeEach
    void start() {
        fixture = new ServerFixture(directory);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void aNestedTransactionIsRefusedAndTheOuterOneRuns() {
        TestClient client = fixture.client();
        client.line("MULTI");
        assertThat(client.line("MULTI")).isEqualTo("ERR MULTI calls can not be nested");
        assertThat(client.line("SET a 1")).isEqualTo("QUEUED");
        assertThat(client.line("WATCH a")).isEqualTo("ERR WATCH inside MULTI is not allowed");
        assertThat(client.line("EXEC")).isEqualTo("[OK]");
        assertThat(client.line("GET a")).isEqualTo("1");
    }

    @Test
    void aRefusedCommandEndsTheTransaction() {
        TestClient client = fixture.client();
        for (String refused : new String[] {"NOTHING", "GET", "WATCH"}) {
            client.line("MULTI");
            client.line("SET a 2");
            assertThat(client.line(refused)).startsWith("ERR ");
            assertThat(client.line("EXEC")).isEqualTo(DISCARDED);
            assertThat(client.line("GET a")).isEqualTo("nil");
        }
    }

    /** The reasons have the words of Redis 7.0.15. */
    @Test
    void anEndThatIsRefusedDiscardsTheTransaction() {
        TestClient client = fixture.client();
        TestClient operator = fixture.client();
        String because = "EXECABORT Transaction discarded because of: ";
        client.line("MULTI");
        client.line("SET a 1");
        assertThat(client.line("EXEC now")).isEqualTo(because + "wrong number of arguments for 'exec' command");
        assertThat(client.line("EXEC")).isEqualTo("ERR EXEC without MULTI");
        operator.line("ACL SETUSER joe on nopass +@all ~* &* -exec");
        client.line("AUTH joe x");
        client.line("MULTI");
        client.line("SET a 1");
        assertThat(client.line("EXEC"))
                .isEqualTo(because + "NOPERM this user has no permissions to run the 'exec' command");
        assertThat(client.line("DISCARD")).isEqualTo("ERR DISCARD without MULTI");
        assertThat(client.line("GET a")).isEqualTo("nil");
    }
}
