package dev.larder.array.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The network of the campaign: a cut loses packets, in one direction alone. */
final class NamespacesTest {

    private static final int PORT = 5000;
    private static final int CONNECT_MILLIS = 500;

    private final Namespaces network;

    NamespacesTest() {
        assumeTrue(Namespaces.missing().isEmpty(), Namespaces.missing());
        network = new Namespaces(2);
    }

    /** Connects from the clients' namespace to a node; returns whether that was possible. */
    private boolean reaches(int node) {
        return OtherThread.call(() -> {
                    network.enter();
                    try (Socket socket = new Socket()) {
                        socket.connect(new InetSocketAddress(Namespaces.host(node), PORT), CONNECT_MILLIS);
                        return true;
                    } catch (IOException e) {
                        return false;
                    }
                })
                .join();
    }

    @Test
    void shouldLosePacketsOfOneDirection() throws Exception {
        Future<ServerSocket> listening = OtherThread.call(() -> {
            network.enter(0);
            try {
                return new ServerSocket(PORT);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try (network;
                ServerSocket server = listening.get(1, TimeUnit.MINUTES)) {
            assertThat(server.isBound()).isTrue();
            assertThat(reaches(0)).isTrue();
            assertThat(reaches(1)).isFalse();
            network.cut(2, 0); // the clients are number 2
            assertThat(reaches(0)).isFalse();
            network.heal();
            assertThat(reaches(0)).isTrue();
            network.cut(0, 2);
            assertThat(reaches(0)).isFalse();
            network.cut(0, 1);
            network.heal();
            assertThat(reaches(0)).isTrue();
        }
    }
}
