package dev.larder.server.access;

import dev.larder.resp.Command;
import dev.larder.resp.CommandFlag;
import dev.larder.resp.Request;
import dev.larder.server.store.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a user may do, and with which passwords. Immutable once it is made: a change of a user makes another object, so a wrong
 * rule leaves the user unchanged.
 */
@SuppressWarnings("exports") // callers do not need the nullness annotations
public final class Permissions {

    private final Set<String> passwords = new LinkedHashSet<>();
    private final List<Selector> selectors = new ArrayList<>();
    private Selector root;
    private boolean enabled;
    private boolean withoutPassword;
    private String sanitizing = "";
    private boolean unlimited;

    private Permissions(Selector root) {
        this.root = root;
    }

    /** Returns the permissions of a user that was just made: none. */
    static Permissions none(boolean allChannels) {
        return new Permissions(new Selector(allChannels));
    }

    /** Returns the permissions of the default user: all, without a password. */
    static Permissions all() {
        return none(true).with(List.of("on", "nopass", "~*", "&*", "+@all"), true);
    }

    /**
     * Returns the permissions after further rules.
     *
     * @param rules the rules, each selector in one
     * @param allChannels whether new users and selectors may use all channels
     * @throws RuleException if a rule makes no sense
     */
    Permissions with(List<String> rules, boolean allChannels) {
        Permissions changed = new Permissions(root.copy());
        changed.passwords.addAll(passwords);
        changed.selectors.addAll(selectors);
        changed.enabled = enabled;
        changed.withoutPassword = withoutPassword;
        changed.sanitizing = sanitizing;
        for (String rule : rules) {
            try {
                changed.apply(rule, allChannels);
            } catch (RuleException e) {
                throw new RuleException("Error in ACL SETUSER modifier '" + rule + "': " + e.getMessage());
            }
        }
        changed.unlimited = changed.enabled && changed.root.isUnlimited();
        return changed;
    }

    private void apply(String rule, boolean allChannels) {
        switch (rule.toLowerCase(Locale.ROOT)) {
            case "" -> {} // no rule
            case "on" -> enabled = true;
            case "off" -> enabled = false;
            case "nopass" -> setWithoutPassword(true);
            case "resetpass" -> setWithoutPassword(false);
            case "skip-sanitize-payload", "sanitize-payload" -> sanitizing = rule.toLowerCase(Locale.ROOT);
            case "clearselectors" -> selectors.clear();
            case "reset" -> reset(allChannels);
            default -> applyOther(rule, allChannels);
        }
    }

    private void setWithoutPassword(boolean none) {
        passwords.clear();
        withoutPassword = none;
    }

    private void reset(boolean allChannels) {
        setWithoutPassword(false);
        selectors.clear();
        enabled = false;
        sanitizing = "sanitize-payload";
        root = new Selector(allChannels);
    }

    private void applyOther(String rule, boolean allChannels) {
        if (rule.startsWith("(")) {
            addSelector(rule, allChannels);
        } else if (rule.startsWith(">")) {
            addPassword(Passwords.digest(rule.substring(1).getBytes(StandardCharsets.UTF_8)));
        } else if (rule.startsWith("#")) {
            addPassword(requireDigest(rule.substring(1)));
        } else if (rule.startsWith("<")) {
            removePassword(Passwords.digest(rule.substring(1).getBytes(StandardCharsets.UTF_8)));
        } else if (rule.startsWith("!")) {
            removePassword(requireDigest(rule.substring(1)));
        } else if (!root.apply(rule)) {
            throw RuleException.syntax();
        }
    }

    private void addSelector(String rule, boolean allChannels) {
        Selector selector = new Selector(allChannels);
        for (String part : rule.substring(1, rule.length() - 1).trim().split("\\s+", -1)) {
            if (!part.isEmpty() && !selector.apply(part)) {
                throw RuleException.syntax();
            }
        }
        selectors.add(selector);
    }

    private static String requireDigest(String text) {
        if (!Passwords.isDigest(text)) {
            throw new RuleException(
                    "The password hash must be exactly 64 characters and contain only lowercase hexadecimal"
                            + " characters");
        }
        return text;
    }

    private void addPassword(String digest) {
        passwords.add(digest);
        withoutPassword = false;
    }

    private void removePassword(String digest) {
        if (!passwords.remove(digest)) {
            throw new RuleException("The password you are trying to remove from the user does not exist");
        }
    }

    /** Returns whether the user may do everything. */
    public boolean isUnlimited() {
        return unlimited;
    }

    /** Returns whether clients may become this user. */
    public boolean isEnabled() {
        return enabled;
    }

    /** Returns whether any password is accepted. */
    public boolean isWithoutPassword() {
        return withoutPassword;
    }

    boolean accepts(byte[] password) {
        return enabled && (withoutPassword || Passwords.isOneOf(password, passwords));
    }

    /** Returns why a command is not allowed; null if it is. */
    public @Nullable Denial check(Command command, Request request) {
        if (command.is(CommandFlag.NO_AUTH)) {
            return null;
        }
        Denial denial = root.check(command, request);
        for (int i = 0; i < selectors.size() && denial != null; i++) {
            Denial other = selectors.get(i).check(command, request);
            denial = other == null || other.isBehind(denial) ? other : denial;
        }
        return denial;
    }

    /** Returns whether messages of a channel may be received; a pattern must be in the rules as it is. */
    public boolean allowsChannel(Bytes channel, boolean pattern) {
        return root.allowsChannel(channel, pattern)
                || selectors.stream().anyMatch(selector -> selector.allowsChannel(channel, pattern));
    }

    /** Returns the flags, as {@code ACL GETUSER} shows them. */
    public List<String> flags() {
        List<String> flags = new ArrayList<>();
        flags.add(enabled ? "on" : "off");
        if (withoutPassword) {
            flags.add("nopass");
        }
        if (!sanitizing.isEmpty()) {
            flags.add(sanitizing);
        }
        return flags;
    }

    /** Returns the digests of the passwords. */
    public Set<String> passwords() {
        return Collections.unmodifiableSet(passwords);
    }

    /**
     * The rules of a selector as texts.
     *
     * @param commands which commands
     * @param keys on which keys
     * @param channels on which channels
     */
    public record Rules(String commands, String keys, String channels) {}

    /** Returns the rules of the user itself, and then of each selector. */
    public List<Rules> rules() {
        List<Rules> all = new ArrayList<>();
        all.add(rules(root));
        selectors.forEach(selector -> all.add(rules(selector)));
        return all;
    }

    private static Rules rules(Selector selector) {
        return new Rules(selector.commandsText(), selector.keysText(), selector.channelsText());
    }

    /** Returns rules that make the same permissions. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(String.join(" ", flags()));
        passwords.forEach(digest -> text.append(" #").append(digest));
        text.append(' ').append(root);
        selectors.forEach(selector -> text.append(" (").append(selector).append(')'));
        return text.toString();
    }
}
