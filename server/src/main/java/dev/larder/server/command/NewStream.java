package dev.larder.server.command;

import dev.larder.resp.ReplyException;
import dev.larder.server.dump.StreamDump;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.Store;
import org.jspecify.annotations.Nullable;

/**
 * The stream that a command may make, as far as its arguments show.
 *
 * @param target the store in which it will lie
 * @param key its key
 * @param source the key in the client's database that it will be a copy of; null if it is no copy
 * @param replaces whether it replaces the value of its key
 */
@SuppressWarnings("exports") // callers do not need the nullness annotations
public record NewStream(Store target, Bytes key, @Nullable Bytes source, boolean replaces) {

    /** Returns the stream of a command that has begun; null if it makes none. */
    public static @Nullable NewStream of(String command, Execution execution) {
        try {
            return switch (command) {
                case "xadd" -> StreamAdd.parse(execution).onlyIfPresent() ? null : missing(execution, 1);
                case "xgroup|create" ->
                    GroupCommands.Options.parse(execution, true).makesStream() ? missing(execution, 2) : null;
                case "copy" -> copied(execution);
                case "move" -> moved(execution);
                case "restore" -> restored(execution);
                default -> null;
            };
        } catch (ReplyException e) { // the command reports it itself
            return null;
        }
    }

    private static NewStream missing(Execution execution, int key) {
        return new NewStream(execution.store(), execution.argument(key), null, false);
    }

    private static NewStream copied(Execution execution) {
        KeyCommands.CopyOptions options = KeyCommands.CopyOptions.parse(execution);
        return new NewStream(options.target(), execution.argument(2), execution.argument(1), options.replace());
    }

    private static NewStream moved(Execution execution) {
        Bytes key = execution.argument(1);
        return new NewStream(KeyCommands.otherStore(execution, 2), key, key, false);
    }

    private static @Nullable NewStream restored(Execution execution) {
        DumpCommands.Options options = DumpCommands.Options.parse(execution);
        return StreamDump.isStream(execution.argument(3))
                ? new NewStream(execution.store(), execution.argument(1), null, options.replace())
                : null;
    }
}
