package dev.larder.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.tests.support.FreePorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The ports that tests give to servers. */
final class FreePortsTest {

    private static final Path RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");

    /** Most systems give ports from here on to connections; a machine may be told otherwise. */
    private static final int USUAL = 32_768;

    @Test
    void noPortIsGivenTwiceInARowOrIsTheSystems() throws IOException {
        int first = firstOfTheSystem();
        assumeTrue(first >= USUAL, "the system gives ports from " + first + " on to connections");
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            FreePorts.take(3).stream().map(InetSocketAddress::getPort).forEach(ports::add);
            ports.add(FreePorts.takeOne());
            int node = FreePorts.takeNode().getPort();
            ports.addAll(List.of(node, node + 10_000, node + 20_000));
        }
        assertThat(ports).doesNotHaveDuplicates().allMatch(port -> port < first);
    }

    private static int firstOfTheSystem() throws IOException {
        return Files.exists(RANGE)
                ? Integer.parseInt(Files.readAllLines(RANGE).getFirst().split("\\s+", -1)[0])
                : USUAL;
    }
}
