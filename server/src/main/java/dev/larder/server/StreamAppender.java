package dev.larder.server;

import dev.larder.resp.Command;
import dev.larder.resp.CommandTable;
import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.Request;
import dev.larder.server.command.Call;
import dev.larder.server.command.Commands;
import dev.larder.server.command.Database;
import dev.larder.server.command.Handler;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Appends entries to a stream of a server in this JVM, without a socket: as {@code XADD key * field value ...} does. It takes
 * the lock of the stream, chooses the ids, and wakes the clients that wait. Nothing else may append to the queue of a stream.
 * Threads take turns.
 *
 * {@snippet :
 * StreamAppender orders = server.appender("orders");
 * String id = orders.append("item", "apple", "count", "3");
 * }
 */
public final class StreamAppender {

    private static final Command COMMAND =
            Objects.requireNonNull(CommandTable.standard().find("xadd"), "XADD");
    private static final Handler HANDLER = Objects.requireNonNull(Commands.handler(COMMAND), "XADD");
    private static final byte[] NAME = {'X', 'A', 'D', 'D'};
    private static final byte[] NEXT_ID = {'*'};
    private static final char ERROR = '-';

    private final Database database;
    private final int index;
    private final byte[] key;

    StreamAppender(Database database, int index, byte[] key) {
        this.database = database;
        this.index = index;
        this.key = key.clone();
    }

    /**
     * Appends an entry of texts, as UTF-8: a field, its value, the next field; returns its id.
     *
     * @throws IllegalStateException if the key holds something else than a stream
     */
    public String append(String... fieldsAndValues) {
        List<byte[]> bytes = new ArrayList<>();
        for (String one : fieldsAndValues) {
            bytes.add(one.getBytes(StandardCharsets.UTF_8));
        }
        return append(bytes);
    }

    /** Appends an entry of bytes: a field, its value, the next field; returns its id. The errors are those of texts. */
    public String append(List<byte[]> fieldsAndValues) {
        if (fieldsAndValues.isEmpty() || fieldsAndValues.size() % 2 != 0) {
            throw new IllegalArgumentException(
                    fieldsAndValues.size() + " fields and values: expected pairs, at least one");
        }
        List<byte[]> arguments = new ArrayList<>(List.of(NAME, key, NEXT_ID));
        arguments.addAll(fieldsAndValues);
        return run(Request.of(arguments));
    }

    private synchronized String run(Request request) {
        ReplyBuffer buffer = new ReplyBuffer();
        if (database.run(new Call(COMMAND, HANDLER, request, index, new ReplyEncoder(buffer)))) {
            awaitCommit();
        }
        String reply = new String(buffer.toByteArray(), StandardCharsets.UTF_8);
        String[] lines = reply.split("\r\n", 3);
        if (reply.charAt(0) == ERROR) {
            throw new IllegalStateException(lines[0].substring(1));
        }
        return lines[1]; // behind the length of the id
    }

    private void awaitCommit() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        database.commit(error -> {
            if (error == null) {
                done.complete(null);
            } else {
                done.completeExceptionally(error);
            }
        });
        done.join();
    }
}
