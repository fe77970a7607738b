package dev.larder.lab.load;

/** The content of a request. One instance is refilled for each request. */
public final class Request {

    private static final byte[] NOTHING = {};

    /** Its kind within the workload, from 0. */
    int kind;

    /** A key, or another argument of the kind. */
    long argument;

    /** Its payload; must not be changed. */
    byte[] payload = NOTHING;

    /** An empty request of the first kind. */
    public Request() {}

    /** Makes it a request without a payload. */
    public void set(int newKind, long newArgument) {
        set(newKind, newArgument, NOTHING);
    }

    /** Makes it a request. The payload is kept, not copied. */
    public void set(int newKind, long newArgument, byte[] newPayload) {
        kind = newKind;
        argument = newArgument;
        payload = newPayload;
    }

    /** Returns its kind within the workload. */
    public int kind() {
        return kind;
    }

    /** Returns the key, or another argument. */
    public long argument() {
        return argument;
    }

    /** Returns the payload itself. */
    public byte[] payload() {
        return payload;
    }
}
