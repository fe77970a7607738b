package dev.larder.server.command;

import dev.larder.resp.ReplyException;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeyEvent;
import dev.larder.server.stream.Group;
import dev.larder.server.stream.GroupConsumer;
import dev.larder.server.stream.Stream;
import dev.larder.server.stream.StreamId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code XGROUP} and {@code XACK}: groups of streams and their consumers. */
final class GroupCommands {

    private static final int CREATE_MOST = 8;
    private static final int SET_ID_MOST = 7;

    private GroupCommands() {}

    static Map<String, Handler> all() {
        return Map.of(
                "xack", GroupCommands::acknowledge,
                "xgroup|create", GroupCommands::create,
                "xgroup|createconsumer", GroupCommands::createConsumer,
                "xgroup|delconsumer", GroupCommands::removeConsumer,
                "xgroup|destroy", GroupCommands::destroy,
                "xgroup|setid", GroupCommands::setId);
    }

    /** The options of CREATE and SETID. */
    record Options(boolean makesStream, long read) {

        static Options parse(Execution execution, boolean create) {
            boolean makesStream = false;
            long read = Group.UNKNOWN;
            int at = 5;
            while (at < execution.count()) {
                if (create && execution.is(at, "mkstream")) {
                    makesStream = true;
                    at++;
                } else if (execution.is(at, "entriesread") && at + 1 < execution.count()) {
                    read = execution.integer(at + 1);
                    if (read < 0 && read != Group.UNKNOWN) {
                        throw new ReplyException("ERR value for ENTRIESREAD must be positive or -1");
                    }
                    at += 2;
                } else {
                    throw wrongSyntax(execution);
                }
            }
            return new Options(makesStream, read);
        }
    }

    private static ReplyException wrongSyntax(Execution execution) {
        return new ReplyException("ERR unknown subcommand or wrong number of arguments for '" + execution.argument(1)
                + "'. Try XGROUP HELP.");
    }

    /** Refuses a command with more arguments than it has if each option is given once. */
    private static void requireOnce(Execution execution, int most) {
        if (execution.count() > most) {
            throw wrongSyntax(execution);
        }
    }

    private static Stream require(@Nullable Stream stream) {
        if (stream == null) {
            throw new ReplyException("ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may"
                    + " want to use the MKSTREAM option to create an empty stream automatically.");
        }
        return stream;
    }

    private static Group requireGroup(Execution execution, Stream stream) {
        Group group = GroupNames.find(execution, stream, 3);
        if (group == null) {
            throw GroupNames.noGroupOfKey(execution, 2, 3);
        }
        return group;
    }

    private static void create(Execution execution) {
        Options options = Options.parse(execution, true);
        GroupNames.mayBeNew(execution, 3, "group");
        Bytes key = execution.argument(2);
        try (@Nullable Stream there = execution.store().stream(key)) {
            if (there != null || !options.makesStream()) {
                Stream stream = require(there);
                requireOnce(execution, CREATE_MOST);
                create(execution, stream, id(execution, stream), options);
                created(execution, KeyEvent.XGROUP_CREATE);
                return;
            }
        }
        requireOnce(execution, CREATE_MOST);
        StreamId id = id(execution, null);
        try (Stream _ = execution.store().createStream(key, made -> create(execution, made, id, options))) {
            created(execution, KeyEvent.XGROUP_MKSTREAM);
        }
    }

    private static void create(Execution execution, Stream stream, StreamId id, Options options) {
        String name = GroupNames.of(execution, 3);
        if (stream.groups().find(name) != null) {
            throw new ReplyException("BUSYGROUP Consumer Group name already exists");
        }
        stream.groups().add(name, id, options.read());
        stream.changed();
    }

    private static void created(Execution execution, KeyEvent event) {
        execution.tell(execution.argument(2), event);
        execution.reply().ok();
    }

    private static StreamId id(Execution execution, @Nullable Stream stream) {
        if (!execution.argument(4).toString().equals("$")) {
            return StreamIds.strict(execution, 4, 0);
        }
        return stream == null ? StreamId.ZERO : stream.last();
    }

