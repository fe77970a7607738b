package dev.larder.lab.load;

/** What one request asks for. One instance is filled anew for each request. */
public final class Request {

    private static final byte[] NOTHING = {};

    /** Which of the workload's kinds it is, from 0. */
    int kind;

    /** A key, or whatever else the kind takes. */
    long argument;

    /** Bytes that go with it; not to be changed. */
    byte[] payload = NOTHING;

    /** A request of the first kind with nothing in it. */
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

    /** Returns which of the workload's kinds it is. */
    public int kind() {
        return kind;
    }

    /** Returns the key, or whatever else the kind takes. */
    public long argument() {
        return argument;
    }

    /** Returns the payload itself. */
    public byte[] payload() {
        return payload;
    }
}
