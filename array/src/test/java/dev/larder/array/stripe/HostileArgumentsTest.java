package dev.larder.array.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.array.entry.Entry;
import dev.larder.array.entry.EntryCall;
import dev.larder.array.entry.Operation;
import dev.larder.array.entry.Replies;
import dev.larder.array.stripe.StripeState.Place;
import dev.larder.resp.Command;
import dev.larder.resp.CommandTable;
import dev.larder.resp.Request;
import dev.larder.server.command.Commands;
import dev.larder.tests.support.Effort;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever a client sends, an entry that holds it is applied: each command has a reply, and all mirrors have the same. An entry
 * that throws stops all mirrors, and each start of them.
 */
final class HostileArgumentsTest {

    private static final long MILLIS = 1_900_000_000_000L;

    private static final int REQUEST_BYTES = 1 << 20;

    /** The polynomial of a dump's checksum: CRC-64 as in Redis. */
    private static final long CRC_POLYNOMIAL = 0x95AC9329AC4BC9B5L;

    /** The content before each command, so that the command gets far. */
    private static final List<String> CONTENT = List.of(
            "SET string value",
            "SET number 10 PX 100000000",
            "DEL stream other new",
            "XADD stream 1-1 field value",
            "XADD stream 2-1 field value other more",
            "XADD stream 3-1 field value",
            "XADD stream IDMP producer one * field value",
            "XGROUP CREATE stream group 0",
            "XREADGROUP GROUP group consumer COUNT 2 STREAMS stream >",
            "XADD other 1-1 field value");

    /** At least one of each command. */
    private static final List<String> COMMANDS = List.of(
            "APPEND string more",
            "BITCOUNT string 0 -1 BIT",
            "BITFIELD string SET u8 0 255 OVERFLOW SAT INCRBY i16 #1 7 GET u4 3",
            "BITFIELD_RO string GET u8 0",
            "BITOP XOR new string number",
            "BITPOS string 1 0 -1 BIT",
            "COPY string new REPLACE",
            "COPY stream new REPLACE",
            "COPY string new DB 0",
            "DBSIZE",
            "DECR number",
            "DECRBY number 3",
            "DEL string stream",
            "DUMP stream",
            "EXISTS string stream",
            "EXPIRE string 100 NX",
            "EXPIRE stream 100",
            "EXPIREAT string 1900000100 GT",
            "EXPIRETIME number",
            "FLUSHALL",
            "FLUSHDB",
            "GET string",
            "GETBIT string 3",
            "GETDEL string",
            "GETEX string PX 1000",
            "GETEX string EXAT 1900000100",
            "GETRANGE string 0 -1",
            "GETSET string other",
            "INCR number",
            "INCRBY number 3",
            "INCRBYFLOAT number 1.5",
            "KEYS *",
            "MEMORY USAGE stream SAMPLES 5",
            "MGET string number",
            "MOVE string 0",
            "MSET string one new two",
            "MSETNX new one other two",
            "OBJECT ENCODING string",
            "OBJECT FREQ string",
            "OBJECT IDLETIME string",
            "OBJECT REFCOUNT string",
            "PERSIST number",
            "PEXPIRE string 1000 LT",
            "PEXPIREAT string 1900000100000 XX",
            "PEXPIRETIME number",
            "PSETEX string 1000 value",
            "PTTL number",
            "RANDOMKEY",
            "RENAME stream new",
            "RENAME string new",
            "RENAMENX stream new",
            "RESTORE new 1000 value REPLACE ABSTTL IDLETIME 10 FREQ 10",
            "SCAN 0 MATCH * COUNT 10 TYPE string",
            "SET string value NX GET EX 10",
            "SET string value XX KEEPTTL",
            "SET string value PXAT 1900000100000",
            "SETBIT string 3 1",
            "SETEX string 10 value",
            "SETNX new value",
            "SETRANGE string 3 value",
            "STRLEN string",
            "SUBSTR string 0 -1",
            "SWAPDB 0 0",
            "TOUCH string stream",
            "TTL number",
            "TYPE stream",
            "UNLINK string stream",
            "XACK stream group 1-1 2-1",
            "XADD stream NOMKSTREAM MAXLEN ~ 3 LIMIT 10 * field value other more",
            "XADD stream MINID = 2-1 7-* field value",
            "XADD stream IDMP producer two * field value",
            "XADD stream IDMPAUTO producer * field value",
            "XADD new IDMP producer two * field value",
            "XADD new * field value",
            "XAUTOCLAIM stream group consumer 0 0 COUNT 3 JUSTID",
            "XCFGSET stream IDMP-DURATION 10 IDMP-MAXSIZE 10",
            "XCLAIM stream group other 0 1-1 2-1 IDLE 1 TIME 1 RETRYCOUNT 3 FORCE JUSTID LASTID 2-1",
            "XDEL stream 1-1 2-1",
            "XGROUP CREATE stream more $ ENTRIESREAD 3",
            "XGROUP CREATE new group 0-0 MKSTREAM",
            "XGROUP CREATECONSUMER stream group more",
            "XGROUP DELCONSUMER stream group consumer",
            "XGROUP DESTROY stream group",
            "XGROUP SETID stream group 1-1 ENTRIESREAD 1",
            "XINFO CONSUMERS stream group",
            "XINFO GROUPS stream",
            "XINFO STREAM stream FULL COUNT 3",
            "XLEN stream",
            "XPENDING stream group IDLE 0 - + 10 consumer",
            "XRANGE stream - + COUNT 3",
            "XREAD COUNT 3 BLOCK 0 STREAMS stream other 0 0",
            "XREADGROUP GROUP group consumer COUNT 1 BLOCK 0 NOACK STREAMS stream >",
            "XREADGROUP GROUP group consumer COUNT 3 CLAIM 0 STREAMS stream >",
            "XREADGROUP GROUP group more STREAMS stream other 0 0",
            "XREVRANGE stream + - COUNT 3",
            "XSETID stream 9-1 ENTRIESADDED 20 MAXDELETEDID 3-1",
            "XTRIM stream MAXLEN = 2",
            "XTRIM stream MINID ~ 2-1 LIMIT 10");

