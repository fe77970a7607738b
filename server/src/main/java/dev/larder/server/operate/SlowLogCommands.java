package dev.larder.server.operate;

import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.session.Session;
import dev.larder.server.session.SessionHandler;
import java.util.List;
import java.util.Map;

/** {@code SLOWLOG} and its subcommands. */
final class SlowLogCommands {

    private static final int COUNT = 10;

    private final SlowLog log;

    SlowLogCommands(SlowLog log) {
        this.log = log;
    }

    Map<String, SessionHandler> all() {
        return Map.of(
                "slowlog|get", this::get,
                "slowlog|len", (session, request) -> session.reply().integer(log.size()),
                "slowlog|reset", this::clear);
    }

    private void clear(Session session, Request request) {
        log.clear();
        session.reply().ok();
    }

    private void get(Session session, Request request) {
        if (request.count() > 3) {
            throw new ReplyException("ERR unknown subcommand or wrong number of arguments for '" + request.text(1)
                    + "'. Try SLOWLOG HELP.");
        }
        boolean number = request.count() == 2 || request.isInteger(2);
        long count = number && request.count() == 3 ? request.integer(2) : COUNT;
        if (!number || count < -1) {
            throw new ReplyException("ERR count should be greater than or equal to -1");
        }
        List<SlowLog.Entry> entries = log.newest(count == -1 ? Long.MAX_VALUE : count);
        session.reply().array(entries.size());
        entries.forEach(entry -> reply(session.reply(), entry));
    }

    private static void reply(ReplyEncoder reply, SlowLog.Entry entry) {
        reply.array(6);
        reply.integer(entry.id());
        reply.integer(entry.second());
        reply.integer(entry.micros());
        reply.array(entry.arguments().size());
        entry.arguments().forEach(reply::bulk);
        reply.text(entry.address());
        reply.text(entry.name());
    }
}
