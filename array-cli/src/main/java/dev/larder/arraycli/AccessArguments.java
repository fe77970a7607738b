package dev.larder.arraycli;

import dev.larder.arraycli.state.NodeAccess;
import dev.larder.memory.LarderException;
import dev.larder.serve.TlsArguments;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Mixin;

/** How a command reaches the nodes: TLS as its arguments say, the password as the environment says. */
final class AccessArguments {

    /** For the help of each command that asks nodes. */
    static final String PASSWORD =
            "The nodes' password comes from the environment variable LARDER_PASSWORD, and its user's name"
                    + " from LARDER_USER. With TLS the command uses the nodes' ports for TLS clients.";

    @Mixin
    private TlsArguments tls = new TlsArguments();

    /** Returns the access that the arguments and the environment describe. */
    NodeAccess access() {
        return access(System.getenv());
    }

    NodeAccess access(Map<String, String> environment) {
        Optional<String> password = Optional.ofNullable(environment.get("LARDER_PASSWORD"));
        Optional<String> user = Optional.ofNullable(environment.get("LARDER_USER"));
        if (user.isPresent() && password.isEmpty()) {
            throw new LarderException("LARDER_USER is " + user.get() + ", but LARDER_PASSWORD is not set");
        }
        return new NodeAccess(user, password, tls.tls());
    }
}
