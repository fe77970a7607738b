package dev.larder.server.session;

import dev.larder.server.access.Permissions;
import dev.larder.server.config.Settings;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Decides which connections are accepted: not too many, and from other hosts only if a password is set. Thread-safe. */
public final class Admission {

    private static final String PROTECTED =
            "DENIED Redis is running in protected mode because protected mode is enabled and no password is set for"
                + " the default user. In this mode connections are only accepted from the loopback interface. If you"
                + " want to connect from external computers to Redis you may adopt one of the following solutions: 1)"
                + " Just disable protected mode sending the command 'CONFIG SET protected-mode no' from the loopback"
                + " interface by connecting to Redis from the same host the server is running, however MAKE SURE Redis"
                + " is not publicly accessible from internet if you do so. Use CONFIG REWRITE to make this change"
                + " permanent. 2) Alternatively you can just disable the protected mode by editing the Redis"
                + " configuration file, and setting the protected mode option to 'no', and then restarting the server."
                + " 3) If you started the server manually just for testing, restart it with the '--protected-mode no'"
                + " option. 4) Setup a an authentication password for the default user. NOTE: You only need to do one"
                + " of the above things in order for the server to start accepting connections from the outside.";

    private final LongAdder refused = new LongAdder();
    private volatile boolean protects;
    private volatile long most;

    Admission(Settings settings) {
        settings.onChange("protected-mode", value -> protects = value.equals("yes"));
        settings.onChange("maxclients", value -> most = Long.parseLong(value));
    }

    /** Returns how many connections were refused. */
    public long refused() {
        return refused.sum();
    }

    void resetCounts() {
        refused.reset();
    }

    /** Returns why a connection is refused; null if it is accepted. */
    @Nullable
    String refusal(Session session) {
        Node node = session.node();
        if (node.sessions().size() > most) {
            refused.increment();
            return "ERR max number of clients reached";
        }
        Permissions standard = node.users().standard().permissions();
        if (protects
                && standard.isWithoutPassword()
                && !isLoopback(session.link().remoteAddress())) {
            refused.increment();
            return PROTECTED;
        }
        return null;
    }

    /** Returns whether an address, {@code host:port}, is of this machine. */
    public static boolean isLoopback(String address) {
        return address.startsWith("127.") || address.startsWith("[::1]") || address.startsWith("[0:0:0:0:0:0:0:1]");
    }
}
