package dev.larder.array.pull;

import dev.larder.array.pull.PullFrame.Operation;
import dev.larder.array.pull.PullFrame.Reason;
import dev.larder.array.pull.PullFrame.Refusal;
import dev.larder.memory.CorruptException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/** The requests of a node that pulls files, and their answers. Thread-safe. */
public final class PullLink {

    private static final int TRIES = 3;
    private static final long ANSWER_MOST_MILLIS = 5_000;

    private final ObjIntConsumer<ByteBuffer> requests;
    private final @Nullable PullSource source;

    /** Begins anywhere: an answer to an earlier process of this node must not have the number of a request of this one. */
    private final AtomicLong numbers = new AtomicLong(new SplittableRandom().nextLong());

    private final Map<Long, Request> open = new ConcurrentHashMap<>();

    /** A request that waits for the answer of a node. */
    private record Request(int node, CompletableFuture<PullFrame> answer) {}

    /**
     * Creates the requests of a node.
     *
     * @param requests sends a frame to a node; it may be lost
     * @param source serves the requests of other nodes
     */
    public PullLink(ObjIntConsumer<ByteBuffer> requests, PullSource source) {
        this.requests = requests;
        this.source = source;
    }

    /** Creates the requests of a program that is not a node, and serves no files. */
    public PullLink(ObjIntConsumer<ByteBuffer> requests) {
        this.requests = requests;
        this.source = null;
    }

    /**
     * Handles a request of a program that is not a node; does not wait.
     *
     * @throws CorruptException if the frame is not a request
     */
    public void asked(int program, ByteBuffer frame) {
        PullFrame read = PullFrame.decode(frame);
        switch (read.operation()) {
            case BEGIN, READ, END -> serve(program, read);
            default -> throw new CorruptException("a frame of a pull is not a request: " + read.operation());
        }
    }

    private void serve(int node, PullFrame request) {
        if (source != null) {
            source.received(node, request);
        }
    }

    /** Returns whether a request gets an answer. */
    public static boolean isAnswered(ByteBuffer request) {
        return PullFrame.decode(request).operation() != Operation.END;
    }

    /** Returns whether a frame belongs to a pull. */
    public static boolean isPull(ByteBuffer frame) {
        return frame.hasRemaining() && frame.get(frame.position()) == PullFrame.KIND;
    }

    /** Handles a frame of another node; does not wait. */
    public void received(int node, ByteBuffer frame) {
        PullFrame read = PullFrame.decode(frame);
        switch (read.operation()) {
            case BEGIN, READ, END -> serve(node, read);
            default -> {
                Request request = open.get(read.number());
                if (request != null && request.node() == node) {
                    request.answer().complete(read);
                }
            }
        }
    }

    /** Asks a node, again if no answer comes, and returns the body of the answer. */
    ByteBuffer ask(int node, Operation operation, ByteBuffer body, Operation expected)
            throws PullException, InterruptedException {
        for (int i = 0; i < TRIES; i++) {
            Optional<PullFrame> answer = askOnce(node, operation, body);
            if (answer.isPresent()) {
                return body(answer.get(), expected);
            }
        }
        throw new PullException(Reason.NOT_NOW, "node " + node + " does not answer");
    }

    /** Asks a node once; empty if the frame or its answer was lost. */
    private Optional<PullFrame> askOnce(int node, Operation operation, ByteBuffer body) throws InterruptedException {
        long number = numbers.incrementAndGet();
        CompletableFuture<PullFrame> answer = new CompletableFuture<>();
        open.put(number, new Request(node, answer));
        try {
            requests.accept(new PullFrame(operation, number, body).encode(), node);
            return Optional.of(answer.get(ANSWER_MOST_MILLIS, TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            open.remove(number);
        }
    }

    private static ByteBuffer body(PullFrame answer, Operation expected) throws PullException {
        if (answer.operation() == expected) {
            return answer.body();
        }
        if (answer.operation() == Operation.REFUSED) {
            Refusal refusal = PullFrame.refusal(answer.body());
            throw new PullException(refusal.reason(), refusal.text());
        }
        throw new PullException(Reason.NOT_NOW, "it answers " + answer.operation());
    }

    /** Sends a node a message to which there is no answer. */
    void tell(int node, Operation operation, ByteBuffer body) {
        requests.accept(new PullFrame(operation, numbers.incrementAndGet(), body).encode(), node);
    }
}
