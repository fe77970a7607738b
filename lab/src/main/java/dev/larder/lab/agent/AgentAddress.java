package dev.larder.lab.agent;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where an agent listens, and the token that it asks for: {@code TOKEN@HOST:PORT}, or {@code HOST:PORT} with the token in
 * the environment variable {@value #TOKEN_VARIABLE}.
 *
 * @param host name or address; an IPv6 address in brackets
 * @param port that it listens at
 * @param token a secret, never a part of a result
 */
public record AgentAddress(String host, int port, String token) {

    /** The environment variable that holds a token. */
    public static final String TOKEN_VARIABLE = "LARDER_AGENT_TOKEN";

    private static final Pattern TEXT = Pattern.compile("(?:([^@]+)@)?(\\[[0-9a-fA-F:.%]+]|[^@:\\[\\]]+):(\\d{1,5})");
    private static final int PORT_MAX = 65_535;

    /**
     * Returns the address that a text names.
     *
     * @throws IllegalArgumentException with what was found and what is accepted
     */
    public static AgentAddress parse(String text) {
        return parse(text, System.getenv(TOKEN_VARIABLE));
    }

    static AgentAddress parse(String text, @Nullable String standardToken) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches() || Integer.parseInt(matcher.group(3)) > PORT_MAX) {
            throw new IllegalArgumentException("not an agent: '" + hidden(text)
                    + "' (write TOKEN@HOST:PORT, as the agent prints it, or HOST:PORT and the token in "
                    + TOKEN_VARIABLE + ")");
        }
        String token = matcher.group(1) == null ? standardToken : matcher.group(1);
        if (token == null || token.isBlank()) {
            throw new IllegalArgumentException("no token for the agent at " + text + ": write TOKEN@HOST:PORT, as the"
                    + " agent prints it, or put the token into " + TOKEN_VARIABLE);
        }
        return new AgentAddress(matcher.group(2), Integer.parseInt(matcher.group(3)), token);
    }

    private static String hidden(String text) {
        int at = text.lastIndexOf('@');
        return at < 0 ? text : "...@" + text.substring(at + 1);
    }

    /** Returns {@code HOST:PORT}, without the token. */
    public String place() {
        return host + ":" + port;
    }

    /** Does not tell the token. */
    @Override
    public String toString() {
        return place();
    }
}
