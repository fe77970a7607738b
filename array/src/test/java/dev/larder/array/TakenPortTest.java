package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.memory.StorageException;
import dev.larder.tests.support.Effort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that cannot listen. Ratis by itself ends the process. */
@Tag(Effort.LONG)
final class TakenPortTest {

    private static final int NODE = 1;

    @TempDir
    Path directory;

    @Test
    void aNodeSaysWhichOfItsPortsIsTakenAndStartsLater() throws IOException {
        try (TestArray array = TestArray.made(directory, NODE)) {
            NodeAddresses addresses = array.addresses(NODE);
            for (InetSocketAddress address : List.of(addresses.raft(), addresses.links(), addresses.clients())) {
                try (ServerSocket taken = new ServerSocket(address.getPort(), 1, address.getAddress())) {
                    assertThatThrownBy(() -> array.start(NODE))
                            .isInstanceOf(StorageException.class)
                            .hasMessageContainingAll(
                                    "listen", Integer.toString(taken.getLocalPort()), "Address already in use");
                }
            }
            array.start(NODE);
            assertThat(array.running()).containsExactly(NODE);
        }
    }
}