    private static void setId(Execution execution) {
        Options options = Options.parse(execution, false);
        try (@Nullable Stream there = execution.store().stream(execution.argument(2))) {
            Stream stream = require(there);
            Group group = requireGroup(execution, stream);
            requireOnce(execution, SET_ID_MOST);
            boolean toEnd = execution.argument(4).toString().equals("$");
            group.setLast(toEnd ? stream.last() : StreamIds.any(execution.argument(4), 0), options.read());
            stream.changed();
            execution.tell(execution.argument(2), KeyEvent.XGROUP_SETID);
            execution.reply().ok();
        }
    }

    private static void destroy(Execution execution) {
        try (@Nullable Stream there = execution.store().stream(execution.argument(2))) {
            Stream stream = require(there);
            Group group = GroupNames.find(execution, stream, 3);
            if (group != null) {
                try {
                    stream.groups().remove(group);
                } finally { // on a full disk, parts of it may be removed
                    stream.changed();
                }
                execution.tell(execution.argument(2), KeyEvent.XGROUP_DESTROY);
            }
            execution.reply().integer(group == null ? 0 : 1);
        }
    }

    private static void createConsumer(Execution execution) {
        try (@Nullable Stream there = execution.store().stream(execution.argument(2))) {
            Stream stream = require(there);
            Group group = requireGroup(execution, stream);
            String name = GroupNames.mayBeNew(execution, 4, "consumer");
            boolean made = group.consumer(name) == null;
            if (made) {
                addConsumer(execution, stream, group, name, execution.argument(2));
            }
            execution.reply().integer(made ? 1 : 0);
        }
    }

    /** Creates a consumer, whose name must be free, and reports it. */
    static GroupConsumer addConsumer(Execution execution, Stream stream, Group group, String name, Bytes key) {
        GroupConsumer consumer = group.addConsumer(name, execution.store().nowMillis());
        stream.changed();
        execution.tell(key, KeyEvent.XGROUP_CREATECONSUMER);
        return consumer;
    }

    /** Returns the consumer with a name, which is created if it is missing, and records that it was seen. */
    static GroupConsumer consumer(Execution execution, Stream stream, Group group, String name, Bytes key) {
        GroupConsumer consumer = group.consumer(name);
        if (consumer == null) {
            return addConsumer(execution, stream, group, name, key);
        }
        group.saw(consumer, execution.store().nowMillis());
        return consumer;
    }

    private static void removeConsumer(Execution execution) {
        try (@Nullable Stream there = execution.store().stream(execution.argument(2))) {
            Stream stream = require(there);
            Group group = requireGroup(execution, stream);
            GroupConsumer consumer = group.consumer(GroupNames.of(execution, 4));
            int pending = consumer == null ? 0 : consumer.pending().size();
            if (consumer != null) {
                try {
                    group.removeConsumer(consumer);
                } finally { // on a full disk, some of its entries may be acknowledged
                    stream.changed();
                }
                execution.tell(execution.argument(2), KeyEvent.XGROUP_DELCONSUMER);
            }
            execution.reply().integer(pending);
        }
    }

    private static void acknowledge(Execution execution) {
        try (@Nullable Stream stream = execution.lookUpStream(execution.argument(1))) {
            Group group = GroupNames.find(execution, stream, 2);
            if (group == null) {
                execution.reply().integer(0);
                return;
            }
            List<StreamId> ids = new ArrayList<>();
            for (int i = 3; i < execution.count(); i++) {
                ids.add(StreamIds.strict(execution, i, 0));
            }
            int before = group.pending().size();
            try {
                ids.forEach(group::acknowledge);
            } finally { // on a full disk, some may be acknowledged
                if (group.pending().size() < before) {
                    Objects.requireNonNull(stream).changed();
                }
            }
            execution.reply().integer(before - group.pending().size());
        }
    }
}
