package dev.larder.server.operate;

import dev.larder.resp.Request;
import dev.larder.server.config.Settings;
import dev.larder.server.session.SecretArguments;
import dev.larder.server.session.Session;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** The commands that took long, the newest first. Thread-safe. */
final class SlowLog {

    /**
     * A command that took long.
     *
     * @param id its number, from 0
     * @param second when it ended, in seconds since 1970
     * @param micros how long it took
     * @param arguments its arguments, cut
     * @param address the client's address
     * @param name the client's name, cut
     */
    record Entry(long id, long second, long micros, List<byte[]> arguments, String address, String name) {}

    private static final int ARGUMENTS_MAX = 32;
    private static final int ARGUMENT_MAX_BYTES = 128;
    private static final int MICRO_NANOS = 1000;
    private static final int MILLIS = 1000;

    private final Deque<Entry> entries = new ArrayDeque<>();
    private volatile long slowerThanNanos;
    private long most;
    private long nextId;

    SlowLog(Settings settings) {
        settings.onChange("slowlog-log-slower-than", value -> slowerThanNanos = nanos(Long.parseLong(value)));
        settings.onChange("slowlog-max-len", value -> setMost(Long.parseLong(value)));
    }

    private static long nanos(long micros) {
        return micros < 0 || micros > Long.MAX_VALUE / MICRO_NANOS ? Long.MAX_VALUE : micros * MICRO_NANOS;
    }

    boolean takes(long nanos) {
        return nanos >= slowerThanNanos;
    }

    private synchronized void setMost(long count) {
        most = count;
        cut();
    }

    private void cut() {
        while (entries.size() > most) {
            entries.removeLast();
        }
    }

    void add(Session session, Request request, long nanos) {
        List<byte[]> arguments = arguments(request);
        String address = session.link().remoteAddress();
        String name = text(cut(bytes(session.name())));
        long second = System.currentTimeMillis() / MILLIS;
        synchronized (this) {
            entries.addFirst(new Entry(nextId++, second, nanos / MICRO_NANOS, arguments, address, name));
            cut();
        }
    }

    private static List<byte[]> arguments(Request request) {
        List<byte[]> arguments = new ArrayList<>();
        boolean cut = request.count() > ARGUMENTS_MAX;
        int shown = cut ? ARGUMENTS_MAX - 1 : request.count();
        for (int i = 0; i < shown; i++) {
            arguments.add(SecretArguments.isSecret(request, i) ? bytes(SecretArguments.SHOWN) : cut(request.bytes(i)));
        }
        if (cut) {
            arguments.add(bytes("... (" + (request.count() - shown) + " more arguments)"));
        }
        return arguments;
    }

    private static byte[] cut(byte[] argument) {
        if (argument.length <= ARGUMENT_MAX_BYTES) {
            return argument;
        }
        byte[] more = bytes("... (" + (argument.length - ARGUMENT_MAX_BYTES) + " more bytes)");
        byte[] cut = Arrays.copyOf(argument, ARGUMENT_MAX_BYTES + more.length);
        System.arraycopy(more, 0, cut, ARGUMENT_MAX_BYTES, more.length);
        return cut;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8); // names of clients are of ASCII
    }

    synchronized List<Entry> newest(long count) {
        return entries.stream().limit(count).toList();
    }

    synchronized int size() {
        return entries.size();
    }

    synchronized void clear() {
        entries.clear();
    }
}
