package dev.larder.array.stripe;

import dev.larder.resp.Command;
import dev.larder.resp.CommandTable;
import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.Request;
import dev.larder.server.command.Call;
import dev.larder.server.command.Commands;
import dev.larder.server.local.LocalDatabase;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeyType;
import dev.larder.server.store.Store;
import dev.larder.server.store.ValueBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The content of a stripe, as its clients could find it out, and the states that they would watch. */
public final class StripeContent {

    private StripeContent() {}

    /** Returns all keys, with their content, expiry and state. */
    public static Map<String, String> of(StoreStripe stripe) {
        Store store = stripe.stores().store(0);
        List<Bytes> keys = new ArrayList<>();
        long cursor = 0;
        do {
            cursor = store.keys().scan(cursor, 100, key -> keys.add(key.copy()));
        } while (cursor != 0);
        Map<String, String> content = new TreeMap<>();
        ValueBuffer value = new ValueBuffer();
        for (Bytes key : keys) {
            KeyType type = store.type(key);
            if (type != KeyType.NONE) {
                String held = type == KeyType.STREAM ? stream(stripe, key) : string(store, key, value);
                content.put(
                        key.toString(),
                        held + " until " + store.deadline(key) + ", watched as " + store.state(key, value));
            }
        }
        return content;
    }

    private static String string(Store store, Bytes key, ValueBuffer value) {
        store.read(key, value);
        return value.bytes().toString();
    }

    private static String stream(StoreStripe stripe, Bytes key) {
        return reply(stripe, "XINFO", "STREAM", key.toString())
                + reply(stripe, "XINFO", "GROUPS", key.toString())
                + reply(stripe, "XINFO", "STREAM", key.toString(), "FULL", "COUNT", "0");
    }

    private static String reply(StoreStripe stripe, String... words) {
        Request request = Request.of(Stream.of(words)
                .map(word -> word.getBytes(StandardCharsets.ISO_8859_1))
                .toList());
        CommandTable table = CommandTable.standard();
        Command command = Objects.requireNonNull(table.find(request));
        if (!command.subcommands().isEmpty()) {
            command = Objects.requireNonNull(table.findSubcommand(command, request));
        }
        ReplyBuffer buffer = new ReplyBuffer();
        new LocalDatabase(stripe.shared())
                .run(new Call(
                        command,
                        Objects.requireNonNull(Commands.handler(command)),
                        request,
                        0,
                        new ReplyEncoder(buffer)));
        return new String(buffer.toByteArray(), StandardCharsets.ISO_8859_1).replace("\r\n", " ");
    }
}
