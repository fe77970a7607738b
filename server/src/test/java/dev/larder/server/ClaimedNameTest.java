package dev.larder.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.server.stream.Group;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code XCLAIM} for a consumer whose name is refused. */
final class ClaimedNameTest {

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    /** Regression: the group had the last entry of the refused command. */
    @Test
    void itChangesNothing() {
        try (ServerFixture fixture = new ServerFixture(directory)) {
            TestClient client = fixture.client();
            client.line("XADD s 1-1 f v");
            client.line("XGROUP CREATE s g 0");
            String before = client.line("XINFO GROUPS s");
            String name = "c".repeat(Group.NAME_MAX_BYTES + 1);
            assertThat(client.line("XCLAIM s g " + name + " 0 1-1 LASTID 9-9")).contains("is too long");
            assertThat(client.line("XINFO GROUPS s")).isEqualTo(before);
            assertThat(client.line("XCLAIM s g c 0 1-1 LASTID 9-9")).isEqualTo("[]");
            assertThat(client.line("XINFO GROUPS s")).contains("9-9");
        }
    }
}
