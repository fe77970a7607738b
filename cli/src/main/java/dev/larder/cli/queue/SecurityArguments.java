package dev.larder.cli.queue;

import dev.larder.queue.ConnectionSecurity;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for how the two sides of a connection authenticate each other. */
final class SecurityArguments {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--secret-file",
            paramLabel = "FILE",
            description = "A file with a secret that both hosts have: at least 32 random bytes, as from 'openssl rand "
                    + "-hex 32'. TLS encrypts, and each side proves that it has the secret.")
    private @Nullable Path secret;

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = "This side's certificate, in PEM. Both sides show one.")
    private @Nullable Path certificates;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "Its private key, in PKCS 8 without a password.")
    private @Nullable Path key;

    @Option(
            names = "--tls-ca",
            paramLabel = "FILE",
            description = "Certificates of authorities. This side trusts the certificates that they signed.")
    private @Nullable Path authorities;

    /** Returns the given security. A usage error names a missing option. */
    ConnectionSecurity parsed() {
        try {
            return parse();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private ConnectionSecurity parse() {
        boolean any = certificates != null || key != null || authorities != null;
        if (secret != null && any) {
            throw new IllegalArgumentException("give either --secret-file or the --tls-... options, not both");
        }
        if (secret != null) {
            return ConnectionSecurity.secret(secret);
        }
        if (certificates != null && key != null && authorities != null) {
            return ConnectionSecurity.certificates(certificates, key, authorities);
        }
        if (any) {
            throw new IllegalArgumentException("give --tls-cert, --tls-key and --tls-ca together");
        }
        return ConnectionSecurity.none();
    }
}
