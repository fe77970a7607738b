package dev.larder.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.server.ServerFixture;
import dev.larder.server.TestClient;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Client-side caching, on a server of two loops. The expected replies are those of Redis 7.0.15. */
final class TrackingCommandsTest {

    @TempDir
    private Path directory;

    private ServerFixture fixture;
    private TestClient client;
    private TestClient other;

    @BeforeEach
    void start() {
        fixture = new ServerFixture(directory, options -> options.withLoops(2));
        client = fixture.client();
        client.line("HELLO 3");
        other = fixture.client();
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void aClientIsToldOnceOfAKeyThatItHasRead() {
        assertThat(client.line("CLIENT TRACKING on")).isEqualTo("OK");
        client.line("GET k");
        client.line("MGET a b");
        other.line("SET k 1");
        assertThat(client.reply()).isEqualTo(">[invalidate, [k]]");
        other.line("SET k 2");
        other.line("DEL b");
        other.line("SET b 1");
        assertThat(client.reply()).isEqualTo(">[invalidate, [b]]");
        assertThat(client.line("GET k")).isEqualTo("2");
        assertThat(client.line("SET k 3")).isEqualTo("OK");
        assertThat(client.reply()).isEqualTo(">[invalidate, [k]]"); // behind the reply of its own write
        client.line("CLIENT TRACKING off");
        client.line("GET k");
        other.line("SET k 4");
        other.line("SET a 4");
        assertThat(client.line("PING")).isEqualTo("PONG");
    }

    /** As in Redis: the entries are the same. A new stream is a change. */
    @Test
    void groupsAreNotPartOfAStream() {
        client.line("CLIENT TRACKING on");
        client.line("XLEN s");
        other.line("XGROUP CREATE s g 0 MKSTREAM");
        assertThat(client.reply()).isEqualTo(">[invalidate, [s]]");
        client.line("XLEN s");
        other.line("XGROUP CREATE s h 0");
        other.line("XGROUP CREATECONSUMER s h c");
        other.line("XGROUP DESTROY s h");
        assertThat(client.line("PING")).isEqualTo("PONG");
        other.line("XADD s 1-1 f v");
        assertThat(client.reply()).isEqualTo(">[invalidate, [s]]");
    }

    @Test
    void whatWasReadStaysTrackedWhereTheWayChanges() {
        client.line("CLIENT TRACKING on");
        client.line("GET k");
        assertThat(client.line("CLIENT TRACKING on NOLOOP")).isEqualTo("OK");
        client.line("SET other 1");
        other.line("SET k 1");
        assertThat(client.reply()).isEqualTo(">[invalidate, [k]]");
    }

    @Test
    void aTransactionIsNotMixedWithWhatItChanges() {
        client.line("CLIENT TRACKING on");
        client.line("MULTI");
        client.line("GET k");
        client.line("SET k 3");
        client.line("GET k");
        assertThat(client.line("EXEC")).isEqualTo("[nil, OK, 3]");
        assertThat(client.reply()).isEqualTo(">[invalidate, [k]]");
    }

    @Test
    void withoutItsOwnChanges() {
        client.line("CLIENT TRACKING on NOLOOP");
        client.line("GET k");
        client.line("SET k 1");
        assertThat(client.line("PING")).isEqualTo("PONG");
        client.line("GET k");
        other.line("SET k 2");
        assertThat(client.reply()).isEqualTo(">[invalidate, [k]]");
    }

    @Test
    void onlyWhatIsAskedFor() {
        client.line("CLIENT TRACKING on OPTIN");
        client.line("GET a");
        assertThat(client.line("CLIENT CACHING yes")).isEqualTo("OK");
        client.line("GET b");
        client.line("GET c");
        client.line("CLIENT CACHING yes");
        client.line("MULTI");
        client.line("GET d");
        client.line("GET e");
        client.line("EXEC");
        for (String key : new String[] {"a", "b", "c", "d", "e"}) {
            other.line("SET " + key + " 1");
        }
        assertThat(client.reply()).isEqualTo(">[invalidate, [b]]");
        assertThat(client.reply()).isEqualTo(">[invalidate, [d]]");
        assertThat(client.reply()).isEqualTo(">[invalidate, [e]]");
        assertThat(client.line("CLIENT CACHING no"))
                .isEqualTo("ERR CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode.");
        assertThat(client.line("CLIENT TRACKING on OPTOUT"))
                .startsWith("ERR You can't switch OPTIN/OPTOUT mode before disabling tracking");
        client.line("CLIENT TRACKING off");
        client.line("CLIENT TRACKING on OPTOUT");
        client.line("CLIENT CACHING no");
        client.line("GET a");
        client.line("GET b");
        other.line("SET a 2");
        other.line("SET b 2");
        assertThat(client.reply()).isEqualTo(">[invalidate, [b]]");
    }

    @Test
    void allKeysOfPrefixesOrAllAtAll() {
        client.line("CLIENT TRACKING on BCAST PREFIX foo PREFIX bar");
        other.line("MSET foo1 a baz1 b foo2 c foo1 d");
        assertThat(client.reply()).isEqualTo(">[invalidate, [foo1, foo2]]");
        other.line("MULTI");
        other.line("INCR foo3");
        other.line("INCR bar3");
        other.line("INCR foo4");
        other.line("EXEC");
        String first = client.reply();
        Set<String> both = new TreeSet<>(Set.of(first, client.reply()));
        assertThat(both).containsExactly(">[invalidate, [bar3]]", ">[invalidate, [foo3, foo4]]");
        assertThat(client.line("CLIENT TRACKING on BCAST PREFIX fo"))
                .isEqualTo(
                        "ERR Prefix 'fo' overlaps with an existing prefix 'foo'. Prefixes for a single client must not"
                                + " overlap.");
        client.line("CLIENT TRACKING off");
        client.line("CLIENT TRACKING on BCAST NOLOOP");
        client.line("SET x 1");
        other.line("SET y 1");
        assertThat(client.reply()).isEqualTo(">[invalidate, [y]]");
    }

    @Test
    void allIsForgottenWhenAllIsRemoved() {
        client.line("CLIENT TRACKING on");
        client.line("GET k");
        other.line("FLUSHALL");
        assertThat(client.reply()).isEqualTo(">[invalidate, nil]");
        assertThat(client.line("FLUSHDB")).isEqualTo("OK");
        assertThat(client.reply()).isEqualTo(">[invalidate, nil]");
        assertThat(client.line("PING")).isEqualTo("PONG");
    }

    @Test
    void anExpiredKeyIsToldSoon() {
        client.line("CLIENT TRACKING on BCAST NOLOOP");
        client.line("SET k v PX 20");
        assertThat(client.reply()).isEqualTo(">[invalidate, [k]]"); // no client has asked for that
        assertThat(client.line("GET k")).isEqualTo("nil");
    }

    @Test
    void aClientThatQuitsIsToldNothing() {
        TestClient told = fixture.client();
        client.line("CLIENT TRACKING on REDIRECT " + told.line("CLIENT ID"));
        client.line("GET k");
        assertThat(told.line("QUIT")).isEqualTo("OK");
        other.line("SET k 1");
        assertThat(client.reply()).startsWith(">[tracking-redir-broken, ");
    }

    @Test
    void anotherClientMayBeTold() {
        TestClient told = fixture.client();
        String id = told.line("CLIENT ID");
        told.line("SUBSCRIBE __redis__:invalidate");
        TestClient reader = fixture.client();
        assertThat(reader.line("CLIENT TRACKING on REDIRECT " + id)).isEqualTo("OK");
        assertThat(reader.line("CLIENT GETREDIR")).isEqualTo(id);
        reader.line("GET k");
        other.line("SET k 1");
        assertThat(told.reply()).isEqualTo("[message, __redis__:invalidate, [k]]");
        other.line("FLUSHDB");
        assertThat(told.reply()).isEqualTo("[message, __redis__:invalidate, nil]");
        told.line("UNSUBSCRIBE");
        reader.line("GET k");
        other.line("SET k 2");
        assertThat(told.line("PING")).isEqualTo("PONG");
        reader.line("HELLO 3");
        reader.line("GET k");
        other.line("CLIENT KILL ID " + id);
        other.line("SET k 3");
        assertThat(reader.reply()).isEqualTo(">[tracking-redir-broken, " + id + "]");
        assertThat(reader.line("CLIENT TRACKINGINFO"))
                .isEqualTo("{flags=set[on, broken_redirect], redirect=" + id + ", prefixes=[]}");
        assertThat(other.line("CLIENT LIST")).contains("flags=tR ");
        assertThat(reader.line("CLIENT TRACKING on REDIRECT 4711"))
                .isEqualTo("ERR The client ID you want redirect to does not exist");
    }

    @Test
    void optionsAreChecked() {
        assertThat(client.line("CLIENT TRACKING maybe")).isEqualTo("ERR syntax error");
        assertThat(client.line("CLIENT TRACKING on REDIRECT")).isEqualTo("ERR syntax error");
        assertThat(client.line("CLIENT TRACKING on PREFIX a"))
                .isEqualTo("ERR PREFIX option requires BCAST mode to be enabled");
        assertThat(client.line("CLIENT TRACKING on BCAST OPTIN"))
                .isEqualTo("ERR OPTIN and OPTOUT are not compatible with BCAST");
        assertThat(client.line("CLIENT TRACKING on OPTIN OPTOUT"))
                .isEqualTo("ERR You can't specify both OPTIN mode and OPTOUT mode");
        assertThat(client.line("CLIENT CACHING yes")).startsWith("ERR CLIENT CACHING can be called only when");
        assertThat(client.line("CLIENT TRACKINGINFO")).isEqualTo("{flags=set[off], redirect=-1, prefixes=[]}");
        assertThat(client.line("CLIENT GETREDIR")).isEqualTo("-1");
        client.line("CLIENT TRACKING on");
        assertThat(client.line("CLIENT TRACKING on BCAST")).startsWith("ERR You can't switch BCAST mode on/off before");
    }

    /** Otherwise the next command would not be tracked, and the client would keep what it has read for ever. */
    @Test
    void anExceptionEndsAlsoWithACommandThatIsRefused() {
        client.line("CLIENT TRACKING on OPTOUT");
        client.line("CLIENT CACHING no");
        assertThat(client.line("GET")).startsWith("ERR wrong number");
        client.line("GET k");
        client.line("CLIENT CACHING no");
        assertThat(client.line("NOTHING")).startsWith("ERR unknown");
        client.line("GET other");
        other.line("SET k 1");
        assertThat(client.reply()).isEqualTo(">[invalidate, [k]]");
        other.line("SET other 1");
        assertThat(client.reply()).isEqualTo(">[invalidate, [other]]");
    }
}
