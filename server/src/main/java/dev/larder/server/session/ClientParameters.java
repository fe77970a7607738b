package dev.larder.server.session;

import dev.larder.server.client.ClientLimits;
import dev.larder.server.client.ClientType;
import dev.larder.server.client.OutputLimit;
import dev.larder.server.config.Settings;
import java.util.List;

/** Applies the parameters that are about clients, now and each time that they change. */
final class ClientParameters {

    private static final int WORDS = 4;
    private static final double PERCENT = 100;

    private ClientParameters() {}

    static void apply(Settings settings, Node node) {
        ClientLimits limits = node.clientLimits();
        settings.onChange("timeout", value -> limits.idleMaxSeconds(Long.parseLong(value)));
        settings.onChange("tcp-keepalive", value -> limits.keepAliveSeconds(Integer.parseInt(value)));
        settings.onChange("client-query-buffer-limit", value -> limits.queryMaxBytes(Long.parseLong(value)));
        settings.onChange("maxmemory-clients", value -> limits.memoryMaxBytes(memoryMaxBytes(settings)));
        settings.onChange("maxmemory", value -> limits.memoryMaxBytes(memoryMaxBytes(settings)));
        settings.onChange("client-output-buffer-limit", value -> applyOutput(List.of(value.split(" ", -1)), limits));
        settings.onChange("notify-keyspace-events", node.events()::set);
        settings.onChange("tracking-table-max-keys", value -> node.tracking().keysMax(Long.parseLong(value)));
    }

    private static long memoryMaxBytes(Settings settings) {
        String most = settings.text("maxmemory-clients");
        if (!most.endsWith("%")) {
            return Long.parseLong(most);
        }
        long percent = Long.parseLong(most.substring(0, most.length() - 1));
        return (long) (settings.whole("maxmemory") * (percent / PERCENT));
    }

    private static void applyOutput(List<String> words, ClientLimits limits) {
        for (int i = 0; i + WORDS <= words.size(); i += WORDS) {
            limits.output(
                    type(words.get(i)),
                    new OutputLimit(
                            Long.parseLong(words.get(i + 1)),
                            Long.parseLong(words.get(i + 2)),
                            Long.parseLong(words.get(i + 3))));
        }
    }

    private static ClientType type(String name) {
        return switch (name) {
            case "slave" -> ClientType.REPLICA;
            case "pubsub" -> ClientType.PUBSUB;
            default -> ClientType.NORMAL;
        };
    }
}
