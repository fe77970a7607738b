package dev.larder.server.session;

import dev.larder.resp.Command;
import dev.larder.resp.CommandFlag;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Makes commands of clients wait for a time: all commands, or those that write. Thread-safe. */
public final class Pause {

    private enum Mode {
        NONE,
        WRITES,
        ALL
    }

    private record State(Mode mode, long untilMillis) {}

    private static final Set<String> MESSAGES = Set.of("publish", "spublish");
    private static final State NONE = new State(Mode.NONE, 0);

    private final Queue<Halt> held = new ConcurrentLinkedQueue<>();
    private volatile State state = NONE;

    Pause() {}

    /** Begins a pause, or makes the current one longer and stronger. */
    synchronized void begin(boolean all, long untilMillis, long nowMillis) {
        tick(nowMillis); // a pause that is over adds nothing
        State before = state;
        boolean stronger = all || before.mode == Mode.ALL;
        state = new State(stronger ? Mode.ALL : Mode.WRITES, Math.max(untilMillis, before.untilMillis));
    }

    /** Ends the pause: the waiting sessions continue. */
    synchronized void end() {
        state = NONE;
        releaseAll();
    }

    private void releaseAll() {
        for (Halt session = held.poll(); session != null; session = held.poll()) {
            session.release();
        }
    }

    /** Ends the pause if its time is over. */
    void tick(long nowMillis) {
        if (isOver(nowMillis)) {
            endIfOver(nowMillis);
        }
    }

    /** Looks again: another thread may have begun a new pause meanwhile. */
    private synchronized void endIfOver(long nowMillis) {
        if (isOver(nowMillis)) {
            end();
        }
    }

    private boolean isOver(long nowMillis) {
        State now = state;
        return now.mode != Mode.NONE && now.untilMillis <= nowMillis;
    }

    /** Returns whether there is a pause. */
    public boolean isOn() {
        return state.mode != Mode.NONE;
    }

    /** Returns whether a command has to wait. */
    boolean holds(boolean writes) {
        return switch (state.mode) {
            case NONE -> false;
            case WRITES -> writes;
            case ALL -> true;
        };
    }

    /** Returns whether a command counts as a write. A command that sends messages does, because mirrors would pass them on. */
    static boolean writes(Command command) {
        return command.is(CommandFlag.WRITE) || MESSAGES.contains(command.name());
    }

    /** Forgets a waiting session. */
    void forget(Halt session) {
        held.remove(session);
    }

    /** Keeps a waiting session until the pause ends. */
    void hold(Halt session) {
        held.add(session);
        if (!isOn()) {
            releaseIfNone();
        }
    }

    /** Releases the sessions that came behind the end of a pause. A pause that has begun since goes on. */
    private synchronized void releaseIfNone() {
        if (!isOn()) {
            releaseAll();
        }
    }

    /** Returns how many sessions wait. */
    public int held() {
        return held.size();
    }
}
