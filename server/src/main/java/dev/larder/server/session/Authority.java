package dev.larder.server.session;

import dev.larder.resp.Command;
import dev.larder.resp.CommandFlag;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.resp.RequestParser;
import dev.larder.server.access.Denial;
import dev.larder.server.access.Permissions;
import dev.larder.server.access.User;
import dev.larder.server.push.ChannelKind;
import org.jspecify.annotations.Nullable;

/**
 * The user of a session, and its rights. A session begins as the default user, which is authenticated if no password is
 * needed.
 */
@SuppressWarnings("exports") // callers do not need the nullness annotations
public final class Authority {

    private final Node node;
    private final RequestParser parser;
    private volatile User user;
    private boolean authenticated;

    Authority(Node node, RequestParser parser) {
        this.node = node;
        this.parser = parser;
        this.user = node.users().standard();
        restart();
    }

    /** Returns to the state of a new connection. */
    void restart() {
        user = node.users().standard();
        setAuthenticated(isOpenToAll(user.permissions()));
    }

    private static boolean isOpenToAll(Permissions permissions) {
        return permissions.isEnabled() && permissions.isWithoutPassword();
    }

    private void setAuthenticated(boolean now) {
        authenticated = now;
        parser.setAuthenticated(now);
    }

    /** Returns the user. Any thread may call this. */
    public User user() {
        return user;
    }

    /** Returns whether the client is authenticated, or need not be. */
    public boolean isAuthenticated() {
        return isAuthenticated(user.permissions());
    }

    /** Returns the same, from the user's permissions. A client that has not authenticated is the default user. */
    private boolean isAuthenticated(Permissions permissions) {
        return authenticated || isOpenToAll(permissions);
    }

    /** Returns whether the user may listen to all channels that the session has subscribed to. */
    boolean allowsAll(Subscriptions subscriptions) {
        Permissions permissions = user.permissions();
        for (ChannelKind kind : ChannelKind.values()) {
            boolean pattern = kind == ChannelKind.PATTERN;
            if (!subscriptions.all(kind).stream().allMatch(source -> permissions.allowsChannel(source, pattern))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Sets the user, whose password was right. Returns false, and restarts, if the user was removed meanwhile: the code that
     * removes users looks for their sessions afterwards, and may have missed this one.
     */
    boolean become(User other) {
        user = other;
        setAuthenticated(true);
        boolean isThere = other.equals(node.users().find(other.name()));
        if (!isThere) {
            restart();
        }
        return isThere;
    }

    /**
     * Refuses a command that the client may not run.
     *
     * @throws ReplyException if the client may not run it
     */
    void require(Session session, Command command, Request request) {
        Permissions permissions = user.permissions(); // read once: other threads may change it meanwhile
        if (authenticated && permissions.isUnlimited()) {
            return;
        }
        if (!isAuthenticated(permissions) && !command.is(CommandFlag.NO_AUTH)) {
            throw new ReplyException("NOAUTH Authentication required.");
        }
        boolean within = session.transaction().isOpen();
        Denial denial = check(session, permissions, command, request, within);
        if (denial != null) {
            throw new ReplyException(denial.reply());
        }
    }

    /** Returns whether the client may run a command. A denial is not reported. */
    boolean allows(Command command, Request request) {
        Permissions permissions = user.permissions();
        return isAuthenticated(permissions)
                && (permissions.isUnlimited() || permissions.check(command, request) == null);
    }

    /**
     * Refuses a command of a transaction that the client may not run any more.
     *
     * @throws ReplyException if the client may not run it
     */
    void requireWithin(Session session, Command command, Request request) {
        Permissions permissions = user.permissions();
        if (authenticated && permissions.isUnlimited()) {
            return;
        }
        Denial denial = check(session, permissions, command, request, true);
        if (denial != null) {
            throw new ReplyException(denial.replyWithinTransaction());
        }
    }

    private @Nullable Denial check(
            Session session, Permissions permissions, Command command, Request request, boolean within) {
        Denial denial = permissions.check(command, request);
        if (denial != null) {
            node.listener().denied(session, denial.kind().text(), denial.object(), user.name(), within);
        }
        return denial;
    }

    /**
     * Authenticates the client as another user.
     *
     * @throws ReplyException if there is no such user, or the password is wrong
     */
    void authenticate(Session session, String name, byte[] password) {
        User found = node.users().authenticate(name, password);
        while (found != null && !become(found)) { // ACL LOAD may have made the same user anew meanwhile
            found = node.users().authenticate(name, password);
        }
        if (found == null) {
            node.listener()
                    .denied(session, "auth", "AUTH", name, session.transaction().isOpen());
            throw new ReplyException("WRONGPASS invalid username-password pair or user is disabled.");
        }
    }
}
