package dev.larder.server.access;

/** A user. Sessions keep this object, and see at once when its permissions change. Thread-safe. */
public final class User {

    private final String name;
    private volatile Permissions permissions;

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

    /** Returns the line of a file that defines the user. */
    public String line() {
        return "user " + name + " " + permissions;
    }
}
