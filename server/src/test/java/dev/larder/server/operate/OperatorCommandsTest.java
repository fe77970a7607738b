package dev.larder.server.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.memory.StorageException;
import dev.larder.server.Configuration;
import dev.larder.server.LarderServer;
import dev.larder.server.TestClient;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The replies of a server about itself, its slow commands, checkpoints and its end. */
final class OperatorCommandsTest {

    @TempDir
    private Path directory;

    private Configuration configuration = Configuration.defaults();
    private LarderServer server;
    private TestClient client;

    @BeforeEach
    void start() {
        start(new String[0]);
    }

    /** Starts the server anew, with other parameters. */
    private void restart(String... namesAndValues) {
        stop();
        start(namesAndValues);
    }

    private void start(String[] namesAndValues) {
        configuration = Configuration.defaults()
                .with("dir", directory.toString())
                .with("port", "0")
                .with("io-threads", "1")
                .with("segment-size", "4mb");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            configuration = configuration.with(namesAndValues[i], namesAndValues[i + 1]);
        }
        server = LarderServer.start(configuration);
        client = new TestClient(server.port());
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private Map<String, String> information(String... sections) {
        String[] request = new String[sections.length + 1];
        request[0] = "INFO";
        System.arraycopy(sections, 0, request, 1, sections.length);
        Map<String, String> fields = new TreeMap<>();
        client.call(request).lines().filter(line -> line.contains(":")).forEach(line -> {
            String[] field = line.split(":", 2);
            fields.put(field[0], field[1]);
        });
        return fields;
    }

    @Test
    void informationCountsWhatWasDone() {
        client.line("SET a 1");
        client.line("GET a");
        client.line("GET b");
        client.line("INCR");
        client.line("SET b x");
        client.line("INCR b");
        client.line("NOSUCH");
        Map<String, String> all = information("everything");
        assertThat(all.get("cmdstat_get")).startsWith("calls=2,").endsWith("rejected_calls=0,failed_calls=0");
        assertThat(all.get("cmdstat_incr")).startsWith("calls=1,").endsWith("rejected_calls=1,failed_calls=1");
        assertThat(all).containsEntry("errorstat_ERR", "count=3").containsEntry("total_error_replies", "3");
        assertThat(all).containsEntry("db0", "keys=2,expires=0,avg_ttl=0");
        assertThat(all).containsEntry("connected_clients", "1").containsEntry("rdb_changes_since_last_save", "2");
        assertThat(all).containsKey("latency_percentiles_usec_get");
        client.line("CONFIG RESETSTAT");
        assertThat(information("stats", "errorstats"))
                .containsEntry("total_error_replies", "0")
                .containsEntry("keyspace_hits", "0")
                .doesNotContainKey("errorstat_ERR");
    }

    @Test
    void eachReaderOfAKeyCountsOnce() {
        client.line("SET s x");
        client.line("SET n 1");
        client.line("XADD x 1-1 f v");
        client.line("GETEX s EX 100");
        client.line("GETDEL s");
        client.line("EXISTS n x x nothing");
        client.line("INCR n");
        client.line("EXPIRE n 100");
        client.line("XLEN x");
        client.line("MULTI");
        client.line("GET nothing");
        client.line("GET n");
        client.line("EXEC");
        assertThat(information("stats")).containsEntry("keyspace_hits", "7").containsEntry("keyspace_misses", "2");
    }

    /** Exporters read these figures by name. */
    @Test
    void sharesAndRatesAreTold() {
        client.line("SET a x");
        Map<String, String> memory = information("memory");
        long used = Long.parseLong(memory.get("used_memory"));
        long live = Long.parseLong(memory.get("used_memory_dataset"));
        assertThat(memory)
                .containsEntry("used_memory_overhead", Long.toString(used - live))
                .containsEntry("used_memory_peak_perc", "100.00%")
                .containsEntry("used_memory_dataset_perc", String.format(Locale.ROOT, "%.2f%%", 100.0 * live / used));
        assertThat(information("stats")).containsKeys("instantaneous_input_kbps", "instantaneous_output_kbps");
        assertThat(Rates.of(10, 4096, 0, 2_000_000_000)).isEqualTo(new Rates(5, 2048, 0));
        assertThat(Rates.of(-1, -1, -1, 0)).isEqualTo(Rates.NONE);
    }

