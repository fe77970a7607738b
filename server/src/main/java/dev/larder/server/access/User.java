package dev.larder.server.access;

/** A user. Sessions keep this object, and see at once when its permissions change. Thread-safe. */
public final class User {

    private final String name;
    private volatile Permissions permissions;
    private volatile boolean removed;

    User(String name, Permissions permissions) {
        this.name = name;
        this.permissions = permissions;
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns what the user may do now. */
    public Permissions permissions() {
        return permissions;
    }

    void setPermissions(Permissions now) {
        permissions = now;
    }

    /** Takes all rights away, for good: sessions may keep this object for a moment after the user is gone. */
    void remove() {
        removed = true; // first: who finds that the rights are gone can find out why
        permissions = Permissions.none(false);
    }

    /** Returns whether the user is gone. A new user of the same name is another object. */
    public boolean isRemoved() {
        return removed;
    }

    /** Returns the line of a file that defines the user. */
    public String line() {
        return "user " + name + " " + permissions;
    }
}
