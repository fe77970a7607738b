package dev.larder.server.access;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The users of a server. There is always a user {@code default}: every connection begins as this one. Thread-safe. */
@SuppressWarnings("exports") // callers do not need the nullness annotations
public final class Users {

    /** The name of the user that every connection begins as. */
    public static final String DEFAULT = "default";

    /** Replaced as a whole where all users are, so that a concurrent AUTH always finds those that stay. */
    private volatile Map<String, User> users = new ConcurrentSkipListMap<>();

    private final User standard = new User(DEFAULT, Permissions.all());
    private volatile boolean allChannels;
    private volatile Consumer<Set<User>> onRemove = removed -> {};
    private volatile Consumer<User> onChange = changed -> {};

    /** Creates the default user alone, which may do everything without a password. */
    public Users() {
        users.put(DEFAULT, standard);
    }

    /** Sets whether new users may use all channels. */
    public void setAllChannels(boolean all) {
        allChannels = all;
    }

    /** Sets the listeners for users that were removed, and for users whose permissions have changed. */
    public void listeners(Consumer<Set<User>> removed, Consumer<User> changed) {
        onRemove = removed;
        onChange = changed;
    }

    /** Returns the user that every connection begins as. */
    public User standard() {
        return standard;
    }

    /** Returns all users, in the order of their names. */
    public Collection<User> all() {
        return users.values();
    }

    /** Returns a user; null if there is none. */
    public @Nullable User find(String name) {
        return users.get(name);
    }

    /** Returns the user with a name, if the password is right and the user is enabled; else null. */
    public @Nullable User authenticate(String name, byte[] password) {
        User user = users.get(name);
        while (user != null && !user.permissions().accepts(password)) {
            user = user.isRemoved() ? users.get(name) : null; // ACL LOAD may have made the same user anew meanwhile
        }
        return user;
    }

    /**
     * Creates a user, or changes one.
     *
     * @throws RuleException if a rule makes no sense; nothing was changed
     */
    public void set(String name, List<String> rules) {
        List<String> merged = mergeSelectors(rules);
        if (Selector.hasSpaces(name)) {
            throw new RuleException("Usernames can't contain spaces or null characters");
        }
        synchronized (this) {
            User user = users.get(name);
            Permissions before = user == null ? Permissions.none(allChannels) : user.permissions();
            change(name, before.with(merged, allChannels));
        }
    }

    /**
     * Defines a user anew, whatever its rules were before.
     *
     * @throws RuleException if a rule makes no sense; nothing was changed
     */
    public synchronized void define(String name, List<String> rules) {
        if (Selector.hasSpaces(name) || name.isEmpty()) {
            throw new RuleException("Usernames can't contain spaces or null characters");
        }
        change(name, made(rules));
    }

    private void change(String name, Permissions permissions) {
        User user = users.get(name);
        if (user == null) {
            users.put(name, new User(name, permissions));
        } else {
            user.setPermissions(permissions);
            onChange.accept(user);
        }
    }

    /** Gives the default user this password alone; no password, if it is empty. */
    public void setPassword(String password) {
        set(DEFAULT, password.isEmpty() ? List.of("nopass") : List.of("resetpass", ">" + password));
    }

    /** Removes a user; returns whether there was one. */
    public boolean remove(String name) {
        if (name.equals(DEFAULT)) {
            throw new RuleException("The 'default' user cannot be removed");
        }
        @Nullable User user;
        synchronized (this) { // else a concurrent change of its rules would make it again, with the old ones
            user = users.remove(name);
            if (user != null) {
                user.remove(); // its sessions close later, in their own loops
            }
        }
        if (user != null) {
            onRemove.accept(Set.of(user));
        }
        return user != null;
    }

    /**
     * Replaces all users but the default one, which stays, with all rights if it is not named. The others are new users, even
     * under the same name: as in Redis 7.0, their clients have to authenticate again.
     */
    synchronized void replaceAll(Map<String, Permissions> permissions) {
        Map<String, User> next = new ConcurrentSkipListMap<>();
        permissions.forEach((name, those) -> next.put(name, new User(name, those)));
        next.put(DEFAULT, standard);
        change(DEFAULT, permissions.getOrDefault(DEFAULT, Permissions.all()));
        Set<User> removed = new HashSet<>(users.values());
        removed.remove(standard);
        users = next;
        removed.forEach(User::remove); // their sessions close later, in their own loops
        onRemove.accept(removed);
    }

    Permissions made(List<String> rules) {
        return Permissions.none(allChannels).with(mergeSelectors(rules), allChannels);
    }

    /** Returns the rules, with each selector joined to one, from its parenthesis to the other. */
    private static List<String> mergeSelectors(List<String> rules) {
        List<String> merged = new ArrayList<>();
        StringBuilder open = new StringBuilder();
        String first = "";
        for (String rule : rules) {
            if (open.isEmpty() && rule.startsWith("(") && !rule.endsWith(")")) {
                open.append(rule);
                first = rule;
            } else if (open.isEmpty()) {
                merged.add(rule);
            } else {
                open.append(' ').append(rule);
                if (rule.endsWith(")")) {
                    merged.add(open.toString());
                    open.setLength(0);
                }
            }
        }
        if (!open.isEmpty()) {
            throw new RuleException("Unmatched parenthesis in acl selector starting at '" + first + "'.");
        }
        return merged;
    }

    /** Returns the line that defines each user. */
    public List<String> lines() {
        return users.values().stream().map(User::line).toList();
    }
}
