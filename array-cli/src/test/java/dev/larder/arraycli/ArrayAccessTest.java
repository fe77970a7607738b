package dev.larder.arraycli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.array.ArrayNode;
import dev.larder.array.ArrayOptions;
import dev.larder.array.NodeAddresses;
import dev.larder.arraycli.state.ArrayDescription;
import dev.larder.arraycli.state.ArrayStatus;
import dev.larder.arraycli.state.ArrayView;
import dev.larder.arraycli.state.NodeAccess;
import dev.larder.memory.LarderException;
import dev.larder.server.Configuration;
import dev.larder.tests.support.FreePorts;
import dev.larder.tests.support.SelfSignedCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands of an array whose nodes ask for a password, or speak TLS. */
final class ArrayAccessTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Map<String, String> ANONYMOUS = Map.of();
    private static final Map<String, String> OPERATOR = Map.of("LARDER_PASSWORD", "secret");

    @TempDir
    private static Path scratch;

    private static SelfSignedCertificate certificate;
    private static ArrayDescription description;
    private static Path file;
    private static ArrayNode node;

    private static int others;

    private final ArrayShell shell = new ArrayShell();

    @BeforeAll
    static void start() throws Exception {
        certificate = SelfSignedCertificate.make(scratch, "node");
        description = ArrayDescription.of(
                        new UUID(4, 6),
                        List.of(ArrayDescription.withTlsPort(ArrayDescription.addresses(FreePorts.takeNode()))))
                .with(2, 1, 0)
                .withSegmentBytes(4 << 20);
        file = scratch.resolve("array.properties");
        description.write(file);
        ArrayOptions options = description.options(0, scratch.resolve("node"));
        int port = Objects.requireNonNull(options.nodes().get(0)).clients().getPort();
        ArrayNode.create(options);
        node = ArrayNode.start(
                options,
                Configuration.defaults()
                        .with("port", Integer.toString(port))
                        .with("requirepass", "secret")
                        .with("tls-auth-clients", "no")
                        .with("tls-cert-file", certificate.certificate().toString())
                        .with("tls-key-file", certificate.key().toString()));
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static ArrayStatus status(Map<String, String> environment, String... arguments) {
        return ArrayStatus.askAll(description, access(environment, arguments));
    }

    private static NodeAddresses only(ArrayDescription described) {
        return described.nodes().values().iterator().next();
    }

    private static NodeAccess access(Map<String, String> environment, String... arguments) {
        AccessArguments parsed = new AccessArguments();
        new CommandLine(new Command(parsed)).parseArgs(arguments);
        return parsed.access(environment);
    }

    /** A command with these arguments alone. */
    @CommandLine.Command(name = "asks")
    private record Command(@CommandLine.Mixin AccessArguments access) {}

    private static void awaitServing(Map<String, String> environment, String... arguments) {
        await().atMost(PATIENCE).until(() -> status(environment, arguments).isServing());
    }

    @Test
    void thePasswordComesFromTheEnvironment() {
        awaitServing(OPERATOR);
        awaitServing(Map.of("LARDER_USER", "default", "LARDER_PASSWORD", "secret"));
        assertThat(status(ANONYMOUS).nodes().getFirst().failure()).startsWith("NOAUTH ");
        assertThat(status(Map.of("LARDER_PASSWORD", "wrong")).nodes().getFirst().failure())
                .startsWith("WRONGPASS ");
        assertThat(shell.array("status", file.toString())).isEqualTo(1);
        assertThat(shell.out()).contains("node 0 does not answer: NOAUTH ");
        assertThat(shell.array("rebalance", file.toString())).isEqualTo(3);
        assertThat(shell.err()).contains("no node answers: node 0: NOAUTH ");
        assertThatThrownBy(() -> access(Map.of("LARDER_USER", "ann")))
                .isInstanceOf(LarderException.class)
                .hasMessage("LARDER_USER is ann, but LARDER_PASSWORD is not set");
        assertThat(access(OPERATOR).toString()).doesNotContain("secret");
    }

    @Test
    void aChangeNeedsThePasswordToo() {
        awaitServing(OPERATOR);
        NodeAccess operator = access(OPERATOR);
        ArrayView view = ArrayView.ask(description, operator);
        assertThatThrownBy(() -> view.propose(
                        description,
                        NodeAccess.OPEN,
                        view.record().withVersion(view.record().version() + 1)))
                .isInstanceOf(LarderException.class)
                .hasMessageContaining("NOAUTH");
        view.propose(
                description, operator, view.record().withVersion(view.record().version() + 1));
        assertThat(ArrayView.ask(description, operator).record().version())
                .isEqualTo(view.record().version() + 1);
    }

    @Test
    void aCommandUsesTheNodesPortsForTls() {
        String authority = certificate.certificate().toString();
        awaitServing(OPERATOR, "--tls-ca-cert-file", authority);
        assertThat(status(OPERATOR, "--tls-ca-cert-file", authority)
                        .nodes()
                        .getFirst()
                        .address())
                .isEqualTo(ArrayDescription.text(only(description).clients(true).orElseThrow()));
        String own = certificate.certificate().toString();
        awaitServing(
                OPERATOR,
                "--tls-ca-cert-file",
                authority,
                "--tls-cert-file",
                own,
                "--tls-key-file",
                certificate.key().toString());
    }

    @Test
    void aNodeOfAnotherAuthorityIsNotTold() {
        awaitServing(OPERATOR);
        SelfSignedCertificate other = SelfSignedCertificate.make(scratch, "other" + others++);
        ArrayStatus status =
                status(OPERATOR, "--tls-ca-cert-file", other.certificate().toString());
        assertThat(status.nodes().getFirst().isThere()).isFalse();
        assertThat(status.nodes().getFirst().failure()).contains("certification path");
    }

    @Test
    void aNodeWithoutAPortForTlsIsNamed() {
        ArrayDescription plain =
                ArrayDescription.of(new UUID(4, 6), List.of(only(description).withTlsPort(OptionalInt.empty())));
        NodeAccess access =
                access(OPERATOR, "--tls-ca-cert-file", certificate.certificate().toString());
        assertThat(ArrayStatus.ask(plain, access).nodes().getFirst().failure())
                .isEqualTo(
                        "the node at " + ArrayDescription.text(only(plain).clients()) + " has no port for TLS clients");
    }

    @Test
    void wrongFilesAreNamed() throws Exception {
        Path empty = Files.writeString(scratch.resolve("empty.pem"), "");
        String authority = certificate.certificate().toString();
        assertUsageError("--tls-ca-cert-file " + empty + ": is empty", "--tls-ca-cert-file", empty.toString());
        Path backup = scratch.resolve("backup");
        assertThat(shell.array("backup", file.toString(), backup.toString(), "--tls-ca-cert-file", empty.toString()))
                .isEqualTo(2);
        assertThat(backup).doesNotExist();
        assertUsageError(
                "missing.pem",
                "--tls-ca-cert-file",
                scratch.resolve("missing.pem").toString());
        assertUsageError("needs --tls-ca-cert-file", "--tls-cert-file", authority, "--tls-key-file", authority);
        assertUsageError("give both or neither", "--tls-ca-cert-file", authority, "--tls-cert-file", authority);
        assertUsageError(
                "--tls-key-file ",
                "--tls-ca-cert-file",
                authority,
                "--tls-cert-file",
                authority,
                "--tls-key-file",
                SelfSignedCertificate.make(scratch, "other" + others++).key().toString());
    }

    private void assertUsageError(String error, String... arguments) {
        String[] words = new String[2 + arguments.length];
        words[0] = "status";
        words[1] = file.toString();
        System.arraycopy(arguments, 0, words, 2, arguments.length);
        assertThat(shell.array(words)).isEqualTo(2);
        assertThat(shell.err()).startsWith("larder: ").contains(error);
        assertThat(shell.out()).isEmpty();
    }
}
