package dev.larder.array.node;

import dev.larder.resp.Command;
import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.command.Call;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;

/**
 * Commands about all keys. On a node they cover the stripes that it leads: each stripe is asked, and the replies are merged.
 *
 * <pre>
 * DBSIZE     the sum
 * KEYS       concatenated
 * RANDOMKEY  of a random stripe, or of the next one that has keys
 * SCAN       one stripe after the other: | stripe | cursor within it 40 |
 * </pre>
 */
final class WholeKeys {

    private static final Set<String> WRITES = Set.of("flushall", "flushdb");
    private static final int STREAMS_BIT = 62;
    private static final int STRIPE_SHIFT = 40;

    /** The bits of a cursor within a stripe: those below the stripe's number, and the bit of the streams above it. */
    private static final long WITHIN = ((1L << STRIPE_SHIFT) - 1) | (1L << STREAMS_BIT);

    private static final int STRIPE_MASK = (1 << 10) - 1;

    private WholeKeys() {}

    /** Refuses a write that an array does not support. */
    static void requireAllowed(Command command) {
        if (!WRITES.contains(command.name())) {
            throw new ReplyException(
                    "ERR " + command.name().toUpperCase(Locale.ROOT) + " is not allowed in cluster mode");
        }
    }

    /**
     * Runs a read on the stripes that this node leads.
     *
     * @param reader runs the read on one stripe
     */
    static void read(List<Stripe> led, Call call, BiConsumer<Stripe, Call> reader) {
        switch (call.command().name()) {
            case "dbsize" ->
                call.reply()
                        .integer(led.stream()
                                .mapToLong(stripe -> integer(run(stripe, call, call.request(), reader)))
                                .sum());
            case "keys" -> keys(led, call, reader);
            case "randomkey" -> randomKey(led, call, reader);
            case "scan" -> scan(led, call, reader);
            default ->
                throw new ReplyException("ERR '" + call.command().name() + "' names no key, so no stripe can run it");
        }
    }

    private static String run(Stripe stripe, Call call, Request request, BiConsumer<Stripe, Call> reader) {
        ReplyBuffer buffer = new ReplyBuffer();
        ReplyEncoder reply = new ReplyEncoder(buffer);
        reply.setVersion(call.reply().version());
        reader.accept(stripe, new Call(call.command(), call.handler(), request, call.database(), reply));
        String text = new String(buffer.toByteArray(), StandardCharsets.ISO_8859_1);
        if (reply.errors() > 0) {
            throw new ReplyException(reply.lastError());
        }
        return text;
    }

    private static long integer(String reply) {
        return Long.parseLong(reply.substring(1, reply.length() - 2));
    }

    private static void write(Call call, String reply) {
        byte[] bytes = reply.getBytes(StandardCharsets.ISO_8859_1);
        call.reply().output().write(bytes, 0, bytes.length);
    }

    private static void keys(List<Stripe> led, Call call, BiConsumer<Stripe, Call> reader) {
        long count = 0;
        List<String> keys = new ArrayList<>();
        for (Stripe stripe : led) {
            String reply = run(stripe, call, call.request(), reader);
            int end = reply.indexOf('\n') + 1;
            count += integer(reply.substring(0, end));
            keys.add(reply.substring(end));
        }
        call.reply().array(count);
        keys.forEach(some -> write(call, some));
    }

    private static void randomKey(List<Stripe> led, Call call, BiConsumer<Stripe, Call> reader) {
        int first = led.isEmpty() ? 0 : ThreadLocalRandom.current().nextInt(led.size());
        for (int i = 0; i < led.size(); i++) {
            String reply = run(led.get((first + i) % led.size()), call, call.request(), reader);
            if (!reply.startsWith("$-1") && !reply.startsWith("_")) {
                write(call, reply);
                return;
            }
        }
        call.reply().nil();
    }

    private static void scan(List<Stripe> led, Call call, BiConsumer<Stripe, Call> reader) {
        long cursor = cursor(call.request().text(1));
        int number = (int) (cursor >>> STRIPE_SHIFT) & STRIPE_MASK;
        Stripe stripe =
                led.stream().filter(one -> one.number() >= number).findFirst().orElse(null);
        if (stripe == null) {
            call.reply().array(2);
            call.reply().text("0");
            call.reply().array(0);
            return;
        }
        long within = stripe.number() == number ? cursor & WITHIN : 0;
        String reply = run(stripe, call, withCursor(call.request(), within), reader);
        int cursorAt = reply.indexOf('\n', reply.indexOf('\n') + 1) + 1; // after *2 and the length of the cursor
        int end = reply.indexOf('\r', cursorAt);
        long next = next(led, stripe, Long.parseUnsignedLong(reply.substring(cursorAt, end)));
        call.reply().array(2);
        call.reply().text(Long.toUnsignedString(next));
        write(call, reply.substring(end + 2));
    }

    private static long next(List<Stripe> led, Stripe stripe, long within) {
        if (within != 0) {
            return within | (long) stripe.number() << STRIPE_SHIFT;
        }
        return led.stream()
                .filter(one -> one.number() > stripe.number())
                .findFirst()
                .map(one -> (long) one.number() << STRIPE_SHIFT)
                .orElse(0L);
    }

    private static long cursor(String text) {
        try {
            return Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw new ReplyException("ERR invalid cursor");
        }
    }

    private static Request withCursor(Request request, long cursor) {
        List<byte[]> arguments = new ArrayList<>();
        for (int i = 0; i < request.count(); i++) {
            arguments.add(i == 1 ? Long.toString(cursor).getBytes(StandardCharsets.US_ASCII) : request.bytes(i));
        }
        return Request.of(arguments);
    }
}
