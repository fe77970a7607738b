package dev.larder.server.command;

import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.dump.StreamDump;
import dev.larder.server.dump.TransactionDumps;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeyEvent;
import dev.larder.server.store.Store;
import dev.larder.server.store.ValueBuffer;
import dev.larder.server.store.WrongTypeException;
import dev.larder.server.stream.Stream;
import dev.larder.server.stream.StreamNotMadeException;
import dev.larder.server.stream.UnnamedStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A running command: its request, its store, and the target of its reply. One object serves a thread; {@link #begin} sets each
 * command.
 */
@SuppressWarnings("exports") // callers do not need the nullness annotations
public final class Execution {

    private final Databases databases;
    private final ValueBuffer value = new ValueBuffer();
    private final ValueBuffer second = new ValueBuffer();
    private Request request = new Request();
    private Store store;
    private ReplyEncoder reply;
    private boolean mayWait;
    private boolean hasWaited;
    private @Nullable Wait wait;
    private @Nullable UnnamedStream made;
    private boolean refusesMaking;

    /** How often the command has looked up a key to read it, and found it. */
    private int hits;

    private int misses;

    /** Keys that it has not found, until they are reported. */
    private final List<Bytes> missed = new ArrayList<>();

    /** The dumps that were made for the running transaction. */
    private @Nullable TransactionDumps dumps;

    /** The stream that the command gives a name. */
    private @Nullable UnnamedStream used;

    /** Creates an execution of commands on some databases. */
    public Execution(Databases databases, ReplyEncoder reply) {
        this.databases = databases;
        this.store = databases.store(0);
        this.reply = reply;
    }

    /**
     * Sets the stream that was made for the next commands.
     *
     * @param ready null if none was made
     * @param orNotAtAll whether a command that needs another stream, or more of it, is refused instead of making it at once
     */
    public void madeStream(@Nullable UnnamedStream ready, boolean orNotAtAll) {
        made = ready;
        refusesMaking = orNotAtAll;
    }

    /** Sets the dumps that were made for the next command; null if there are none. */
    public void madeDumps(@Nullable TransactionDumps ready) {
        dumps = ready;
    }

    /** Returns the dump of a stream: the one that was made for this command, or one that is made now. */
    byte[] dumpOf(Stream stream) {
        byte[] ready = dumps == null ? null : dumps.of(stream);
        return ready == null ? StreamDump.of(stream) : ready;
    }

    /**
     * Returns a stream that was made for this command, or makes one now. The stream is removed at the {@link #end}, unless it
     * has got a name.
     *
     * @param source what it is made from: another stream, or the bytes of a dump
     * @throws StreamNotMadeException if another thread has to make it first
     */
    public UnnamedStream stream(Store owner, Object source, Supplier<? extends UnnamedStream> maker) {
        UnnamedStream ready = made;
        if (ready != null && ready.isFor(owner, source)) {
            used = ready;
            ready.requireMade();
            return ready;
        }
        UnnamedStream begun = maker.get();
        makeOn(begun);
        return begun;
    }

    /**
     * Continues a stream that is not complete.
     *
     * @throws StreamNotMadeException if another thread has to do it
     */
    public void makeOn(UnnamedStream stream) {
        if (refusesMaking) {
            used = null;
            throw new StreamNotMadeException(stream);
        }
        used = stream;
        stream.make();
        stream.requireMade();
    }

    /** Sets the next command. */
    public Execution begin(Request next, Store on, ReplyEncoder out) {
        request = next;
        store = on;
        reply = out;
        mayWait = false;
        hasWaited = false;
        wait = null;
        hits = 0;
        misses = 0;
        missed.clear();
        return this;
    }

    /** Lets the command wait for keys, if it has not waited yet or waits again. */
    public Execution waiting(boolean again) {
        mayWait = true;
        hasWaited = again;
        return this;
    }

    /** Returns whether the command may {@link #await} keys. */
    public boolean mayWait() {
        return mayWait;
    }

    /** Returns whether the command has waited, and one of its keys has changed. */
    public boolean hasWaited() {
        return hasWaited;
    }

    /** Makes the client wait, instead of a reply. The command has changed nothing. */
    public void await(Wait keys) {
        if (!mayWait) {
            throw new IllegalStateException("a command waits that may not");
        }
        wait = keys;
    }

    /** Returns what the command waits for; null if it has replied. */
    public @Nullable Wait takeWait() {
        Wait taken = wait;
        wait = null;
        return taken;
    }

    /** Releases large buffers, and removes a stream that got no name. */
    public void end() {
        UnnamedStream left = used;
        if (left != null) {
            used = null;
            left.close();
        }
        value.shrink();
        second.shrink();
    }

    /** Returns the request, whose first argument is the name of the command. */
    public Request request() {
        return request;
    }

    /** Returns the store of the client's database. */
    public Store store() {
        return store;
    }

    /** Returns all databases. */
    public Databases databases() {
        return databases;
    }

    /** Returns where the reply goes. */
    public ReplyEncoder reply() {
        return reply;
    }

    /** Returns how many arguments there are, the name included. */
    public int count() {
        return request.count();
    }

    /** Returns an argument in place. */
    public Bytes argument(int index) {
        return Bytes.of(request, index);
    }

    /** Returns whether an argument is a word, in any case. */
    public boolean is(int index, String word) {
        return request.is(index, word);
    }

    /** Returns an argument that must be an integer. */
    public long integer(int index) {
        if (!request.isInteger(index)) {
            throw ReplyException.notInteger();
        }
        return request.integer(index);
    }

    /** Returns an argument that must be an integer within a range. */
    public long integer(int index, long least, long most, String otherwise) {
        if (!request.isInteger(index) || request.integer(index) < least || request.integer(index) > most) {
            throw new ReplyException(otherwise);
        }
        return request.integer(index);
    }

    /** Returns the buffer into which values are read. */
    public ValueBuffer value() {
        return value;
    }

    /** Returns another buffer, for commands on two values. */
    public ValueBuffer second() {
        return second;
    }

    /** Reads a string into {@link #value}; returns its length or {@link Store#ABSENT}. */
    public int read(Bytes key) {
        return store.read(key, value);
    }

    /** Reads a string as {@link #read}, for a command that counts as a reader of the key. */
    public int lookUp(Bytes key) {
        return lookUp(key, value);
    }

    /** Reads a string into a buffer, for a command that counts as a reader of the key. */
    int lookUp(Bytes key, ValueBuffer into) {
        try {
            int length = store.read(key, into);
            lookedUp(key, length != Store.ABSENT);
            return length;
        } catch (WrongTypeException e) {
            lookedUp(key, true);
            throw e;
        }
    }

    /**
     * Returns the stream of a key, for a command that counts as a reader of the key; null if there is no key. The stream is
     * locked for this thread until the thread closes it.
     */
    @Nullable
    Stream lookUpStream(Bytes key) {
        try {
            Stream stream = store.stream(key);
            lookedUp(key, stream != null);
            return stream;
        } catch (WrongTypeException e) {
            lookedUp(key, true);
            throw e;
        }
    }

    /**
     * Records the lookup of a key that the command reads. It counts once the command has run. A missing key is reported then,
     * or before the command changes something. A command that has waited was counted before it waited.
     */
    public void lookedUp(Bytes key, boolean present) {
        lookedUpQuietly(present);
        if (!present && !hasWaited && store.hears(KeyEvent.KEYMISS)) {
            missed.add(key);
        }
    }

    /** Records a lookup that is not reported. */
    void lookedUpQuietly(boolean present) {
        if (!hasWaited) {
            hits += present ? 1 : 0;
            misses += present ? 0 : 1;
        }
    }

    /** Reports the missing keys, before the command changes something. */
    void tellMissed() {
        missed.forEach(key -> store.tell(key, KeyEvent.KEYMISS));
        missed.clear();
    }

    /** Counts the lookups of a command that has run. A command that is run again counts once. */
    public void countLookUps() {
        tellMissed();
        store.lookUps().add(hits, misses);
        hits = 0;
        misses = 0;
    }

    /** Reports an event of a key. */
    public void tell(Bytes key, KeyEvent event) {
        tellMissed();
        store.tell(key, event);
    }
}
