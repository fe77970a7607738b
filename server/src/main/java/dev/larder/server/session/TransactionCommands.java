package dev.larder.server.session;

import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.store.Bytes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code MULTI} and related commands. */
final class TransactionCommands {

    private TransactionCommands() {}

    static Map<String, SessionHandler> all() {
        return Map.of(
                "discard", TransactionCommands::discard,
                "exec", TransactionCommands::execute,
                "multi", TransactionCommands::open,
                "unwatch", TransactionCommands::unwatch,
                "watch", TransactionCommands::watch);
    }

    private static void open(Session session, Request request) {
        if (session.transaction().isOpen()) {
            session.reply().error("ERR MULTI calls can not be nested"); // not thrown: the open transaction continues
            return;
        }
        session.transaction().open();
        session.reply().ok();
    }

    private static void discard(Session session, Request request) {
        if (!session.transaction().isOpen()) {
            throw new ReplyException("ERR DISCARD without MULTI");
        }
        session.transaction().discard();
        session.reply().ok();
    }

    private static void execute(Session session, Request request) {
        Transaction transaction = session.transaction();
        if (!transaction.isOpen()) {
            throw new ReplyException("ERR EXEC without MULTI");
        }
        if (transaction.isSpoiled()) {
            transaction.discard();
            throw new ReplyException("EXECABORT Transaction discarded because of previous errors.");
        }
        session.runner().execute();
    }

    private static void watch(Session session, Request request) {
        Transaction transaction = session.transaction();
        if (transaction.isOpen()) {
            session.reply().error("ERR WATCH inside MULTI is not allowed"); // not thrown: the transaction continues
            return;
        }
        Deque<Bytes> keys = new ArrayDeque<>();
        for (int i = 1; i < request.count(); i++) {
            keys.add(Bytes.of(request, i).copy());
        }
        session.runner().runOrWait(() -> watch(session, keys));
    }

    /** Watches the keys that are not watched yet. If one is not ready, this runs again, from that key on. */
    private static void watch(Session session, Deque<Bytes> keys) {
        Transaction transaction = session.transaction();
        for (@Nullable Bytes key = keys.peek(); key != null; key = keys.peek()) {
            if (!transaction.watches(session.databaseIndex(), key)) {
                transaction.watch(session.database().watch(session.databaseIndex(), key));
            }
            keys.remove();
        }
        session.reply().ok();
    }

    private static void unwatch(Session session, Request request) {
        session.transaction().unwatch();
        session.reply().ok();
    }
}
