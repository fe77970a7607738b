package dev.larder.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The memory nodes of the machine (NUMA), as Linux shows them.
 *
 * <pre>
 * /sys/devices/system/node/has_memory    0-1,3     the nodes that have memory
 * /sys/devices/system/node/node0 ...               all nodes, without that file
 * </pre>
 */
public final class MemoryNodes {

    private static final Path SHOWN = Path.of("/sys/devices/system/node");
    private static final Pattern RANGE = Pattern.compile("(\\d{1,4})(?:-(\\d{1,4}))?");

    private MemoryNodes() {}

    /** Returns the numbers of the nodes that have memory; node 0 alone if the system does not say. */
    public static BitSet withMemory() {
        return withMemory(SHOWN);
    }

    static BitSet withMemory(Path shown) {
        BitSet nodes = list(shown.resolve("has_memory"));
        if (nodes.isEmpty()) {
            nodes = folders(shown);
        }
        if (nodes.isEmpty()) {
            nodes.set(0);
        }
        return nodes;
    }

    /** Reads numbers and ranges of numbers; empty if there is no such file, or it has other contents. */
    private static BitSet list(Path file) {
        BitSet nodes = new BitSet();
        try {
            for (String range :
                    Files.readString(file, StandardCharsets.US_ASCII).strip().split(",", -1)) {
                Matcher matcher = RANGE.matcher(range);
                if (!matcher.matches()) {
                    return new BitSet();
                }
                String last = matcher.group(2) == null ? matcher.group(1) : matcher.group(2);
                nodes.set(Integer.parseInt(matcher.group(1)), Integer.parseInt(last) + 1);
            }
            return nodes;
        } catch (IOException | IndexOutOfBoundsException e) {
            return new BitSet();
        }
    }

    private static BitSet folders(Path shown) {
        BitSet nodes = new BitSet();
        try (Stream<Path> entries = Files.list(shown)) {
            entries.map(entry -> String.valueOf(entry.getFileName()))
                    .filter(name -> name.matches("node\\d{1,4}"))
                    .forEach(name -> nodes.set(Integer.parseInt(name.substring("node".length()))));
        } catch (IOException e) {
            return new BitSet();
        }
        return nodes;
    }
}
