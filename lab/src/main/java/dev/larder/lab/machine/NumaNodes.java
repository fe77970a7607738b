package dev.larder.lab.machine;

import dev.larder.cli.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The distribution of this process's resident pages over memory nodes. */
public final class NumaNodes {

    private static final Path SECOND_NODE = Path.of("/sys/devices/system/node/node1");
    private static final Path MAPS = Path.of("/proc/self/numa_maps");
    private static final Pattern NODE = Pattern.compile(" N(\\d+)=(\\d+)");
    private static final Pattern PAGE = Pattern.compile("kernelpagesize_kB=(\\d+)");

    private NumaNodes() {}

    /** Returns bytes by node, such as {@code {"0": 1048576, "1": 0}}; null on a machine with one node. */
    public static @Nullable Figures residentBytes() {
        if (!Files.exists(SECOND_NODE)) {
            return null;
        }
        try (Stream<String> lines = Files.lines(MAPS)) {
            return sum(lines);
        } catch (IOException e) {
            return null;
        }
    }

    /** Sums lines such as {@code 7f00 default file=... N0=12 N1=3 kernelpagesize_kB=4}. */
    public static Figures sum(Stream<String> lines) {
        Map<String, Long> bytes = new TreeMap<>();
        lines.forEach(line -> {
            Matcher page = PAGE.matcher(line);
            long pageBytes = page.find() ? Long.parseLong(page.group(1)) << 10 : 4096;
            Matcher node = NODE.matcher(line);
            while (node.find()) {
                bytes.merge(node.group(1), Long.parseLong(node.group(2)) * pageBytes, Long::sum);
            }
        });
        Figures figures = new Figures();
        bytes.forEach(figures::put);
        return figures;
    }
}
