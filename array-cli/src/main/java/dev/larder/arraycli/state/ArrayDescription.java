package dev.larder.arraycli.state;

import dev.larder.array.ArrayOptions;
import dev.larder.array.MemberName;
import dev.larder.array.NodeAddresses;
import dev.larder.memory.LarderException;
import dev.larder.memory.StorageException;
import java.io.IOException;
import java.io.Reader;
import java.net.InetSocketAddress;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The settings of an array on which its nodes and clients must agree. They are stored in a file, of which each node has a copy;
 * see {@code docs/formats/array.md}.
 *
 * @param array the identity of the array
 * @param stripes how many stripes it has
 * @param mirrors how many nodes keep each stripe
 * @param witnesses how many other nodes have the log of each stripe, and vote
 * @param segmentBytes the size that segments of the stores grow to
 * @param valuesOnce whether large values are written only to the stores, and not to the Raft logs
 * @param founders the nodes with which the array was made
 * @param nodes the addresses of the nodes, by number
 * @param restored the identity of the backup from which its founders are made; empty for an array that begins empty
 */
public record ArrayDescription(
        UUID array,
        int stripes,
        int mirrors,
        int witnesses,
        long segmentBytes,
        boolean valuesOnce,
        SortedSet<Integer> founders,
        SortedMap<Integer, NodeAddresses> nodes,
        Optional<UUID> restored) {

    private static final String VERSION = "1";
    private static final int MIRRORS = 3;

    private static final int PORT_MAX = 65_535;

    /** How far the ports for Raft and for links are above the port for clients. */
    private static final int RAFT_PORT_OFFSET = 10_000;

    private static final int LINKS_PORT_OFFSET = 20_000;

    /**
     * The offset of the port for TLS clients. It is smaller: from 32,768 on, Linux gives ports to connections, so they may be
     * taken.
     */
    private static final int TLS_PORT_OFFSET = 5_000;

    /** Creates a description; the numbers must be in their ranges. */
    public ArrayDescription {
        nodes = new TreeMap<>(nodes);
        founders = new TreeSet<>(founders);
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("an array has at least one node");
        }
        ArrayOptions options = ArrayOptions.of(array, nodes.firstKey(), nodes, Path.of(""));
        options.withStripes(stripes, 1)
                .withFounders(founders)
                .withStripes(stripes, mirrors, witnesses)
                .withValuesOnce(valuesOnce);
        requireDifferent(nodes);
    }

    private static void requireDifferent(SortedMap<Integer, NodeAddresses> nodes) {
        Map<InetSocketAddress, String> uses = new HashMap<>();
        nodes.forEach((node, addresses) -> {
            MemberName name = new MemberName(node, 0); // checks that the number is in its range
            requireFree(uses, addresses.clients(), "node." + name.node() + ".clients");
            requireFree(uses, addresses.raft(), "node." + name.node() + ".raft");
            requireFree(uses, addresses.links(), "node." + name.node() + ".links");
            addresses
                    .clients(true)
                    .ifPresent(address -> requireFree(uses, address, "node." + name.node() + ".tls-port"));
        });
    }

    private static void requireFree(Map<InetSocketAddress, String> uses, InetSocketAddress address, String use) {
        String other = uses.put(address, use);
        if (other != null) {
            throw new IllegalArgumentException(other + " and " + use + " are both " + text(address));
        }
    }

    /** Describes a new array whose nodes are numbered from 0 on: as many stripes as nodes, each on three of them. */
    public static ArrayDescription of(UUID array, List<NodeAddresses> addresses) {
        SortedMap<Integer, NodeAddresses> nodes = new TreeMap<>();
        addresses.forEach(one -> nodes.put(nodes.size(), one));
        long segmentBytes = ArrayOptions.of(array, 0, nodes, Path.of("")).segmentBytes();
        return new ArrayDescription(
                array,
                nodes.size(),
                Math.min(MIRRORS, nodes.size()),
                0,
                segmentBytes,
                false,
                new TreeSet<>(nodes.keySet()),
                nodes,
                Optional.empty());
    }

    /** Returns a copy with other numbers of stripes, mirrors and witnesses. */
    public ArrayDescription with(int stripeCount, int mirrorCount, int witnessCount) {
        return new ArrayDescription(
                array, stripeCount, mirrorCount, witnessCount, segmentBytes, valuesOnce, founders, nodes, restored);
    }

    /** Returns a copy with another {@link #segmentBytes}. */
    public ArrayDescription withSegmentBytes(long bytes) {
        return new ArrayDescription(array, stripes, mirrors, witnesses, bytes, valuesOnce, founders, nodes, restored);
    }

    /** Returns a copy with another {@link #valuesOnce}. */
    public ArrayDescription withValuesOnce(boolean once) {
        return new ArrayDescription(array, stripes, mirrors, witnesses, segmentBytes, once, founders, nodes, restored);
    }

    /** Returns a copy of an array whose founders are made from a backup. */
    public ArrayDescription withRestored(UUID backup) {
        return new ArrayDescription(
                array, stripes, mirrors, witnesses, segmentBytes, valuesOnce, founders, nodes, Optional.of(backup));
    }

    /**
     * Returns the addresses of a node, derived from its address for clients: the other two ports are 10,000 and 20,000 higher.
     *
     * @throws IllegalArgumentException if the host is unknown, or a port would be too high
     */
    public static NodeAddresses addresses(InetSocketAddress clients) {
        if (clients.isUnresolved()) { // the other two would be addresses of every host
            throw new IllegalArgumentException("the host of " + text(clients) + " is not known");
        }
        return new NodeAddresses(clients, above(clients, RAFT_PORT_OFFSET), above(clients, LINKS_PORT_OFFSET));
    }

    /** Returns the same addresses, with the port for TLS clients 5,000 above the port for other clients. */
    public static NodeAddresses withTlsPort(NodeAddresses addresses) {
        return addresses.withTlsPort(OptionalInt.of(addresses.clients().getPort() + TLS_PORT_OFFSET));
    }

    private static InetSocketAddress above(InetSocketAddress clients, int offset) {
        int most = PORT_MAX - LINKS_PORT_OFFSET;
        if (clients.getPort() < 1 || clients.getPort() > most) {
            throw new IllegalArgumentException("port " + clients.getPort() + " is not within 1 and " + most
                    + ": a node also takes the ports that are 10000 and 20000 higher");
        }
        return new InetSocketAddress(clients.getAddress(), clients.getPort() + offset);
    }

    /**
     * Returns the options of a node.
     *
     * @throws LarderException if the array has no node of this number
     */
    public ArrayOptions options(int node, Path directory) {
        if (!nodes.containsKey(node)) {
            throw new LarderException("node " + node + " is not one of " + nodes.keySet());
        }
        return ArrayOptions.of(array, node, nodes, directory)
                .withStripes(stripes, 1)
                .withFounders(founders)
                .withStripes(stripes, mirrors, witnesses)
                .withSegmentBytes(segmentBytes)
                .withValuesOnce(valuesOnce);
    }

    /**
     * Reads a file.
     *
     * @throws LarderException if it cannot be read, or a value is missing or wrong; the message names the file, the key and the
     *     value
     */
    public static ArrayDescription read(Path file) {
        Properties lines = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            lines.load(in);
        } catch (IOException e) {
            throw new StorageException(file + ": " + e, e);
        } catch (IllegalArgumentException e) { // a broken escape
            throw new LarderException(file + ": " + e.getMessage(), e);
        }
        return new DescriptionLines(file, lines).description(VERSION);
    }

    /**
     * Writes a new file durably.
     *
     * @throws LarderException if the file exists, or cannot be written
     */
    public void write(Path file) {
        try {
            ReplacedFile.write(file, text(), StandardOpenOption.CREATE_NEW);
            ReplacedFile.syncFolder(file);
        } catch (FileAlreadyExistsException e) {
            throw new LarderException(file + " exists already; init does not overwrite it", e);
        } catch (IOException e) {
            throw new StorageException(file + ": " + e, e);
        }
    }

    /**
     * Replaces a file as a whole, durably. The new one has the permissions of the old one, and its owner and group where the
     * system allows that.
     *
     * @throws LarderException if it cannot be written
     */
    public void replace(Path file) {
        Path next = file.resolveSibling(file.getFileName() + ".tmp");
        try {
            ReplacedFile.createLike(file, next);
            ReplacedFile.write(next, text(), StandardOpenOption.WRITE);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
            ReplacedFile.syncFolder(file);
        } catch (IOException e) {
            throw new StorageException(file + ": " + e, e);
        }
    }

    /** Returns a copy with other nodes. */
    public ArrayDescription withNodes(SortedMap<Integer, NodeAddresses> others) {
        return new ArrayDescription(
                array, stripes, mirrors, witnesses, segmentBytes, valuesOnce, founders, others, restored);
    }

    /** Returns the file's text. */
    public String text() {
        List<String> lines = new ArrayList<>();
        lines.add("# An array of Larder servers. Each node has a copy of this file; see docs/formats/array.md.");
        lines.add(DescriptionLines.VERSION + "=" + VERSION);
        lines.add(DescriptionLines.ARRAY + "=" + array);
        lines.add(DescriptionLines.STRIPES + "=" + stripes);
        lines.add(DescriptionLines.MIRRORS + "=" + mirrors);
        if (witnesses > 0) {
            lines.add(DescriptionLines.WITNESSES + "=" + witnesses);
        }
        lines.add(DescriptionLines.SEGMENT_BYTES + "=" + segmentBytes);
        lines.add(DescriptionLines.FOUNDERS + "="
                + founders.stream().map(String::valueOf).collect(Collectors.joining(",")));
        if (valuesOnce) {
            lines.add(DescriptionLines.VALUES_ONCE + "=true");
        }
        restored.ifPresent(backup -> lines.add(DescriptionLines.RESTORED + "=" + backup));
        nodes.forEach((node, addresses) -> {
            lines.add("node." + node + ".clients=" + text(addresses.clients()));
            lines.add("node." + node + ".raft=" + text(addresses.raft()));
            lines.add("node." + node + ".links=" + text(addresses.links()));
            addresses.tlsPort().ifPresent(port -> lines.add("node." + node + ".tls-port=" + port));
            if (addresses.tlsOnly()) {
                lines.add("node." + node + ".tls-only=true");
            }
        });
        return String.join("\n", lines) + "\n";
    }

    /** Returns an address as {@code HOST:PORT}. */
    public static String text(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }
}
