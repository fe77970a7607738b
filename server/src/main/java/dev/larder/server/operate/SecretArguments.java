package dev.larder.server.operate;

import dev.larder.resp.Request;
import java.util.Set;

/** Arguments that are passwords, or may be. The slow log does not show them. */
final class SecretArguments {

    private static final Set<String> SECRETS = Set.of("requirepass", "masterauth", "masteruser", "tls-key-file-pass");

    private SecretArguments() {}

    static boolean isSecret(Request request, int argument) {
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
        for (int i = 2; i < argument; i++) {
            if (request.is(i, "auth") && argument - i <= 2) {
                return true;
            }
        }
        return false;
    }
}
