package dev.larder.server.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.server.ServerFixture;
import dev.larder.server.TestClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients of other hosts are refused while the default user needs no password. Here they come by another address of this host. */
final class ProtectedModeTest {

    @TempDir
    private Path directory;

    private ServerFixture fixture;
    private InetAddress outside;

    @BeforeEach
    void start() throws SocketException, UnknownHostException {
        Optional<InetAddress> address = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(one -> one instanceof Inet4Address && !one.isLoopbackAddress())
                .findFirst();
        assumeTrue(address.isPresent(), "this host has no address but loopback");
        outside = address.orElseThrow();
        List<InetAddress> any = List.of(InetAddress.getByName("0.0.0.0"));
        fixture = new ServerFixture(directory, options -> options.withAddresses(any));
    }

    @AfterEach
    void stop() {
        if (fixture != null) { // else there is no other address
            fixture.close();
        }
    }

    private TestClient fromOutside() {
        try {
            return new TestClient(new Socket(outside, fixture.server().port()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void othersAreRefusedUntilThereIsAPasswordOrNoProtection() {
        TestClient local = fixture.client();
        try (TestClient client = fromOutside()) {
            assertThat(client.reply()).startsWith("DENIED Redis is running in protected mode");
        }
        assertThat(local.line("PING")).isEqualTo("PONG");
        assertThat(local.line("CONFIG SET protected-mode no")).isEqualTo("OK");
        try (TestClient client = fromOutside()) {
            assertThat(client.line("PING")).isEqualTo("PONG");
            assertThat(client.line("BGSAVE TO " + directory.resolve("backup")))
                    .isEqualTo("ERR BGSAVE TO is for clients on the server's machine");
        }
        assertThat(local.line("CONFIG SET protected-mode yes requirepass secret"))
                .isEqualTo("OK");
        try (TestClient client = fromOutside()) {
            assertThat(client.line("PING")).startsWith("NOAUTH");
            assertThat(client.line("AUTH secret")).isEqualTo("OK");
            assertThat(client.line("PING")).isEqualTo("PONG");
        }
    }
}
