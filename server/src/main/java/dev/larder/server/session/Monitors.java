package dev.larder.server.session;

import dev.larder.resp.Command;
import dev.larder.resp.CommandFlag;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.Request;
import dev.larder.server.push.Push;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The clients that see the commands of all clients, behind these commands' replies. Thread-safe.
 *
 * <p>The loop that ran a command makes its line. So an argument shows its first 64 KiB, and a line ends with the first argument
 * behind 1 MiB of text. What is left out is counted:
 *
 * <pre>
 * 1700000000.000000 [0 127.0.0.1:5000] "SET" "k" "vvv...v"... (934464 more bytes)
 * 1700000000.000000 [0 127.0.0.1:5000] "MSET" "a" "1" ... ... (934464 more arguments)
 * </pre>
 */
final class Monitors {

    /** How many bytes of an argument are shown. */
    static final int ARGUMENT_MAX_BYTES = 64 << 10;

    /** The length of a line from which on no further argument is shown. */
    static final int LINE_MAX = 1 << 20;

    private static final HexFormat HEX = HexFormat.of();
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

    /** Shows a command that was run. Commands for operators are not shown, and passwords neither. */
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
        addArguments(request, text);
        return text.toString();
    }

    private static void addArguments(Request request, StringBuilder text) {
        for (int i = 0; i < request.count(); i++) {
            if (text.length() >= LINE_MAX) {
                text.append(" ... (").append(request.count() - i).append(" more arguments)");
                return;
            }
            text.append(' ');
            if (SecretArguments.isSecret(request, i)) {
                text.append('"').append(SecretArguments.SHOWN).append('"');
            } else {
                quote(request, i, text);
            }
        }
    }

    private static void quote(Request request, int argument, StringBuilder text) {
        int length = request.length(argument);
        int shown = Math.min(length, ARGUMENT_MAX_BYTES);
        int from = request.offset(argument);
        text.append('"');
        for (int i = from; i < from + shown; i++) {
            quote(request.buffer().get(i), text);
        }
        text.append('"');
        if (shown < length) {
            text.append("... (").append(length - shown).append(" more bytes)");
        }
    }

    private static void quote(byte one, StringBuilder text) {
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
                    HEX.toHexDigits(text.append("\\x"), one);
                }
            }
        }
    }
}
