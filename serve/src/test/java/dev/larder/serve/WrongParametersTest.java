package dev.larder.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Answer;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.cli.Streams;
import dev.larder.tests.support.FreePorts;
import dev.larder.tests.support.SelfSignedCertificate;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code larder serve} and {@code larder config check} with parameters that a server cannot start with. */
final class WrongParametersTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path scratch;

    private int larder(String... words) {
        out.reset();
        err.reset();
        PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
        return Larder.execute(new Streams(InputStream.nullInputStream(), new Answer(out), errors, false), words);
    }

    private void assertUsageError(String error, String... words) {
        assertThat(larder(words)).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualToNormalizingNewlines("larder: " + error + " (see larder serve --help)\n");
    }

    @Test
    void aFileOfTlsThatCannotBeUsed() throws IOException {
        SelfSignedCertificate good = SelfSignedCertificate.make(scratch, "good");
        Path empty = Files.createFile(scratch.resolve("empty"));
        Path absent = scratch.resolve("absent");
        String port = Integer.toString(FreePorts.takeOne());
        String data = scratch.resolve("data").toString();
        String certificate = good.certificate().toString();
        assertUsageError(
                "tls-cert-file " + empty + ": is empty",
                "serve",
                data,
                "--port",
                "0",
                "--tls-port",
                port,
                "--tls-cert-file",
                empty.toString(),
                "--tls-key-file",
                good.key().toString());
        assertUsageError(
                "tls-key-file " + absent + ": cannot be read: there is no such file",
                "serve",
                data,
                "--port",
                "0",
                "--tls-port",
                port,
                "--tls-cert-file",
                certificate,
                "--tls-key-file",
                absent.toString());
        assertThat(scratch.resolve("data")).doesNotExist();
        Path file = Files.writeString(
                scratch.resolve("larder.conf"),
                "dir " + data + "\ntls-port " + port + "\ntls-cert-file " + certificate + "\ntls-key-file "
                        + certificate + "\n");
        String reason = "tls-key-file " + certificate + ": holds no private key in PEM";
        assertUsageError(reason, "serve", "--config", file.toString());
        assertThat(larder("config", "check", file.toString())).isEqualTo(ExitCode.INVALID);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualToNormalizingNewlines(reason + "\n");
        assertThat(err.size()).isZero();
    }

    @Test
    void aParameterThatOnlyTheStartRefuses() {
        assertUsageError(
                "cluster-enabled yes: this server runs alone; only a node of an array is part of a cluster",
                "serve",
                scratch.toString(),
                "--port",
                "0",
                "--cluster-enabled",
                "yes");
    }
}
