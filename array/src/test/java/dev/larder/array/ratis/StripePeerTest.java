package dev.larder.array.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.array.MemberName;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.apache.ratis.util.NetUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The addresses by which members of a stripe know each other. */
final class StripePeerTest {

    private static String stored(InetSocketAddress address) {
        return new StripePeer(new MemberName(1, 0), address, false).toPeer().getAddress();
    }

    /** Regression: an address became a name that perhaps its own node alone can resolve. */
    @Test
    void anAddressStaysAsItWasGiven() {
        InetSocketAddress given = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 17000);
        assertThat(stored(given)).isEqualTo("127.0.0.1:17000");
        assertThat(given.getHostString()).isEqualTo("127.0.0.1");
    }

    @Test
    void aNameStays() {
        assertThat(stored(InetSocketAddress.createUnresolved("a.example", 17000)))
                .isEqualTo("a.example:17000");
    }

    /** Ratis reads it back. */
    @ParameterizedTest
    @CsvSource({"127.0.0.1, 127.0.0.1:17000", "::1, [0:0:0:0:0:0:0:1]:17000"})
    void ratisFindsTheSameAddress(String host, String text) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.ofLiteral(host), 17000);
        assertThat(stored(address)).isEqualTo(text);
        assertThat(NetUtils.createSocketAddr(text)).isEqualTo(address);
    }
}
