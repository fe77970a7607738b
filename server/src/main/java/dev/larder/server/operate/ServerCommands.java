package dev.larder.server.operate;

import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.session.Node;
import dev.larder.server.session.Session;
import dev.larder.server.session.SessionHandler;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;

/** Commands on the server as a whole. */
final class ServerCommands {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");
    private static final int MICROS = 1000;
    private static final int MILLIS = 1000;

    private final Runnable stop;
    private final Checkpoints checkpoints;
    private final ThreadFactory threads;
    private final AtomicBoolean stopping = new AtomicBoolean();

    ServerCommands(Runnable stop, Checkpoints checkpoints) {
        this(stop, checkpoints, Thread.ofPlatform().name("larder-stop").factory());
    }

    /** Creates the commands; SHUTDOWN stops the server in a thread of the factory. */
    ServerCommands(Runnable stop, Checkpoints checkpoints, ThreadFactory threads) {
        this.stop = stop;
        this.checkpoints = checkpoints;
        this.threads = threads;
    }

    Map<String, SessionHandler> all() {
        return Map.of(
                "lolwut", ServerCommands::draw,
                "role", ServerCommands::role,
                "shutdown", this::shutDown,
                "time", ServerCommands::time);
    }

    private static void time(Session session, Request request) {
        long now = System.currentTimeMillis();
        session.reply().array(2);
        session.reply().text(Long.toString(now / MILLIS));
        session.reply().text(Long.toString(now % MILLIS * MICROS));
    }

    private static void role(Session session, Request request) {
        session.reply().array(3);
        session.reply().text("master");
        session.reply().integer(0);
        session.reply().array(0);
    }

    private static void draw(Session session, Request request) {
        session.reply()
                .verbatim(
                        "txt",
                        " ________\n|==  ==| \n|  oo  o| \n|==__==|\n\nLarder, as Redis ver. " + Node.VERSION + "\n");
    }

    /** Stops the server. Writes are synced in any case. NOSAVE only leaves out the checkpoint, also at the close of the maps. */
    private void shutDown(Session session, Request request) {
        boolean save = true;
        boolean abort = false;
        boolean saveGiven = false;
        for (int i = 1; i < request.count(); i++) {
            if (request.is(i, "abort")) {
                abort = true;
            } else if (!saveGiven && (request.is(i, "save") || request.is(i, "nosave"))) {
                saveGiven = true;
                save = request.is(i, "save");
            } else if (!request.is(i, "now") && !request.is(i, "force")) {
                throw ReplyException.syntax();
            }
        }
        if (abort && request.count() > 2) {
            throw ReplyException.syntax();
        }
        if (abort) {
            throw new ReplyException("ERR No shutdown in progress.");
        }
        stopSoon(save);
    }

    private void stopSoon(boolean save) {
        if (!stopping.compareAndSet(false, true)) {
            return;
        }
        try {
            threads.newThread(() -> stop(save)).start();
        } catch (Error e) { // no thread can be started: the operator may try again
            stopping.set(false);
            throw e;
        }
    }

    private void stop(boolean save) {
        try {
            if (save) {
                checkpoints.makeNow();
            } else {
                checkpoints.leaveOutLast();
            }
        } catch (RuntimeException e) {
            LOGGER.log(System.Logger.Level.ERROR, "the checkpoint before the stop failed: " + e, e);
        } finally {
            stop.run();
        }
    }
}
