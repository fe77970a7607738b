package dev.larder.array;

import dev.larder.array.pull.PullLink;
import dev.larder.memory.CorruptException;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.session.Session;
import dev.larder.server.session.SessionHandler;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * {@code CLUSTER PULL program [frame]}: lets a program that is not a node pull the files of a stripe. The program sends a
 * request, and takes the answers that are ready. No client waits for a file, so the program asks again for later answers. The
 * program chooses its number. Thread-safe.
 */
final class BackupRequests {

    private static final int ANSWERS_MOST = 8;
    private static final int PROGRAMS_MOST = 16;
    private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final int FRAME_ARGUMENT = 3;

    private static final class Mailbox {

        private final List<ByteBuffer> answers = new ArrayList<>();
        private long usedNanos = System.nanoTime();
    }

    /** The answers to each program. Programs have numbers below 0 here, nodes from 0 on. */
    private final Map<Integer, Mailbox> mailboxes = new LinkedHashMap<>();

    /** Returns the handler by the name of its command. */
    Map<String, SessionHandler> all(BiConsumer<Integer, ByteBuffer> requests) {
        return Map.of("cluster|pull", (session, request) -> run(session, request, requests));
    }

    private void run(Session session, Request request, BiConsumer<Integer, ByteBuffer> requests) {
        if (!request.isInteger(2) || request.integer(2) < 1 || request.integer(2) > Integer.MAX_VALUE) {
            throw new ReplyException("ERR the number of a program is within 1 and " + Integer.MAX_VALUE);
        }
        int program = (int) -request.integer(2);
        List<ByteBuffer> answers = take(program);
        if (request.count() > FRAME_ARGUMENT) {
            ByteBuffer frame = ByteBuffer.wrap(request.bytes(FRAME_ARGUMENT));
            try {
                if (!PullLink.isPull(frame)) {
                    throw new CorruptException("it is not a frame of a pull");
                }
                requests.accept(program, frame);
            } catch (CorruptException e) {
                throw new ReplyException("ERR " + e.getMessage());
            }
        }
        session.reply().array(answers.size());
        answers.forEach(answer -> {
            byte[] bytes = new byte[answer.remaining()];
            answer.get(bytes);
            session.reply().bulk(bytes);
        });
    }

    private synchronized List<ByteBuffer> take(int program) {
        long now = System.nanoTime();
        mailboxes.values().removeIf(old -> now - old.usedNanos >= IDLE_NANOS);
        if (!mailboxes.containsKey(program) && mailboxes.size() >= PROGRAMS_MOST) {
            throw new ReplyException("ERR " + PROGRAMS_MOST + " programs pull files already");
        }
        Mailbox mailbox = mailboxes.computeIfAbsent(program, key -> new Mailbox());
        mailbox.usedNanos = now;
        List<ByteBuffer> taken = List.copyOf(mailbox.answers);
        mailbox.answers.clear();
        return taken;
    }

    /** Keeps an answer until the program takes it. An answer that is not taken is dropped: the program asks again. */
    synchronized void answer(int program, ByteBuffer frame) {
        Mailbox mailbox = mailboxes.get(program);
        if (mailbox != null && mailbox.answers.size() < ANSWERS_MOST) {
            mailbox.answers.add(Objects.requireNonNull(frame));
        }
    }
}