    @Test
    void sectionsAreToldByName() {
        assertThat(client.line("INFO")).contains("# Server", "# Keyspace").doesNotContain("# Commandstats");
        assertThat(client.line("INFO cpu CLIENTS nothing"))
                .contains("# Clients", "# CPU")
                .doesNotContain("# Server");
        assertThat(client.line("INFO default commandstats")).contains("# Server", "# Commandstats");
        assertThat(client.line("INFO nothing")).isEmpty();
    }

    @Test
    void commandsOfATransactionAreCountedEach() {
        client.line("MULTI");
        client.line("SET a x");
        client.line("INCR a");
        client.line("EXEC");
        Map<String, String> counts = information("commandstats", "errorstats");
        assertThat(counts.get("cmdstat_incr")).startsWith("calls=1,").endsWith("failed_calls=1");
        assertThat(counts.get("cmdstat_exec")).startsWith("calls=1,").endsWith("failed_calls=0");
        assertThat(counts).containsEntry("errorstat_ERR", "count=1");
    }

    @Test
    void slowCommandsAreKeptWithoutPasswords() {
        restart("slowlog-log-slower-than", "0", "slowlog-max-len", "3");
        client.line("SET a 1");
        client.line("CONFIG SET requirepass hidden");
        client.call("SET", "b", "x".repeat(200));
        client.line("CONFIG SET slowlog-log-slower-than -1");
        assertThat(client.line("SLOWLOG LEN")).isEqualTo("3");
        String entries = client.line("SLOWLOG GET");
        assertThat(entries)
                .contains("[CONFIG, SET, requirepass, (redacted)]")
                .contains("... (72 more bytes)")
                .contains("[SET, a, 1]")
                .doesNotContain("hidden");
        assertThat(client.line("SLOWLOG RESET")).isEqualTo("OK");
        assertThat(client.line("SLOWLOG GET -1")).isEqualTo("[]");
    }

    @Test
    void debugIsRefusedUnlessItIsAllowed() {
        assertThat(client.line("DEBUG SLEEP 0")).startsWith("ERR DEBUG command not allowed.");
    }

    @Test
    void debugTellsOneReplyOfEachType() {
        restart("enable-debug-command", "local");
        client.line("HELLO 3");
        assertThat(client.line("DEBUG PROTOCOL map")).isEqualTo("{0=f, 1=t, 2=f}");
        assertThat(client.line("DEBUG PROTOCOL set")).isEqualTo("set[0, 1, 2]");
        assertThat(client.line("DEBUG PROTOCOL double")).isEqualTo("3.141");
        assertThat(client.line("DEBUG PROTOCOL bignum")).isEqualTo("1234567999999999999999999999999999999");
        assertThat(client.line("DEBUG PROTOCOL push")).isEqualTo(">[server-cpu-usage, 42]");
        assertThat(client.reply()).isEqualTo("Some real reply following the push reply");
        assertThat(client.line("DEBUG SET-ACTIVE-EXPIRE 0")).isEqualTo("OK");
        assertThat(client.line("DEBUG NOSUCH x")).startsWith("ERR unknown subcommand or wrong number of arguments");
    }

    @Test
    void aReloadKeepsTheKeys() {
        restart("enable-debug-command", "yes");
        client.line("DEBUG POPULATE 20 pre 9");
        String digest = client.line("DEBUG DIGEST");
        assertThat(client.line("DEBUG RELOAD")).isEqualTo("OK");
        assertThat(client.line("DEBUG DIGEST")).isEqualTo(digest);
        assertThat(client.line("DBSIZE")).isEqualTo("20");
        client.line("SET pre:1 other");
        assertThat(client.line("DEBUG DIGEST")).isNotEqualTo(digest);
    }

    @Test
    void latencyIsKeptAboveAThreshold() {
        restart("latency-monitor-threshold", "1", "enable-debug-command", "yes");
        client.line("DEBUG SLEEP 0.01");
        assertThat(client.line("LATENCY LATEST")).startsWith("[[command, ");
        assertThat(client.line("LATENCY GRAPH command")).startsWith("command - high ");
        assertThat(client.line("LATENCY HISTOGRAM debug")).startsWith("[debug, [calls, 1, histogram_usec, [");
        client.line("CONFIG SET latency-monitor-threshold 0"); // else the next command is kept, if it is slow
        assertThat(client.line("LATENCY RESET command")).isEqualTo("1");
        assertThat(client.line("LATENCY HISTORY command")).isEqualTo("[]");
    }