    /** Commands whose replies are random, follow a mirror's own order, or count keys that have expired and are still there. */
    private static final Set<String> BY_CHANCE = Set.of("RANDOMKEY", "KEYS", "SCAN", "DBSIZE");

    private static final List<String> HOSTILE = List.of(
            "",
            "\0\r\n\u00ff",
            "k".repeat(65_535),
            "k".repeat(65_536),
            "k".repeat(1_000_000),
            "0",
            "-1",
            "-2",
            "1",
            "512",
            "65536",
            "2147483647",
            "2147483648",
            "4294967295",
            "4294967296",
            "9223372036854775807",
            "-9223372036854775808",
            "-9223372036854775807",
            "18446744073709551615",
            "18446744073709551615-18446744073709551615",
            "9223372036854775807-9223372036854775807",
            "9223372036854775807-*",
            "1-1",
            "0-0",
            "(1-1",
            "(18446744073709551615-18446744073709551615",
            "-",
            "+",
            "$",
            ">",
            "*",
            "~",
            "1e4000",
            "1e308",
            "nan",
            "0x7fffffff",
            "#9223372036854775807",
            "i64",
            "u63",
            "u64",
            "[",
            "\\",
            "string",
            "number",
            "stream",
            "other",
            "absent",
            "group",
            "consumer",
            "producer");

    private static final List<String> WORDS = COMMANDS.stream()
            .flatMap(line -> Stream.of(line.split(" ")))
            .distinct()
            .toList();

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    private long index;

    private static EntryCall call(List<String> words) {
        return EntryScript.call(words.toArray(String[]::new));
    }

    private static Command command(List<String> words) {
        Request request = Request.of(words.stream()
                .map(word -> word.getBytes(StandardCharsets.ISO_8859_1))
                .toList());
        Command command = CommandTable.standard().find(request);
        if (command != null && !command.subcommands().isEmpty()) {
            command = CommandTable.standard().findSubcommand(command, request);
        }
        return Objects.requireNonNull(command, () -> "no command " + words);
    }

    private static List<String> words(String line) {
        return List.of(line.split(" "));
    }

    @Test
    void eachCommandIsTried() {
        Set<String> tried = COMMANDS.stream()
                .map(line -> command(words(line)).name())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(tried)
                .containsAll(CommandTable.standard().all().stream()
                        .flatMap(command -> Stream.concat(Stream.of(command), command.subcommands().stream()))
                        .filter(command -> Commands.handler(command) != null)
                        .map(Command::name)
                        .toList());
    }

    private List<String> apply(StoreStripe stripe, long place, List<Operation> operations) {
        ByteBuffer replies = stripe.apply(new Place(1, place), new Entry(MILLIS + place, operations).encode());
        return Replies.decode(replies).operations().stream()
                .map(one -> one.map(calls -> calls.stream()
                                .map(reply -> new String(reply, StandardCharsets.ISO_8859_1))
                                .collect(Collectors.joining()))
                        .orElse("aborted"))
                .toList();
    }

    private static boolean isByChance(List<String> words) {
        return BY_CHANCE.contains(words.getFirst());
    }

    /** Applies a command to both mirrors, alone and in a transaction; returns the reply. */
    private String apply(StoreStripe first, StoreStripe second, List<String> words) {
        List<Operation> operations = CONTENT.stream()
                .map(line -> Operation.of(call(words(line))))
                .collect(Collectors.toCollection(ArrayList::new));
        operations.add(
                words.getLast().length() % 2 == 0
                        ? Operation.of(call(words))
                        : new Operation(true, List.of(), List.of(call(words))));
        long place = ++index;
        String reply;
        try {
            reply = apply(first, place, operations).getLast();
            String other = apply(second, place, operations).getLast();
            if (!isByChance(words)) {
                assertThat(other).isEqualTo(reply);
            }
        } catch (RuntimeException | Error e) {
            throw new AssertionError("entry " + place + ", " + shown(words) + ": " + e, e);
        }
        assertThat(reply).as(() -> "the reply to " + shown(words)).isNotEmpty();
        return reply;
    }

