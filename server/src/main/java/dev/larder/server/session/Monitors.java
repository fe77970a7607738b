package dev.larder.server.session;

import dev.larder.resp.Command;
import dev.larder.resp.CommandFlag;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.Request;
import dev.larder.server.push.Push;
import java.time.Instant;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The clients that see the commands of all clients, behind these commands' replies. Thread-safe. */
final class Monitors {

    private static final int NANOS_A_MICROSECOND = 1000;

    /** A line that shows a command. */
    record Line(String text) implements Push {
        @Override
        public int sizeBytes() {
            return text.length() + 3;
        }

        @Override
        public void writeTo(ReplyEncoder reply) {
            reply.status(text);
        }
    }

    private final Set<Session> all = ConcurrentHashMap.newKeySet();
    private volatile boolean used;

    Monitors() {}

    /** Returns whether there are any such clients. */
    boolean isUsed() {
        return used;
    }

    synchronized void add(Session session) {
        all.add(session);
        used = true;
    }

    synchronized void remove(Session session) {
        all.remove(session);
        used = !all.isEmpty();
    }

    /** Shows a command that was run. Commands for operators, and those with passwords, are not shown. */
    void show(Session session, Command command, Request request) {
        if (used && !command.is(CommandFlag.SKIP_MONITOR) && !command.is(CommandFlag.ADMIN)) {
            Line line = new Line(text(session, request));
            all.forEach(monitor -> monitor.pushes().inbox().take(line));
        }
    }

    private static String text(Session session, Request request) {
        Instant now = Instant.now();
        StringBuilder text = new StringBuilder()
                .append(now.getEpochSecond())
                .append(String.format(Locale.ROOT, ".%06d", now.getNano() / NANOS_A_MICROSECOND))
                .append(" [")
                .append(session.databaseIndex())
                .append(' ')
                .append(session.link().remoteAddress())
                .append(']');
        for (int i = 0; i < request.count(); i++) {
            text.append(' ');
            quote(request.bytes(i), text);
        }
        return text.toString();
    }

    private static void quote(byte[] argument, StringBuilder text) {
        text.append('"');
        for (byte one : argument) {
            switch (one) {
                case '"', '\\' -> text.append('\\').append((char) one);
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                case 7 -> text.append("\\a");
                case '\b' -> text.append("\\b");
                default -> {
                    if (one >= ' ' && one <= '~') {
                        text.append((char) one);
                    } else {
                        text.append(String.format(Locale.ROOT, "\\x%02x", one));
                    }
                }
            }
        }
        text.append('"');
    }
}
