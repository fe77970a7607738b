package dev.larder.cli;

import java.net.InetSocketAddress;

/** An address on the command line: {@code host:port}. */
public final class HostAndPort {

    private static final int PORT_MAX = 65_535;

    private HostAndPort() {}

    /** Returns the address that a text names, and looks its host up. */
    public static InetSocketAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        String port = text.substring(colon + 1);
        if (colon < 1 || !port.matches("\\d{1,5}") || Integer.parseInt(port) > PORT_MAX) {
            throw new IllegalArgumentException("'" + text + "' is not HOST:PORT");
        }
        return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(port));
    }
}
