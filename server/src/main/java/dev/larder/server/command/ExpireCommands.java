package dev.larder.server.command;

import dev.larder.resp.ReplyException;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeyEvent;
import dev.larder.server.store.Store;
import java.util.Map;

/** Commands on the lifetimes of keys. */
final class ExpireCommands {

    private static final int MILLIS = 1000;

    private ExpireCommands() {}

    static Map<String, Handler> all() {
        return Map.of(
                "expire", execution -> expire(execution, Expiry.Unit.EX, "expire"),
                "expireat", execution -> expire(execution, Expiry.Unit.EXAT, "expireat"),
                "pexpire", execution -> expire(execution, Expiry.Unit.PX, "pexpire"),
                "pexpireat", execution -> expire(execution, Expiry.Unit.PXAT, "pexpireat"),
                "expiretime", execution -> reply(execution, 0, MILLIS),
                "pexpiretime", execution -> reply(execution, 0, 1),
                "ttl", execution -> reply(execution, execution.store().nowMillis(), MILLIS),
                "pttl", execution -> reply(execution, execution.store().nowMillis(), 1));
    }

    private static void reply(Execution execution, long from, int unitMillis) {
        Bytes key = execution.argument(1);
        long deadline = execution.store().deadline(key);
        execution.lookedUp(key, deadline != Store.NO_KEY);
        if (deadline < 0) {
            execution.reply().integer(deadline);
        } else {
            long millis = Math.max(0, deadline - from);
            execution.reply().integer(unitMillis == 1 ? millis : (millis + unitMillis / 2) / unitMillis);
        }
    }

    private static void expire(Execution execution, Expiry.Unit unit, String command) {
        Conditions conditions = Conditions.parse(execution);
        long deadline = Expiry.any(execution, execution.integer(2), unit, command);
        Store store = execution.store();
        Bytes key = execution.argument(1);
        long before = store.deadline(key);
        if (before == Store.NO_KEY || !conditions.hold(before, deadline)) {
            execution.reply().integer(0);
            return;
        }
        if (Expiry.isPast(store, deadline)) {
            store.remove(key);
            execution.tell(key, KeyEvent.DEL);
        } else {
            store.setDeadline(key, deadline, execution.value());
            execution.tell(key, KeyEvent.EXPIRE);
        }
        execution.reply().integer(1);
    }

    /** The conditions for a new deadline. A key that does not expire has the latest deadline of all. */
    private record Conditions(boolean none, boolean some, boolean later, boolean earlier) {

        static Conditions parse(Execution execution) {
            boolean none = false;
            boolean some = false;
            boolean later = false;
            boolean earlier = false;
            for (int i = 3; i < execution.count(); i++) {
                if (execution.is(i, "nx")) {
                    none = true;
                } else if (execution.is(i, "xx")) {
                    some = true;
                } else if (execution.is(i, "gt")) {
                    later = true;
                } else if (execution.is(i, "lt")) {
                    earlier = true;
                } else {
                    throw new ReplyException("ERR Unsupported option " + execution.argument(i));
                }
            }
            if (none && (some || later || earlier)) {
                throw new ReplyException("ERR NX and XX, GT or LT options at the same time are not compatible");
            }
            if (later && earlier) {
                throw new ReplyException("ERR GT and LT options at the same time are not compatible");
            }
            return new Conditions(none, some, later, earlier);
        }

        boolean hold(long before, long after) {
            boolean endless = before == Store.ENDLESS;
            long next = after == Store.ENDLESS ? Long.MAX_VALUE : after;
            return !((none && !endless)
                    || (some && endless)
                    || (later && (endless || next <= before))
                    || (earlier && !endless && next >= before));
        }
    }
}