    @Test
    void shutdownStopsTheServerWithAllThatWasWritten() throws InterruptedException {
        restart("appendfsync", "no");
        client.line("SET a 1");
        client.send("SHUTDOWN", "NOSAVE");
        assertThat(client.reply()).isEqualTo("closed");
        server.awaitStop();
        server.close();
        server = LarderServer.start(configuration);
        client = new TestClient(server.port());
        assertThat(client.line("GET a")).isEqualTo("1");
    }

    @Test
    void durabilityMayBeChangedWhileTheServerRuns() {
        restart("appendonly", "no");
        assertThat(client.line("CONFIG SET appendonly yes appendfsync always")).isEqualTo("OK");
        assertThat(client.line("SET a 1")).isEqualTo("OK");
        assertThat(information("persistence")).containsEntry("aof_enabled", "1");
        assertThat(client.line("CONFIG SET appendfsync no")).isEqualTo("OK");
        assertThat(client.line("GET a")).isEqualTo("1");
    }

    /** Each reply is whole, so that the connection stays usable. A channel is no key. */
    @Test
    void theKeysOfACommandAreToldWithWhatItDoesWithThem() {
        assertThat(client.line("COMMAND GETKEYSANDFLAGS XCFGSET s IDMP-MAXSIZE 5"))
                .isEqualTo("[[s, [RW, update]]]");
        for (String asked : List.of("GETKEYS", "GETKEYSANDFLAGS")) {
            assertThat(client.line("COMMAND " + asked + " SPUBLISH c m"))
                    .isEqualTo("ERR The command has no key arguments");
            assertThat(client.line("COMMAND " + asked + " SSUBSCRIBE c d"))
                    .isEqualTo("ERR The command has no key arguments");
        }
        assertThat(client.line("COMMAND GETKEYS XREADGROUP GROUP streams c STREAMS a b > >"))
                .isEqualTo("[a, b]");
        assertThat(client.line("PING")).isEqualTo("PONG");
    }

    @Test
    void subcommandsAreListed() {
        assertThat(client.line("COMMAND LIST")).contains(", get, ", "config|get");
        assertThat(client.line("COMMAND LIST FILTERBY ACLCAT admin"))
                .contains("config|get")
                .doesNotContain("object|encoding");
    }

    @Test
    void theRightToAKeyIsAskedForWhateverAGroupIsCalled() {
        client.line("XADD secret 1-1 a b");
        client.line("XGROUP CREATE secret streams 0");
        client.line("ACL SETUSER alice on nopass +@all ~c ~streams");
        client.line("AUTH alice any");
        assertThat(client.line("XREADGROUP GROUP streams c STREAMS secret >")).startsWith("NOPERM");
        assertThat(client.line("XCFGSET secret IDMP-MAXSIZE 5")).startsWith("NOPERM");
    }

    /** A command with one key that is too long changes none of the others. */
    @Test
    void aKeyThatIsTooLongIsRefusedBeforeTheCommandBegins() {
        String most = "k".repeat(65_535);
        String wanted = "ERR a key of 65536 bytes is too long: a key has at most 65535 bytes";
        assertThat(client.line("MSET a 1 " + most + "k 2")).isEqualTo(wanted);
        assertThat(client.line("EXISTS a")).isEqualTo("0");
        assertThat(client.line("MSET a 1 " + most + " 2")).isEqualTo("OK");
        assertThat(client.line("DEL a " + most + "k")).isEqualTo(wanted);
        assertThat(client.line("GET " + most + "k")).isEqualTo(wanted);
        assertThat(client.line("XADD " + most + "k * f v")).isEqualTo(wanted);
        assertThat(client.line("WATCH " + most + "k")).isEqualTo(wanted);
        assertThat(client.line("SPUBLISH " + most + "k m")).isEqualTo("0");
        assertThat(client.line("EXISTS a " + most)).isEqualTo("2");
    }

    /** An address of a network for documentation, which no machine has. */
    @Test
    void anAddressThatThisMachineDoesNotHaveMayBeLeftOut() {
        restart("bind", "127.0.0.1 -192.0.2.1");
        assertThat(client.line("PING")).isEqualTo("PONG");
        assertThat(client.line("CONFIG GET bind")).isEqualTo("[bind, 127.0.0.1 -192.0.2.1]");
        Configuration alone =
                configuration.with("dir", directory.resolve("other").toString()).with("bind", "-192.0.2.1");
        assertThatThrownBy(() -> LarderServer.start(alone))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("192.0.2.1");
    }
}
