package dev.larder.server.operate;

import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.session.Session;
import dev.larder.server.session.SessionHandler;
import java.util.Map;

/** {@code SAVE} and what belongs to it: they make checkpoints. */
final class CheckpointCommands {

    private final Checkpoints checkpoints;

    CheckpointCommands(Checkpoints checkpoints) {
        this.checkpoints = checkpoints;
    }

    Map<String, SessionHandler> all() {
        return Map.of(
                "bgsave", this::saveSoon,
                "lastsave", (session, request) -> session.reply().integer(checkpoints.lastSecond()),
                "save", this::save);
    }

    private void save(Session session, Request request) {
        if (!checkpoints.makeNow()) {
            throw running();
        }
        session.reply().ok();
    }

    private static ReplyException running() {
        return new ReplyException("ERR Background save already in progress");
    }

    private void saveSoon(Session session, Request request) {
        boolean known = request.count() == 1 || (request.count() == 2 && request.is(1, "schedule"));
        if (!known) {
            throw ReplyException.syntax();
        }
        if (!checkpoints.makeSoon()) {
            throw running();
        }
        session.reply().status("Background saving started");
    }
}
