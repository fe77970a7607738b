package dev.larder.server.session;

import dev.larder.resp.Request;
import java.util.Set;

/** Arguments that are passwords, or may be. The slow log and {@code MONITOR} do not show them. */
public final class SecretArguments {

    /** The text that is shown in place of such an argument. */
    public static final String SHOWN = "(redacted)";

    private static final Set<String> SECRETS = Set.of("requirepass", "masterauth", "masteruser", "tls-key-file-pass");

    private SecretArguments() {}

    /** Returns whether an argument may be a password. */
    public static boolean isSecret(Request request, int argument) {
        if (request.is(0, "acl")) {
            return argument > 1 && (request.is(1, "setuser") || request.is(1, "deluser") || request.is(1, "getuser"));
        }
        if (request.is(0, "auth")) {
            return argument > 0;
        }
        if (request.is(0, "hello")) {
            return isWithinAuth(request, argument);
        }
        return request.is(0, "config")
                && argument > 2
                && argument % 2 == 1
                && request.is(1, "set")
                && SECRETS.stream().anyMatch(name -> request.is(argument - 1, name));
    }

    private static boolean isWithinAuth(Request request, int argument) {
        for (int i = 1; i < argument; i++) { // the version may be missing, which is an error
            if (request.is(i, "auth") && argument - i <= 2) {
                return true;
            }
        }
        return false;
    }
}
