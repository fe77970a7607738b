package dev.larder.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranges of a stream of some thousand entries, many of them deleted, compared with a sorted set of its ids. */
final class LongStreamTest {

    private static final int ENTRIES = 6_000;

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    @Test
    void rangesAreFoundAlsoBetweenHolesAndAfterARestart() {
        Random random = new Random(7);
        NavigableSet<Integer> ids = new TreeSet<>();
        try (ServerFixture fixture = new ServerFixture(directory)) {
            TestClient client = fixture.client();
            int id = 0;
            for (int i = 0; i < ENTRIES; i++) {
                id += 1 + random.nextInt(3);
                client.send("XADD", "s", id + "-1", "n", "x".repeat(random.nextInt(40)));
                ids.add(id);
            }
            for (int i = 0; i < ENTRIES; i++) {
                assertThat(client.reply()).endsWith("-1");
            }
            delete(client, ids, random);
            check(client, ids, random);
            client.line("XTRIM s MINID 2000");
            ids.headSet(2000).clear();
            check(client, ids, random);
            fixture.restart();
            check(fixture.client(), ids, random);
        }
    }

    private static void delete(TestClient client, NavigableSet<Integer> ids, Random random) {
        int from = ids.last() / 2;
        List<Integer> deleted = ids.stream()
                .filter(id -> random.nextInt(10) == 0 || (id > from && id < from + 1000))
                .toList();
        List<String> command = new ArrayList<>(List.of("XDEL", "s"));
        deleted.forEach(id -> command.add(id + "-1"));
        assertThat(client.call(command.toArray(String[]::new))).isEqualTo(Integer.toString(deleted.size()));
        deleted.forEach(ids::remove);
        assertThat(client.call("XLEN", "s")).isEqualTo(Integer.toString(ids.size()));
    }

    private static void check(TestClient client, NavigableSet<Integer> ids, Random random) {
        int most = ids.last() + 10;
        for (int i = 0; i < 300; i++) {
            int from = random.nextInt(most);
            Integer first = ids.ceiling(from);
            String found = client.call("XRANGE", "s", Integer.toString(from), "+", "COUNT", "1");
            assertThat(found).startsWith(first == null ? "[]" : "[[" + first + "-1, ");
            Integer last = ids.floor(from);
            String before = client.call("XREVRANGE", "s", Integer.toString(from), "-", "COUNT", "1");
            assertThat(before).startsWith(last == null ? "[]" : "[[" + last + "-1, ");
            Integer next = ids.higher(from);
            String read = client.call("XREAD", "COUNT", "1", "STREAMS", "s", from + "-1");
            assertThat(read).startsWith(next == null ? "nil" : "[[s, [[" + next + "-1, ");
        }
    }
}