    private static String shown(List<String> words) {
        return words.stream()
                .map(word -> word.length() > 40 ? word.substring(0, 8) + "... of " + word.length() + " bytes" : word)
                .toList()
                .toString();
    }

    private StoreStripe open(String name) {
        return StripeProgram.open(directory.resolve(name));
    }

    private static boolean isStillCommand(List<String> words, Command command) {
        if (!command.takes(words.size())) {
            return false;
        }
        return !command.name().contains("|") || command.name().equalsIgnoreCase(words.getFirst() + "|" + words.get(1));
    }

    /** Each argument of each command is replaced by each hostile one, or by some of them in a short run. */
    @Test
    void anyArgumentIsAnsweredOnAllMirrorsTheSame() {
        int oneOf = Effort.of(40, 20, 1);
        Random random = new Random(oneOf);
        try (StoreStripe first = open("first");
                StoreStripe second = open("second")) {
            for (String line : COMMANDS) {
                List<String> words = words(line);
                for (int at = 1; at < words.size(); at++) {
                    for (String hostile : HOSTILE) {
                        List<String> changed = new ArrayList<>(words);
                        changed.set(at, hostile);
                        if (isStillCommand(changed, command(words)) && random.nextInt(oneOf) == 0) {
                            apply(first, second, changed);
                        }
                    }
                }
            }
            assertThat(StripeContent.of(second)).isEqualTo(StripeContent.of(first));
        }
    }

    /** Several arguments are changed, added and left out at random; one mirror is restarted now and then. */
    @Test
    void anyArgumentsAreAnsweredOnAllMirrorsTheSame() {
        int count = Effort.of(200, 1_000, 20_000);
        Random random = new Random(count);
        StoreStripe second = open("second");
        try (StoreStripe first = open("first")) {
            for (int i = 0; i < count; i++) {
                apply(first, second, changed(random, words(COMMANDS.get(random.nextInt(COMMANDS.size())))));
                if (random.nextInt(100) == 0) {
                    second.sync();
                    second.close();
                    second = open("second");
                }
            }
            assertThat(StripeContent.of(second)).isEqualTo(StripeContent.of(first));
        } finally {
            second.close();
        }
    }

    private static List<String> changed(Random random, List<String> words) {
        Command command = command(words);
        while (true) {
            List<String> changed = new ArrayList<>(words);
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                String other = random.nextBoolean() ? one(random, HOSTILE) : one(random, WORDS);
                int at = 1 + random.nextInt(changed.size());
                if (at == changed.size() || random.nextInt(4) == 0) {
                    changed.add(at, other);
                } else if (random.nextInt(8) == 0) {
                    changed.remove(at);
                } else {
                    changed.set(at, other);
                }
            }
            if (isStillCommand(changed, command) && bytes(changed) < REQUEST_BYTES) {
                return changed;
            }
        }
    }

    private static long bytes(List<String> words) {
        return words.stream().mapToLong(String::length).sum();
    }

    private static String one(Random random, List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** Any bytes may be restored: their checksum is no secret. */
    @Test
    void aChangedDumpIsAnsweredOnAllMirrorsTheSame() {
        int count = Effort.of(200, 1_000, 20_000);
        Random random = new Random(count);
        try (StoreStripe first = open("first");
                StoreStripe second = open("second")) {
            List<String> dumps = Stream.of("stream", "string", "number")
                    .map(key -> bulk(apply(first, second, List.of("DUMP", key))))
                    .toList();
            for (int i = 0; i < count; i++) {
                byte[] dump = one(random, dumps).getBytes(StandardCharsets.ISO_8859_1);
                for (int changes = random.nextInt(4); changes > 0; changes--) {
                    int at = random.nextInt(dump.length);
                    dump[at] = (byte) (random.nextBoolean() ? random.nextInt(256) : dump[at] + random.nextInt(3) - 1);
                }
                String signed = signed(Arrays.copyOf(dump, dump.length - Long.BYTES));
                apply(first, second, List.of("RESTORE", "new", "0", signed, "REPLACE"));
            }
            assertThat(StripeContent.of(second)).isEqualTo(StripeContent.of(first));
        }
    }

    private static String bulk(String reply) {
        int from = reply.indexOf("\r\n") + 2;
        return reply.substring(from, reply.length() - 2);
    }

    private static String signed(byte[] dump) {
        long crc = 0;
        for (byte one : dump) {
            crc ^= one & 0xFF;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 1) != 0 ? crc >>> 1 ^ CRC_POLYNOMIAL : crc >>> 1;
            }
        }
        byte[] sum =
                ByteBuffer.allocate(Long.BYTES).putLong(Long.reverseBytes(crc)).array();
        return new String(dump, StandardCharsets.ISO_8859_1) + new String(sum, StandardCharsets.ISO_8859_1);
    }
}
