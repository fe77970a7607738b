package dev.larder.server.command;

import dev.larder.resp.ReplyException;
import dev.larder.server.store.Bytes;
import dev.larder.server.stream.Group;
import dev.larder.server.stream.Stream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Names of groups and consumers: a character for each byte. */
final class GroupNames {

    private GroupNames() {}

    static String of(Execution execution, int argument) {
        Bytes bytes = execution.argument(argument);
        return new String(bytes.array(), bytes.offset(), bytes.length(), StandardCharsets.ISO_8859_1);
    }

    /**
     * Returns the name of a group or a consumer that the command may create. It is checked before anything is changed.
     *
     * @param what the kind of the named thing
     * @throws ReplyException if it is too long
     */
    static String mayBeNew(Execution execution, int argument, String what) {
        int bytes = execution.argument(argument).length();
        if (bytes > Group.NAME_MAX_BYTES) {
            throw new ReplyException("ERR the name of a " + what + " of " + bytes
                    + " bytes is too long: it has at most " + Group.NAME_MAX_BYTES + " bytes");
        }
        return of(execution, argument);
    }

    static void reply(Execution execution, String name) {
        execution.reply().bulk(name.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Returns the group that an argument names; null if there is no such group, or no stream. */
    static @Nullable Group find(Execution execution, @Nullable Stream stream, int argument) {
        return stream == null ? null : stream.groups().find(of(execution, argument));
    }

    static ReplyException noGroupOfKey(Execution execution, int key, int group) {
        return new ReplyException("NOGROUP No such consumer group '" + execution.argument(group) + "' for key name '"
                + execution.argument(key) + "'");
    }

    static ReplyException noKeyOrGroup(Execution execution, int key, int group) {
        return new ReplyException("NOGROUP No such key '" + execution.argument(key) + "' or consumer group '"
                + execution.argument(group) + "'");
    }
}
