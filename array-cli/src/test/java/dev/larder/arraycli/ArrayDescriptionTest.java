package dev.larder.arraycli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.array.ArrayOptions;
import dev.larder.arraycli.state.ArrayDescription;
import dev.larder.arraycli.state.ArrayStatus;
import dev.larder.arraycli.state.NodeAccess;
import dev.larder.cli.HostAndPort;
import dev.larder.memory.LarderException;
import dev.larder.tests.support.SelfSignedCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The file that describes an array, and the command that writes it. */
final class ArrayDescriptionTest {

    private static final UUID ARRAY = new UUID(4, 2);

    @TempDir
    Path scratch;

    private final ArrayShell shell = new ArrayShell();
    private Path file = Path.of("");

    @BeforeEach
    void nameTheFile() {
        file = scratch.resolve("array.properties");
    }

    private static ArrayDescription description() {
        return ArrayDescription.of(
                ARRAY,
                List.of(7000, 7001, 7002).stream()
                        .map(port -> ArrayDescription.addresses(HostAndPort.parse("127.0.0.1:" + port)))
                        .toList());
    }

    /** Regression: no command could manage such an array. */
    @Test
    void anArrayHasNoMoreMembersThanCommandsManage() {
        assertThat(description().with(682, 3, 0).options(0, scratch).stripes()).isEqualTo(682);
        assertThatThrownBy(() -> description().with(683, 3, 0).options(0, scratch))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("stripes: 683, of 3 members each: an array has at most 2048 members");
    }

    @Test
    void readsWhatItHasWritten() {
        ArrayDescription written = description().with(16, 2, 0).withSegmentBytes(4 << 20);
        written.write(file);
        assertThat(ArrayDescription.read(file)).isEqualTo(written);

        ArrayOptions options = written.options(2, scratch);
        assertThat(options.array()).isEqualTo(ARRAY);
        assertThat(options.stripes()).isEqualTo(16);
        assertThat(options.mirrors()).isEqualTo(2);
        assertThat(options.segmentBytes()).isEqualTo(4 << 20);
        assertThat(options.nodes().get(2)).isEqualTo(written.nodes().get(2));
    }

    @Test
    void readsPortsForTls() {
        String nodes = "127.0.0.1:7000,127.0.0.1:7001";
        assertThat(shell.array("init", file.toString(), "--nodes", nodes, "--client-tls"))
                .as(shell.err())
                .isZero();
        ArrayDescription read = ArrayDescription.read(file);
        assertThat(read.text()).contains("node.0.tls-port=12000\n", "node.1.tls-port=12001\n");
        assertThat(read.options(1, scratch).addresses().tlsPort()).hasValue(12_001);
        assertThat(description().options(0, scratch).addresses().tlsPort())
                .as("it is asked for")
                .isEmpty();
    }

