package dev.larder.server.operate;

import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.session.Admission;
import dev.larder.server.session.Session;
import dev.larder.server.session.SessionHandler;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;

/** {@code SAVE} and related commands: they make checkpoints. */
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

    /** {@code BGSAVE TO folder}: the folder is a path of the server's machine, so only clients on that machine may run it. */
    private void backUp(Session session, String folder) {
        if (!Admission.isLoopback(session.link().remoteAddress())) {
            throw new ReplyException("ERR BGSAVE TO is for clients on the server's machine");
        }
        Path to;
        try {
            to = Path.of(folder);
        } catch (InvalidPathException e) {
            throw new ReplyException("ERR BGSAVE TO: " + e.getMessage());
        }
        if (!to.isAbsolute() || Files.exists(to)) {
            throw new ReplyException("ERR BGSAVE TO needs the absolute path of a folder that does not exist yet");
        }
        if (!checkpoints.backupSoon(to)) {
            throw running();
        }
        session.reply().status("Background saving started");
    }

    private void saveSoon(Session session, Request request) {
        if (request.count() == 3 && request.is(1, "to")) {
            backUp(session, request.text(2));
            return;
        }
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
