package dev.larder.server.session;

import dev.larder.resp.Command;
import dev.larder.resp.CommandFlag;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.command.Call;
import dev.larder.server.command.Database.Watched;
import dev.larder.server.store.Bytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The transaction of a session: the commands that {@code MULTI} keeps for {@code EXEC}, and the keys that it watches. */
final class Transaction {

    /** A command that is kept, with its arguments. */
    record Queued(KnownCommand known, Request request) {}

    /** About how many bytes a kept command takes besides its arguments: its objects, and its place in the list. */
    private static final int COMMAND_BYTES = 300;

    /** How many bytes a kept argument takes besides its own: where it begins, its length, and room for growth. */
    private static final int ARGUMENT_BYTES = 4 * Integer.BYTES;

    /** About how many bytes a watched key takes besides the key, which is kept twice: here and where changes are counted. */
    private static final int WATCH_BYTES = 300;

    /** The commands that run at once, even if a transaction is open. */
    private static final Set<String> AT_ONCE = Set.of("exec", "discard", "multi", "watch", "quit", "reset");

    private final List<Queued> queued = new ArrayList<>();

    /** The watched keys of each database. */
    private final Map<Integer, Map<Bytes, Watched>> watched = new HashMap<>();

    private long queuedBytes;
    private long watchedBytes;
    private boolean open;
    private boolean spoiled;

    boolean isOpen() {
        return open;
    }

    boolean isSpoiled() {
        return spoiled;
    }

    void open() {
        open = true;
    }

    boolean keeps(Command command) {
        return !AT_ONCE.contains(command.name());
    }

    void add(KnownCommand known, Request request) {
        if (known.command().is(CommandFlag.NO_MULTI)) {
            throw new ReplyException("ERR Command not allowed inside a transaction");
        }
        Request copy = request.copy();
        queued.add(new Queued(known, copy));
        queuedBytes += COMMAND_BYTES
                + (long) ARGUMENT_BYTES * copy.count()
                + copy.buffer().capacity();
    }

    /** Makes an open transaction fail at its end: one of its commands was refused. */
    void spoil() {
        spoiled |= open;
    }

    void discard() {
        queued.clear();
        queuedBytes = 0;
        unwatch();
        open = false;
        spoiled = false;
    }

    /** Returns the commands, and ends the transaction except for the watched keys. */
    Queued[] take() {
        Queued[] taken = queued.toArray(Queued[]::new);
        queued.clear();
        queuedBytes = 0;
        open = false;
        spoiled = false;
        return taken;
    }

    /** Returns the watched keys, which stay watched until {@link #unwatch}. */
    List<Watched> watched() {
        return watched.values().stream().flatMap(keys -> keys.values().stream()).toList();
    }

    boolean watches(int database, Bytes key) {
        return watched.getOrDefault(database, Map.of()).containsKey(key);
    }

    void watch(Watched key) {
        watched.computeIfAbsent(key.database(), database -> new HashMap<>()).put(key.key(), key);
        watchedBytes += WATCH_BYTES + 2L * key.key().length();
    }

    /** Returns how many commands are kept. Another thread may see an earlier number. */
    int size() {
        return queued.size();
    }

    /** Returns about how many bytes the kept commands take. Another thread may see an earlier number. */
    long sizeBytes() {
        return queuedBytes;
    }

    /** Returns about how many bytes the watched keys take. Another thread may see an earlier number. */
    long watchedBytes() {
        return watchedBytes;
    }

    /** Returns whether one of the kept commands has a flag. */
    boolean has(CommandFlag flag) {
        return queued.stream().anyMatch(one -> one.known().command().is(flag));
    }

    /** Returns whether one of the kept commands writes. */
    boolean writes() {
        return queued.stream().anyMatch(one -> Pause.writes(one.known().command()));
    }

    void unwatch() {
        watched.values()
                .forEach(keys -> keys.values().forEach(key -> key.watch().close()));
        watched.clear();
        watchedBytes = 0;
    }

    /** Returns the calls of the commands about keys, each in the database that the commands before it select. */
    static List<Call> calls(Queued[] commands, Session session) {
        List<Call> calls = new ArrayList<>();
        int database = session.databaseIndex();
        for (Queued one : commands) {
            if (one.known().command().name().equals("select")) {
                database = ConnectionCommands.selected(session, one.request(), database);
            }
            if (one.known().onKeys() != null) {
                calls.add(new Call(
                        one.known().command(),
                        Objects.requireNonNull(one.known().onKeys()),
                        one.request(),
                        database,
                        session.reply(),
                        session.blocking()));
            }
        }
        return calls;
    }
}