    @Test
    void readsNodesThatServeTlsAlone() {
        String nodes = "127.0.0.1:7000,127.0.0.1:7001";
        assertThat(shell.array("init", file.toString(), "--nodes", nodes, "--client-tls-only"))
                .as(shell.err())
                .isZero();
        ArrayDescription read = ArrayDescription.read(file);
        assertThat(read.text()).contains("node.0.tls-port=12000\nnode.0.tls-only=true\n", "node.1.tls-only=true\n");
        assertThat(read.options(1, scratch).addresses().tlsOnly()).isTrue();
        assertThat(ArrayStatus.ask(read, NodeAccess.OPEN).nodes().getFirst().failure())
                .isEqualTo("the node listens only for TLS clients, on 127.0.0.1:12000: give --tls-ca-cert-file");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "true | node.1.tls-only=true: it needs a node.1.tls-port",
                "on | node.1.tls-only=on: it is neither true nor false",
            })
    void saysWhatIsWrongWithTlsAlone(String value, String error) throws IOException {
        Files.writeString(file, description().text() + "node.1.tls-only=" + value + "\n");
        assertThatThrownBy(() -> ArrayDescription.read(file))
                .isInstanceOf(LarderException.class)
                .hasMessage(file + ": " + error);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "65536 | node.1.tls-port=65536: a port is 1 to 65535",
                "0 | node.1.tls-port=0: a port is 1 to 65535",
                "many | node.1.tls-port=many: it is not a whole number",
                "7001 | node.1.clients and node.1.tls-port are both 127.0.0.1:7001",
                "17001 | node.1.raft and node.1.tls-port are both 127.0.0.1:17001",
                "7002 | node.1.tls-port and node.2.clients are both 127.0.0.1:7002",
            })
    void saysWhatIsWrongWithAPortForTls(String port, String error) throws IOException {
        Files.writeString(file, description().text() + "node.1.tls-port=" + port + "\n");
        assertThatThrownBy(() -> ArrayDescription.read(file))
                .isInstanceOf(LarderException.class)
                .hasMessage(file + ": " + error);
    }

    @Test
    void aNodeServesTlsOnlyAsDescribed() {
        String folder = scratch.resolve("node").toString();
        assertThat(shell.array("init", file.toString(), "--nodes", "127.0.0.1:7000", "--client-tls"))
                .isZero();
        assertThat(shell.array("serve", file.toString(), "--node", "0", folder)).isEqualTo(2);
        assertThat(shell.err())
                .contains("tls-port 12000: TLS needs a tls-cert-file, and none is given")
                .hasLineCount(1);
        assertThat(shell.array("serve", file.toString(), "--node", "0", folder, "--tls-port", "6380"))
                .isEqualTo(2);
        assertThat(shell.err()).contains("node.0.tls-port=6380").hasLineCount(1);
    }

    @Test
    void isWrittenOnce() {
        description().write(file);
        assertThatThrownBy(() -> description().write(file))
                .isInstanceOf(LarderException.class)
                .hasMessage(file + " exists already; init does not overwrite it");
    }

    /** Each error names the file, the key, the value, and what is wrong. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "version=1 | version=2 | version=2: this larder reads version 1",
                "array=00000000-0000-0004-0000-000000000002 | array=mine | array=mine: it is not a UUID",
                "stripes=3 | stripes=many | stripes=many: it is not a whole number",
                "stripes=3 | stripes=1025 | stripes: 1025 is not within 1 and 1024",
                "mirrors=3 | mirrors=4 | mirrors: 4 is not within 1 and 3, with 3 nodes",
                "mirrors=3 | mirror=3 | mirror=3: there is no such key",
                "mirrors=3 | # | mirrors is missing",
                "founders=0,1,2 | founders=0,x | founders=0,x: it is not a list of nodes' numbers",
                "founders=0,1,2 | founders=0,1 | mirrors: 3 is not within 1 and 2, with 2 nodes",
                "node.1.raft=127.0.0.1:17001 | # | node.1.raft is missing",
                "node.1.raft=127.0.0.1:17001 | node.1.raft=17001 | node.1.raft=17001: it is not HOST:PORT",
                "node.1.raft=127.0.0.1:17001 | node.1.raft=127.0.0.1:0 | node.1.raft=127.0.0.1:0: a port is 1 to 65535",
                "node.1.raft=127.0.0.1:17001 | node.1.raft=127.0.0.1:7002"
                        + " | node.1.raft and node.2.clients are both 127.0.0.1:7002",
                "node.1.raft=127.0.0.1:17001 | node.70000.raft=127.0.0.1:17001 | node.1.raft is missing",
            })
    void saysWhatIsWrong(String line, String replacement, String error) throws IOException {
        assertThat(description().text()).contains(line + "\n");
        Files.writeString(file, description().text().replace(line + "\n", replacement + "\n"));
        assertThatThrownBy(() -> ArrayDescription.read(file))
                .isInstanceOf(LarderException.class)
                .hasMessage(file + ": " + error);
    }

    /** Regression: a power loss could leave an empty file under the name, and the node did not start. */
    @Test
    void aFileIsSyncedBeforeItCounts() throws IOException {
        Path events = scratch.resolve("events.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.FileForce").withoutThreshold();
            recording.start();
            description().write(file);
            description().replace(file);
            recording.stop();
            recording.dump(events);
        }
        assertThat(RecordingFile.readAllEvents(events))
                .extracting(event -> event.getString("path"))
                .contains(file.toString(), file + ".tmp");
    }

    /** Who may read the file is the operator's choice. */
    @ParameterizedTest
    @EnabledOnOs({OS.LINUX, OS.MAC})
    @ValueSource(strings = {"rw-------", "rw-rw-rw-"})
    void replacingAFileKeepsItsPermissions(String permissions) throws IOException {
        Files.writeString(file, description().text());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        boolean isRoot = Files.getAttribute(file, "unix:uid").equals(0);
        if (isRoot) {
            Files.setAttribute(file, "unix:uid", 65_534);
        }
        Files.writeString(file.resolveSibling(file.getFileName() + ".tmp"), "left by a killed process");
        description().replace(file);
        assertThat(file).hasContent(description().text());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo(permissions);
        if (isRoot) {
            assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(65_534);
        }
    }

    @Test
    void refusesWhatABackupOrAnUpgradeCannotMean() {
        description().write(file);
        Path to = scratch.resolve("backup");
        for (String rate : List.of("0", "100KiB/s", "65GiB")) {
            assertThat(shell.array("backup", file.toString(), to.toString(), "--rate", rate))
                    .isEqualTo(2);
            assertThat(shell.err()).startsWith("larder: --rate: ").contains(" is not within 1048576 and 68719476736");
            assertThat(to).doesNotExist();
        }
        for (String patience : List.of("-5", "0", "86401")) {
            assertThat(shell.array("upgrade", file.toString(), "--patience", patience))
                    .isEqualTo(2);
            assertThat(shell.err()).startsWith("larder: --patience: " + patience + " is not within 1 and 86400");
        }
    }

    /** The host name of a node that is gone may be gone as well. The node is removed nevertheless, and the others start. */
    @Test
    void theHostOfAnotherNodeNeedNotBeKnown() throws IOException {
        Files.writeString(
                file, description().text().replace("node.1.clients=127.0.0.1", "node.1.clients=no-such-host.invalid"));
        ArrayDescription read = ArrayDescription.read(file);
        assertThat(read.text()).isEqualTo(Files.readString(file));
        assertThat(shell.array(
                        "create",
                        file.toString(),
                        "--node",
                        "1",
                        scratch.resolve("one").toString()))
                .isEqualTo(3);
        assertThat(shell.err()).contains("node 1 cannot listen on no-such-host.invalid:7001: the host is not known");
        assertThat(shell.array(
                        "create",
                        file.toString(),
                        "--node",
                        "0",
                        scratch.resolve("zero").toString()))
                .isEqualTo(3);
        assertThat(shell.err()).contains("node 1 is not on the loopback address, so the nodes need TLS");
    }

    @Test
    void initDescribesAWitness() {
        String nodes = "127.0.0.1:7000,127.0.0.1:7001,127.0.0.1:7002";
        int code = shell.array("init", file.toString(), "--nodes", nodes, "--witness");
        assertThat(code).as(shell.err()).isZero();
        assertThat(shell.out()).contains("3 nodes, 3 stripes, 2 mirrors and a witness");
        ArrayOptions options = ArrayDescription.read(file).options(0, scratch);
        assertThat(options.mirrors()).isEqualTo(2);
        assertThat(options.witnesses()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--mirrors=1 | mirrors: 1 is not within 2 and 2, with 3 nodes and a witness",
                "--mirrors=3 | mirrors: 3 is not within 2 and 2, with 3 nodes and a witness",
                "--values-once | witnesses: 1, but the nodes write values only to stores (values-once): a witness has"
                        + " no store",
            })
    void initSaysWhatDoesNotGoWithAWitness(String option, String error) {
        String nodes = "127.0.0.1:7000,127.0.0.1:7001,127.0.0.1:7002";
        int code = shell.array("init", file.toString(), "--nodes", nodes, "--witness", option);
        assertThat(code).isEqualTo(2);
        assertThat(shell.err()).contains(error);
        assertThat(file).doesNotExist();
    }

    @Test
    void initDescribesNodes() {
        int code = shell.array(
                "init",
                file.toString(),
                "--nodes",
                "127.0.0.1:7000,127.0.0.1:7001",
                "--stripes",
                "8",
                "--mirrors",
                "1");
        assertThat(code).as(shell.err()).isZero();
        assertThat(shell.out()).contains("2 nodes, 8 stripes, 1 mirrors").hasLineCount(1);
        ArrayDescription read = ArrayDescription.read(file);
        assertThat(read.stripes()).isEqualTo(8);
        assertThat(read.mirrors()).isEqualTo(1);
        assertThat(read.options(1, scratch).nodes().get(1))
                .isEqualTo(ArrayDescription.addresses(HostAndPort.parse("127.0.0.1:7001")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "no-such-host.invalid:7000 | the host of no-such-host.invalid:7000 is not known",
                "127.0.0.1:45536 | port 45536 is not within 1 and 45535",
                "127.0.0.1:7000,127.0.0.1:7000 | node.0.clients and node.1.clients are both 127.0.0.1:7000",
                "127.0.0.1 | is not HOST:PORT",
            })
    void initRefusesAddresses(String nodes, String error) {
        assertThat(shell.array("init", file.toString(), "--nodes", nodes)).isEqualTo(2);
        assertThat(shell.err()).contains(error).hasLineCount(1);
        assertThat(file).doesNotExist();
    }

    @Test
    void nodesBeyondLoopbackNeedTls() {
        String folder = scratch.resolve("node").toString();
        assertThat(shell.array("init", file.toString(), "--nodes", "127.0.0.1:7000,192.0.2.1:7000"))
                .isZero();
        assertThat(shell.array("serve", file.toString(), "--node", "0", folder)).isEqualTo(3);
        assertThat(shell.err())
                .contains("node 1 is not on the loopback address")
                .hasLineCount(1);
        assertThat(shell.array("serve", file.toString(), "--node", "0", folder, "--node-key", "key.pem"))
                .isEqualTo(2);
        assertThat(shell.err()).contains("--node-cert").hasLineCount(1);
    }

    @Test
    void aFileOfTlsThatCannotBeUsedIsAUsageError() throws IOException {
        description().write(file);
        SelfSignedCertificate good = SelfSignedCertificate.make(scratch, "good");
        SelfSignedCertificate other = SelfSignedCertificate.make(scratch, "other");
        Path empty = Files.createFile(scratch.resolve("empty"));
        String pair = "the private key is not that of the certificate in " + good.certificate();
        for (String name : List.of("create", "serve", "restore")) {
            assertUsageError(name, empty, good.key(), good.certificate(), "--node-cert " + empty + ": is empty");
            assertUsageError(name, good.certificate(), other.key(), good.certificate(), other.key() + ": " + pair);
            assertUsageError(
                    name, good.certificate(), good.key(), good.key(), "--node-ca " + good.key() + ": holds no");
        }
    }

    private void assertUsageError(String name, Path certificate, Path key, Path authorities, String error) {
        Path folder = scratch.resolve("node");
        List<String> words = new ArrayList<>(List.of(name, file.toString(), "--node", "0", folder.toString()));
        words.addAll(List.of("--node-cert", certificate.toString(), "--node-key", key.toString()));
        words.addAll(List.of("--node-ca", authorities.toString()));
        if (name.equals("restore")) {
            words.addAll(List.of("--from", scratch.resolve("backup").toString()));
        }
        assertThat(shell.array(words.toArray(String[]::new))).isEqualTo(2);
        assertThat(shell.err()).contains(error).hasLineCount(1);
        assertThat(folder).doesNotExist();
    }

    @Test
    void aNodeMustBeDescribedAndMade() {
        description().write(file);
        String folder = scratch.resolve("node").toString();
        assertThat(shell.array("create", file.toString(), "--node", "3", folder))
                .isEqualTo(3);
        assertThat(shell.err()).contains(file + ": node 3 is not one of [0, 1, 2]");
        assertThat(shell.array("serve", file.toString(), "--node", "2", folder)).isEqualTo(3);
        assertThat(shell.err())
                .contains("array.ctl is missing. Either node 2 was never created")
                .hasLineCount(1);
        assertThat(shell.array("serve", file.toString(), "--node", "2", folder, "--port", "1"))
                .isEqualTo(2);
        assertThat(shell.err()).contains("Unknown option").contains("--port");
        assertThat(shell.array("create", file.toString(), "--node", "2", folder))
                .isZero();
        assertThat(shell.array("create", file.toString(), "--node", "2", folder))
                .isEqualTo(3);
        assertThat(shell.err()).contains("a node needs an empty folder");
    }
}
