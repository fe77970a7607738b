package dev.larder.server.access;

import dev.larder.resp.Command;
import dev.larder.resp.KeyUses;
import dev.larder.resp.Request;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.GlobPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Commands that are allowed on certain keys and channels. Rules change it only before it is in use. */
final class Selector {

    private record ChannelRule(String text, GlobPattern pattern) {}

    /** The letters that may stand before the pattern of a key, each once. */
    private static final Set<String> KEY_USES = Set.of("R", "W", "RW", "WR");

    /** Where the channels of a command begin. */
    private static final Map<String, Integer> FIRST_CHANNELS =
            Map.of("publish", 1, "spublish", 1, "subscribe", 1, "ssubscribe", 1, "psubscribe", 1);

    private final CommandRules commands;
    private final List<KeyRule> keys;
    private final List<ChannelRule> channels;
    private boolean allKeys;
    private boolean allChannels;

    Selector(boolean allChannels) {
        this(new CommandRules(), new ArrayList<>(), new ArrayList<>());
        this.allChannels = allChannels;
    }

    private Selector(CommandRules commands, List<KeyRule> keys, List<ChannelRule> channels) {
        this.commands = commands;
        this.keys = keys;
        this.channels = channels;
    }

    Selector copy() {
        Selector copy = new Selector(commands.copy(), new ArrayList<>(keys), new ArrayList<>(channels));
        copy.allKeys = allKeys;
        copy.allChannels = allChannels;
        return copy;
    }

    boolean isUnlimited() {
        return allKeys && allChannels && commands.isAll();
    }

    /** Applies a rule; returns false if it is not a rule of a selector. */
    boolean apply(String rule) {
        switch (rule.toLowerCase(Locale.ROOT)) {
            case "allkeys", "~*" -> setAllKeys(true);
            case "resetkeys" -> setAllKeys(false);
            case "allchannels", "&*" -> setAllChannels(true);
            case "resetchannels" -> setAllChannels(false);
            case "allcommands" -> commands.setAll(true);
            case "nocommands" -> commands.setAll(false);
            default -> {
                return applyPattern(rule);
            }
        }
        return true;
    }

    private boolean applyPattern(String rule) {
        char first = rule.isEmpty() ? ' ' : rule.charAt(0);
        switch (first) {
            case '+', '-' -> commands.apply(rule);
            case '~', '%' -> addKeys(rule);
            case '&' -> addChannel(rule.substring(1));
            default -> {
                return false;
            }
        }
        return true;
    }

    private void setAllKeys(boolean all) {
        keys.clear();
        allKeys = all;
    }

    private void setAllChannels(boolean all) {
        channels.clear();
        allChannels = all;
    }

    private void addKeys(String rule) {
        if (allKeys) {
            throw new RuleException("Adding a pattern after the * pattern (or the 'allkeys' flag) is not valid and does"
                    + " not have any effect. Try 'resetkeys' to start with an empty list of patterns");
        }
        boolean both = rule.charAt(0) == '~';
        int tilde = rule.indexOf('~');
        int end = tilde < 0 ? rule.length() : tilde; // as in Redis, %R alone is of the empty key
        String uses = both ? "RW" : rule.substring(1, end).toUpperCase(Locale.ROOT);
        if (!KEY_USES.contains(uses) || hasSpaces(rule)) {
            throw RuleException.syntax();
        }
        String pattern = tilde < 0 ? "" : rule.substring(tilde + 1);
        KeyRule added = KeyRule.of(pattern, uses.contains("R"), uses.contains("W"));
        for (int i = 0; i < keys.size(); i++) {
            if (keys.get(i).text().equals(added.text())) {
                keys.set(i, keys.get(i).with(added));
                return;
            }
        }
        keys.add(added);
    }

    private void addChannel(String pattern) {
        if (allChannels) {
            throw new RuleException("Adding a pattern after the * pattern (or the 'allchannels' flag) is not valid and"
                    + " does not have any effect. Try 'resetchannels' to start with an empty list of channels");
        }
        if (hasSpaces(pattern)) {
            throw RuleException.syntax();
        }
        if (channels.stream().noneMatch(rule -> rule.text().equals(pattern))) {
            channels.add(new ChannelRule(pattern, new GlobPattern(Bytes.of(pattern))));
        }
    }

    static boolean hasSpaces(String text) {
        return text.chars().anyMatch(c -> c == 0 || c == ' ' || (c >= '\t' && c <= '\r'));
    }

    /** Returns why a command is not allowed; null if it is. */
    @Nullable
    Denial check(Command command, Request request) {
        if (!commands.allows(command, request)) {
            return Denial.ofCommand(command);
        }
        int key = allKeys ? 0 : firstDeniedKey(command, request);
        if (key > 0) {
            return Denial.of(Denial.Kind.KEY, request, key);
        }
        int channel = allChannels ? 0 : firstDeniedChannel(command, request);
        return channel > 0 ? Denial.of(Denial.Kind.CHANNEL, request, channel) : null;
    }

    private int firstDeniedKey(Command command, Request request) {
        int[] denied = {0};
        KeyUses.forEach(command, request, (uses, argument) -> {
            Bytes key = Bytes.of(request.bytes(argument));
            if (denied[0] == 0 && keys.stream().noneMatch(rule -> rule.allows(key, uses))) {
                denied[0] = argument;
            }
        });
        return denied[0];
    }

    private int firstDeniedChannel(Command command, Request request) {
        int first = FIRST_CHANNELS.getOrDefault(command.name(), Integer.MAX_VALUE);
        int end = command.name().endsWith("publish") ? Math.min(2, request.count()) : request.count();
        boolean pattern = command.name().equals("psubscribe");
        for (int i = first; i < end; i++) {
            Bytes channel = Bytes.of(request.bytes(i));
            if (!allowsChannel(channel, pattern)) {
                return i;
            }
        }
        return 0;
    }

    /** Returns whether a channel may be used; a pattern must be in the rules as it is. */
    boolean allowsChannel(Bytes channel, boolean pattern) {
        return allChannels
                || channels.stream()
                        .anyMatch(rule -> pattern
                                ? Bytes.of(rule.text()).equals(channel)
                                : rule.pattern().matches(channel));
    }

    String commandsText() {
        return CommandRulesText.of(commands);
    }

    String keysText() {
        return allKeys ? "~*" : keys.stream().map(KeyRule::toString).collect(Collectors.joining(" "));
    }

    String channelsText() {
        return allChannels
                ? "&*"
                : channels.stream().map(rule -> "&" + rule.text()).collect(Collectors.joining(" "));
    }

    @Override
    public String toString() {
        return Stream.of(keysText(), allChannels ? "" : "resetchannels", channelsText(), commandsText())
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(" "));
    }
}
