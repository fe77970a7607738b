package dev.larder.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.tests.support.FreePorts;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The ports that tests give to servers. */
final class FreePortsTest {

    private static final int SYSTEM = 32_768; // from this number on, Linux gives ports to connections

    @Test
    void noPortIsGivenTwiceInARowOrIsTheSystems() {
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            FreePorts.take(3).stream().map(InetSocketAddress::getPort).forEach(ports::add);
            ports.add(FreePorts.takeOne());
            int node = FreePorts.takeNode().getPort();
            ports.addAll(List.of(node, node + 10_000, node + 20_000));
        }
        assertThat(ports).doesNotHaveDuplicates().allMatch(port -> port < SYSTEM);
    }
}
