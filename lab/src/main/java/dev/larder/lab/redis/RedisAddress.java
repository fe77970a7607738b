package dev.larder.lab.redis;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server's address.
 *
 * @param host name or address
 * @param port from 1 to 65535
 */
record RedisAddress(String host, int port) {

    private static final Pattern TEXT = Pattern.compile("\\[?([^,@\\[\\]]+?)]?:(\\d{1,5})");
    private static final int PORT_MAX = 65_535;

    static boolean isOne(String text) {
        return TEXT.matcher(text).matches();
    }

    static RedisAddress parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a HOST:PORT: '" + text + "'");
        }
        int port = Integer.parseInt(matcher.group(2));
        if (port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException("no such port: '" + text + "' (1 to " + PORT_MAX + ")");
        }
        return new RedisAddress(matcher.group(1), port);
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
