package dev.larder.array.campaign;

import dev.larder.array.ArrayNode;
import dev.larder.array.ArrayOptions;
import dev.larder.array.NodeAddresses;
import dev.larder.array.stripe.StoreStripe;
import dev.larder.server.Configuration;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.Store;
import dev.larder.server.store.ValueBuffer;
import dev.larder.server.stream.EntryFrame;
import dev.larder.server.stream.Stream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/**
 * A node of an array, in a process of its own.
 *
 * <pre>
 * create FOLDER NODE FOUNDERS WITNESSES N=HOST ...   makes the folder of a node, of an array with 0 or 1 witnesses a stripe
 * start FOLDER NODE FOUNDERS WITNESSES N=HOST ...    prints SERVES, then answers each line of its input, and ends with it
 *       leads              whether it leads the first stripe: true or false
 *       applied            the index of the last entry that is applied, of each stripe; -1 where it has no member
 *       clock MILLIS       sets the planted clock; answers with these milliseconds
 * content FOLDER STRIPE                     prints each key of a stripe, with its content, on a stopped node
 * </pre>
 *
 * The founders, node 0 and those after it, have made the array. Each stripe has three members. Any other node is named only in its own arguments. Every node listens on the ports that
 * {@link #address} gives, on a host of its own.
 */
final class NodeProgram {

    static final UUID ARRAY = new UUID(30, 4);
    static final int STRIPES = 2;

    /** The content of a stripe whose member is a witness. */
    static final String NO_STORE = "no-store";

    private static final int FOUNDERS_ARGUMENT = 3;
    private static final int WITNESSES_ARGUMENT = 4;
    private static final int MEMBERS = 3;
    private static final String CLOCK = "clock ";
    private static final long SEGMENT_BYTES = 4 << 20;
    private static final Duration LATER = Duration.ofMinutes(30);
    private static final Duration ELECTION_LEAST = Duration.ofMillis(1200);
    private static final Duration ELECTION_MOST = Duration.ofSeconds(2);
    private static final int PORTS = 3;
    private static final int SCAN_KEYS = 100;

    private NodeProgram() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "create" -> ArrayNode.create(options(folder, arguments));
            case "start" -> serve(options(folder, arguments));
            default ->
                content(folder, Integer.parseInt(arguments[2]))
                        .forEach((key, value) -> System.out.println(key + " " + value));
        }
    }

    private static SortedSet<Integer> founders(String[] arguments) {
        return new TreeSet<>(IntStream.range(0, Integer.parseInt(arguments[FOUNDERS_ARGUMENT]))
                .boxed()
                .toList());
    }

    private static ArrayOptions options(Path folder, String[] arguments) {
        Map<Integer, NodeAddresses> nodes = new HashMap<>();
        int witnesses = Integer.parseInt(arguments[WITNESSES_ARGUMENT]);
        for (int i = WITNESSES_ARGUMENT + 1; i < arguments.length; i++) {
            String[] parts = arguments[i].split("[=:]", -1);
            nodes.put(
                    Integer.valueOf(parts[0]),
                    new NodeAddresses(address(parts, 2), address(parts, 3), address(parts, 4)));
        }
        return ArrayOptions.of(ARRAY, Integer.parseInt(arguments[2]), nodes, folder)
                .withFounders(founders(arguments))
                .withStripes(STRIPES, MEMBERS - witnesses, witnesses)
                .withSegmentBytes(SEGMENT_BYTES)
                .withElection(ELECTION_LEAST, ELECTION_MOST);
    }

    static InetSocketAddress address(String[] parts, int port) {
        return new InetSocketAddress(parts[parts.length - PORTS - 1], Integer.parseInt(parts[port]));
    }

    private static void serve(ArrayOptions options) throws IOException {
        InetSocketAddress clients =
                Objects.requireNonNull(options.nodes().get(options.node())).clients();
        Configuration configuration = Configuration.defaults()
                .with("bind", clients.getHostString())
                .with("port", Integer.toString(clients.getPort()))
                .with(
                        "dir",
                        options.directory()
                                .resolveSibling("unused" + options.node())
                                .toString());
        try (ArrayNode node = ArrayNode.start(options, configuration);
                BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println("SERVES");
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                System.out.println(answer(node, line));
            }
        }
    }

    private static String answer(ArrayNode node, String line) {
        if (line.startsWith(CLOCK)) {
            String ahead = line.substring(CLOCK.length());
            PlantedClock.step(Long.parseLong(ahead));
            return ahead;
        }
        return line.equals("leads") ? Boolean.toString(node.isLeading(0)) : applied(node);
    }

    private static String applied(ArrayNode node) {
        return IntStream.range(0, STRIPES)
                .mapToObj(stripe -> Long.toString(node.appliedIndex(stripe)))
                .collect(Collectors.joining(","));
    }

    /**
     * Returns the content of a stripe's store on a stopped node, half an hour later: a lifetime of seconds has ended, and a cleaner
     * may have dropped the key or not.
     */
    static Map<String, String> content(Path folder, int stripe) {
        Map<String, String> content = new TreeMap<>();
        if (Files.exists(folder.resolve("stripes").resolve(stripe + ".witness"))) {
            content.put(NO_STORE, "");
            return content;
        }
        try (StoreStripe open = StoreStripe.open(
                folder.resolve("stripes").resolve(Integer.toString(stripe)),
                SEGMENT_BYTES,
                InstantSource.fixed(Instant.now().plus(LATER)),
                () -> {},
                cause -> {})) {
            read(open.stores().store(0), content);
        }
        return content;
    }

    private static void read(Store store, Map<String, String> content) {
        List<Bytes> keys = new ArrayList<>();
        long cursor = 0;
        do {
            cursor = store.keys().scan(cursor, SCAN_KEYS, key -> keys.add(key.copy()));
        } while (cursor != 0);
        ValueBuffer value = new ValueBuffer();
        for (Bytes key : keys) {
            if (store.holdsStream(key)) {
                content.put(key.toString(), entries(store, key));
            } else if (store.read(key, value) != Store.ABSENT) {
                content.put(key.toString(), value.bytes().toString());
            }
        }
    }

    private static String entries(Store store, Bytes key) {
        try (Stream stream = Objects.requireNonNull(store.stream(key))) {
            CRC32 entries = new CRC32();
            stream.forEach(stream.first(), stream.end(), Long.MAX_VALUE, (id, segment, offset) -> {
                entries.update(id.toString().getBytes(StandardCharsets.UTF_8));
                long at = EntryFrame.first(offset);
                for (int i = EntryFrame.count(segment, offset); i > 0; i--) {
                    at = EntryFrame.next(segment, at);
                }
                entries.update(segment.asSlice(offset, at - offset).asByteBuffer());
            });
            return entries.getValue() + " last " + stream.last() + ", added " + stream.added() + ", deleted "
                    + stream.greatestDeleted();
        }
    }
}
