package dev.larder.server.push;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.server.RealRedis;
import dev.larder.server.ServerFixture;
import dev.larder.server.TestClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The events of a command's keys, and the lookups that count as hits and misses, are the same as in redis-server. */
@Timeout(60)
final class LookUpsDifferenceTest {

    private static final Pattern COUNT = Pattern.compile("(keyspace_hits|keyspace_misses):(\\d+)");

    private static final List<String> BEFORE = List.of(
            "SELECT 0",
            "FLUSHALL",
            "SET s abc",
            "SET n 5",
            "XADD x 1-1 f v",
            "XADD x 2-1 f v",
            "XGROUP CREATE x g 0",
            "XREADGROUP GROUP g c COUNT 1 STREAMS x >");

    /** {@code s} and {@code n} are strings, {@code x} is a stream, other keys are not there. */
    private static final String LINES = """
        GET s; GET z; GET x; MGET s z x n; STRLEN s; STRLEN z; STRLEN x; GETRANGE s 0 1; GETRANGE z 0 1
        SET s v GET; SET z v GET; SET z v NX GET; SET x v GET; SET s v; SET z v; SET s v NX; SET z v XX; SETNX z v
        GETSET s v; GETSET z v; GETSET x v; GETEX s; GETEX z; GETEX s EX 10; GETEX z EX 10; GETEX s PERSIST
        GETDEL s; GETDEL z; GETDEL x; APPEND z a; APPEND s a; INCR n; INCR z; INCRBYFLOAT z 1; SETRANGE z 0 a
        MSET z 1 y 2; MSET s 1 z 2; MSETNX s 1 z 2; MSETNX y 1 z 2; SETEX z 10 a; PSETEX s 10000 a; SET z v EXAT 1
        EXISTS s z x n; TOUCH s z x; TYPE s; TYPE z; TTL s; TTL z; PTTL z; EXPIRETIME z; PEXPIRETIME s
        EXPIRE z 10; EXPIRE s 10; EXPIRE s -1; PERSIST z; PERSIST s; DEL s z; UNLINK z s
        OBJECT ENCODING s; OBJECT ENCODING z; OBJECT FREQ s; OBJECT FREQ z; OBJECT IDLETIME s; OBJECT IDLETIME z
        OBJECT REFCOUNT s; OBJECT REFCOUNT z; DUMP s; DUMP z; DUMP x; MEMORY USAGE z
        COPY s y; COPY z y; COPY s n; COPY z s; COPY s n REPLACE; COPY x y; COPY x s REPLACE; COPY s y DB 1
        RENAME s y; RENAME z y; RENAME x y; RENAME x s; RENAME s x; RENAME s n; RENAMENX s y; RENAMENX s n
        RENAMENX x y; RENAME s s; MOVE s 1; MOVE z 1; MOVE x 1
        BITCOUNT s; BITCOUNT z; BITCOUNT x; BITPOS s 1; BITPOS z 1; GETBIT s 1; GETBIT z 1; SETBIT s 1 0; SETBIT z 1 1
        BITOP AND y s z; BITOP NOT y z; BITOP NOT y s; BITOP OR s y z; BITOP XOR s s n x
        BITFIELD s GET u8 0; BITFIELD z GET u8 0; BITFIELD z SET u8 0 1; BITFIELD_RO s GET u8 0; BITFIELD_RO z GET u8 0
        XADD y 1-1 f v; XADD y NOMKSTREAM 1-1 f v; XADD x MAXLEN 1 9-9 f v; XLEN x; XLEN z; XLEN s
        XRANGE x - +; XRANGE z - +; XREVRANGE x + -; XREVRANGE z + -
        XREAD STREAMS x 0; XREAD STREAMS z 0; XREAD STREAMS x z $ $; XREAD STREAMS x s 0 0; XREAD BLOCK 1 STREAMS z $
        XREADGROUP GROUP g c STREAMS x >; XREADGROUP GROUP g c STREAMS x 0; XREADGROUP GROUP g c STREAMS z >
        XREADGROUP GROUP h c STREAMS x >; XREADGROUP GROUP g c STREAMS x z > >; XREADGROUP GROUP g new STREAMS x >
        XACK x g 1-1; XACK z g 1-1; XACK x h 1-1; XPENDING x g; XPENDING z g; XPENDING x h; XPENDING z g - + 10
        XCLAIM x g d 0 1-1; XCLAIM z g d 0 1-1; XCLAIM x h d 0 1-1; XAUTOCLAIM x g d 0 0; XAUTOCLAIM z g d 0 0
        XINFO STREAM x; XINFO STREAM z; XINFO STREAM x FULL; XINFO GROUPS z; XINFO CONSUMERS x g; XINFO CONSUMERS z g
        XGROUP CREATE x h $; XGROUP CREATE y h $ MKSTREAM; XGROUP CREATE z h $; XGROUP CREATECONSUMER x g n
        XGROUP DELCONSUMER x g c; XGROUP SETID x g 0; XGROUP DESTROY x g; XGROUP DESTROY z h
        XDEL x 1-1; XDEL z 1-1; XTRIM x MAXLEN 1; XTRIM z MAXLEN 1; XSETID x 9-9; XSETID z 9-9
        """;

    /** Either server removes the key, and tells so, when its next look for expired keys comes. */
    private static final String EXPIRES_AT_ONCE = "SET z v EXAT 1";

    @TempDir
    private Path directory;

    private record Heard(Map<String, Long> counts, List<String> events) {}

    /** A client of a server, and another that subscribes to events of keys. */
    private record Pair(TestClient client, TestClient subscriber) {

        Pair {
            client.line("CONFIG SET notify-keyspace-events EAmn");
            subscriber.line("PSUBSCRIBE __key*");
        }

        Heard run(String line) {
            BEFORE.forEach(client::line);
            events();
            Map<String, Long> before = counts();
            client.line(line);
            Map<String, Long> counts = counts();
            counts.replaceAll((name, count) -> count - before.getOrDefault(name, 0L));
            List<String> heard = events();
            while (line.equals(EXPIRES_AT_ONCE) && !heard.getLast().contains("expired")) {
                heard.addAll(events());
            }
            return new Heard(counts, heard);
        }

        private Map<String, Long> counts() {
            return COUNT.matcher(client.line("INFO stats"))
                    .results()
                    .collect(Collectors.toMap(
                            (MatchResult found) -> found.group(1), found -> Long.parseLong(found.group(2))));
        }

        private List<String> events() {
            client.line("PUBLISH __keyend end");
            List<String> events = new ArrayList<>();
            String next = subscriber.reply();
            while (!next.contains("__keyend")) {
                events.add(next);
                next = subscriber.reply();
            }
            return events;
        }
    }

    @Test
    void eachCommandTellsAndCountsAsRedisDoes() {
        try (RealRedis redis = RealRedis.start(directory);
                TestClient real = redis.client();
                TestClient realSubscriber = redis.client();
                ServerFixture fixture = new ServerFixture(directory.resolve("data"))) {
            Pair reference = new Pair(real, realSubscriber);
            Pair own = new Pair(fixture.client(), fixture.client());
            for (String line : LINES.split("[;\n]", -1)) {
                if (!line.isBlank()) {
                    assertThat(own.run(line.strip())).as(line.strip()).isEqualTo(reference.run(line.strip()));
                }
            }
        }
    }
}
