package dev.larder.serve;

import dev.larder.memory.StorageException;
import dev.larder.queue.connection.PemFiles;
import dev.larder.queue.connection.TlsContexts;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The arguments of a command that may reach servers with TLS. Their names are those of a server's parameters. A server is known
 * by the authority of its certificate, not by its address.
 */
public final class TlsArguments {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--tls-ca-cert-file",
            paramLabel = "FILE",
            description = "PEM: connect with TLS, and trust certificates of these authorities.")
    private @Nullable Path authorities;

    @Option(
            names = "--tls-cert-file",
            paramLabel = "FILE",
            description = "PEM: the certificate that this command shows.")
    private @Nullable Path certificates;

    @Option(
            names = "--tls-key-file",
            paramLabel = "FILE",
            description = "PEM: its private key, in PKCS 8 without a password.")
    private @Nullable Path key;

    /** Creates arguments that are not given: connections are made without TLS. */
    public TlsArguments() {}

    /**
     * Returns what makes the sockets; empty without TLS.
     *
     * @throws ParameterException if an argument is missing, or a file does not hold what it should
     */
    public Optional<SSLSocketFactory> tls() {
        if ((certificates == null) != (key == null)) {
            throw wrong("--tls-cert-file and --tls-key-file belong together: give both or neither");
        }
        if (authorities == null) {
            if (certificates != null) {
                throw wrong("--tls-cert-file needs --tls-ca-cert-file: the authorities of the server's certificate");
            }
            return Optional.empty();
        }
        check("--tls-ca-cert-file", authorities, PemFiles::certificates);
        if (certificates == null || key == null) {
            return Optional.of(TlsContexts.trusting(authorities).getSocketFactory());
        }
        check("--tls-cert-file", certificates, PemFiles::certificates);
        check("--tls-key-file", key, PemFiles::key);
        try {
            return Optional.of(
                    TlsContexts.mutual(certificates, key, authorities).getSocketFactory());
        } catch (IllegalArgumentException e) {
            throw wrong("--tls-key-file " + e.getMessage());
        }
    }

    /** Reads a file first, so that an error names the option. */
    private void check(String option, Path file, Consumer<Path> reader) {
        try {
            reader.accept(file);
        } catch (IllegalArgumentException | StorageException e) {
            throw wrong(option + " " + e.getMessage());
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(command.commandLine(), message);
    }
}
