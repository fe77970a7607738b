package dev.larder.arraycli.state;

import dev.larder.array.NodeAddresses;
import dev.larder.cli.HostAndPort;
import dev.larder.memory.LarderException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The lines of a file that describes an array. Each must be known, and have a value that can be understood. */
final class DescriptionLines {

    static final String VERSION = "version";
    static final String ARRAY = "array";
    static final String STRIPES = "stripes";
    static final String MIRRORS = "mirrors";
    static final String WITNESSES = "witnesses";
    static final String SEGMENT_BYTES = "segment-bytes";
    static final String FOUNDERS = "founders";
    static final String RESTORED = "restored";
    static final String VALUES_ONCE = "values-once";

    private static final String PORTS = "a port is 1 to 65535";

    private static final Pattern NODE = Pattern.compile("node\\.(\\d{1,5})\\.(clients|raft|links|tls-port|tls-only)");
    private static final Pattern OTHER = Pattern.compile(String.join(
            "|", VERSION, ARRAY, STRIPES, MIRRORS, WITNESSES, SEGMENT_BYTES, FOUNDERS, RESTORED, VALUES_ONCE));

    private final Path file;
    private final Properties lines;

    DescriptionLines(Path file, Properties lines) {
        this.file = file;
        this.lines = lines;
    }

    ArrayDescription description(String version) {
        String found = line(VERSION);
        if (!found.equals(version)) {
            throw wrong(VERSION, found, "this larder reads version " + version);
        }
        SortedMap<Integer, NodeAddresses> nodes = nodes();
        UUID array = value(ARRAY, UUID::fromString, "it is not a UUID");
        int stripes = value(STRIPES, Integer::parseInt, "it is not a whole number");
        int mirrors = value(MIRRORS, Integer::parseInt, "it is not a whole number");
        int witnesses =
                lines.containsKey(WITNESSES) ? value(WITNESSES, Integer::parseInt, "it is not a whole number") : 0;
        long segmentBytes = value(SEGMENT_BYTES, Long::parseLong, "it is not a whole number");
        SortedSet<Integer> founders = value(FOUNDERS, DescriptionLines::numbers, "it is not a list of nodes' numbers");
        Optional<UUID> restored = lines.containsKey(RESTORED)
                ? Optional.of(value(RESTORED, UUID::fromString, "it is not a UUID"))
                : Optional.empty();
        boolean valuesOnce = isTrue(VALUES_ONCE);
        try {
            return new ArrayDescription(
                    array, stripes, mirrors, witnesses, segmentBytes, valuesOnce, founders, nodes, restored);
        } catch (IllegalArgumentException e) {
            throw new LarderException(file + ": " + e.getMessage(), e);
        }
    }

    private static boolean parseBoolean(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(text);
        };
    }

    private static SortedSet<Integer> numbers(String text) {
        return Stream.of(text.split(",", -1)).map(Integer::valueOf).collect(Collectors.toCollection(TreeSet::new));
    }

    private SortedMap<Integer, NodeAddresses> nodes() {
        SortedMap<Integer, NodeAddresses> nodes = new TreeMap<>();
        for (String key : new TreeSet<>(lines.stringPropertyNames())) {
            Matcher node = NODE.matcher(key);
            if (node.matches()) {
                String name = "node." + node.group(1) + ".";
                nodes.putIfAbsent(Integer.parseInt(node.group(1)), addresses(name));
            } else if (!OTHER.matcher(key).matches()) {
                throw wrong(key, line(key), "there is no such key");
            }
        }
        return nodes;
    }

    private NodeAddresses addresses(String name) {
        NodeAddresses addresses =
                new NodeAddresses(address(name + "clients"), address(name + "raft"), address(name + "links"));
        String tlsPort = name + "tls-port";
        boolean isTlsOnly = isTrue(name + "tls-only");
        if (!lines.containsKey(tlsPort)) {
            if (isTlsOnly) {
                throw wrong(name + "tls-only", "true", "it needs a " + tlsPort);
            }
            return addresses;
        }
        int port = value(tlsPort, Integer::parseInt, "it is not a whole number");
        try {
            NodeAddresses all = addresses.withTlsPort(OptionalInt.of(port));
            return isTlsOnly ? all.withTlsOnly() : all;
        } catch (IllegalArgumentException e) {
            throw wrong(tlsPort, line(tlsPort), PORTS);
        }
    }

    /** Returns whether a line that may be missing says true. */
    private boolean isTrue(String key) {
        return lines.containsKey(key) && value(key, DescriptionLines::parseBoolean, "it is neither true nor false");
    }

    private InetSocketAddress address(String key) {
        InetSocketAddress address = value(key, HostAndPort::parse, "it is not HOST:PORT");
        if (address.getPort() == 0) {
            throw wrong(key, line(key), PORTS);
        }
        return address; // its host may be gone: the node is then removed
    }

    private <T> T value(String key, Function<String, T> parse, String reason) {
        String text = line(key);
        try {
            return parse.apply(text);
        } catch (IllegalArgumentException e) {
            throw wrong(key, text, reason);
        }
    }

    private String line(String key) {
        String text = lines.getProperty(key);
        if (text == null) {
            throw new LarderException(file + ": " + key + " is missing");
        }
        return text.strip();
    }

    private LarderException wrong(String key, String value, String reason) {
        return new LarderException(file + ": " + key + "=" + value + ": " + reason);
    }
}
