package dev.larder.server.local;

import dev.larder.memory.LarderException;
import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import dev.larder.server.command.Call;
import dev.larder.server.command.Execution;
import dev.larder.server.command.Handler;
import dev.larder.server.command.Wait;
import dev.larder.server.command.WaitingClient;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.ChangeListener;
import dev.larder.server.store.CommandClock;
import dev.larder.server.store.KeyEvent;
import dev.larder.server.store.Store;
import dev.larder.server.store.WrongTypeException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The clients that wait for keys, by key, in order of arrival. A change notes the key for the thread that changes it. When its
 * command is done, and while it holds the key's slot, that thread runs the requests of the waiting clients.
 *
 * <pre>
 * XADD k -> event -> noted in the thread -> XADD has its reply -> serve: for each client at k, the first first:
 *                                                                  its request for k replies: it is served
 *                                                                  its request waits again: it stays where it is
 * </pre>
 *
 * <p>A thread may change a key without holding its slot: the cleaner drops an expired key of any slot. Then another thread
 * takes the slot soon, and serves.
 *
 * <p>Thread-safe.
 */
final class Waiters implements ChangeListener {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");

    /** Events that give waiting clients nothing new: those clients are not served. */
    private static final Set<KeyEvent> NOTHING_NEW = EnumSet.of(
            KeyEvent.KEYMISS,
            KeyEvent.EXPIRE,
            KeyEvent.PERSIST,
            KeyEvent.XDEL,
            KeyEvent.XTRIM,
            KeyEvent.XSETID,
            KeyEvent.XGROUP_CREATE,
            KeyEvent.XGROUP_MKSTREAM,
            KeyEvent.XGROUP_CREATECONSUMER,
            KeyEvent.XGROUP_DELCONSUMER,
            KeyEvent.XGROUP_SETID);

    private record WaitedKey(int database, Bytes key) {}

    private final Map<WaitedKey, Set<Waiter>> byKey = new HashMap<>();
    private final ThreadLocal<Set<WaitedKey>> changed = ThreadLocal.withInitial(LinkedHashSet::new);

    /** Keys that were changed by threads which do not hold their slots. */
    private final Set<WaitedKey> unserved = ConcurrentHashMap.newKeySet();

    private final SlotLocks locks;
    private volatile int count;

    Waiters(SlotLocks locks) {
        this.locks = locks;
    }

    /** Returns how many clients wait. */
    int count() {
        return count;
    }

    /** Makes the client of a call wait. The caller holds the slots of the keys. */
    void add(Call call, Wait wait) {
        WaitingClient client = Objects.requireNonNull(call.client());
        Waiter waiter = new Waiter(client, call, wait);
        synchronized (this) {
            for (Wait.OnKey key : wait.keys()) {
                byKey.computeIfAbsent(new WaitedKey(call.database(), key.key()), any -> new LinkedHashSet<>())
                        .add(waiter);
            }
            count++;
        }
        client.waits(waiter, wait.timeoutMillis());
    }

    private synchronized void remove(Waiter waiter) {
        for (Wait.OnKey key : waiter.wait.keys()) {
            WaitedKey waited = new WaitedKey(waiter.database, key.key());
            Set<Waiter> there = byKey.get(waited);
            if (there != null) {
                there.remove(waiter);
                if (there.isEmpty()) {
                    byKey.remove(waited);
                }
            }
        }
        count--;
    }

    @Override
    public void onEvent(Store store, Bytes key, KeyEvent event) {
        if (count > 0 && !NOTHING_NEW.contains(event)) {
            WaitedKey waited = new WaitedKey(store.index(), key);
            if (isWaited(waited)) {
                note(new WaitedKey(store.index(), key.copy()));
            }
        }
    }

    private void note(WaitedKey key) {
        if (locks.of(key.key()).isHeldByCurrentThread()) {
            changed.get().add(key);
        } else {
            unserved.add(key);
        }
    }

    private synchronized boolean isWaited(WaitedKey key) {
        return byKey.containsKey(key);
    }

    @Override
    public void onClear(Store store) {
        if (count > 0) {
            waitedOf(store.index()).forEach(this::note);
        }
    }

    private synchronized List<WaitedKey> waitedOf(int database) {
        return byKey.keySet().stream().filter(key -> key.database() == database).toList();
    }

    private synchronized Collection<Waiter> at(WaitedKey key) {
        return new ArrayList<>(byKey.getOrDefault(key, Set.of()));
    }

    /** Ends all waits with an error. */
    void endAll(String error) {
        ReplyBuffer buffer = new ReplyBuffer();
        new ReplyEncoder(buffer).error(error);
        byte[] reply = buffer.toByteArray();
        for (Waiter waiter : all()) {
            if (waiter.leave()) {
                waiter.client.served(reply.clone(), false);
            }
        }
    }

    private synchronized Set<Waiter> all() {
        Set<Waiter> all = new LinkedHashSet<>();
        byKey.values().forEach(all::addAll);
        return all;
    }

    /** Returns whether this thread has changed a key for which a client waits or has waited. */
    boolean hasChanges() {
        return !changed.get().isEmpty();
    }

    /** Serves the clients that wait for keys which this thread has changed. The thread holds the slots of those keys. */
    void serve(Execution execution, LocalStores stores, boolean always) {
        Set<WaitedKey> keys = changed.get();
        if (count == 0) {
            keys.clear();
        }
        while (!keys.isEmpty()) {
            WaitedKey key = keys.iterator().next();
            keys.remove(key);
            for (Waiter waiter : at(key)) {
                waiter.serve(key.key(), execution, stores.store(key.database()), always);
            }
        }
    }

    /**
     * Serves the clients that wait for keys which other threads have changed without holding their slots.
     *
     * @param serve serves the clients that wait for keys which this thread has changed
     */
    void serveOthers(Runnable serve) {
        for (WaitedKey key : List.copyOf(unserved)) {
            ReentrantLock lock = locks.of(key.key());
            lock.lock();
            try {
                unserved.remove(key);
                changed.get().add(key);
                serve.run();
            } finally {
                lock.unlock();
            }
        }
    }

    /** A waiting client. Its monitor is held while it is served, so that it gets a reply or its wait ends, never both. */
    private final class Waiter implements WaitingClient.Place {

        private final WaitingClient client;
        private final Handler handler;
        private final int database;
        private final int version;
        private final Wait wait;
        private boolean ended;

        Waiter(WaitingClient client, Call call, Wait wait) {
            this.client = client;
            this.handler = call.handler();
            this.database = call.database();
            this.version = call.reply().version();
            this.wait = wait;
        }

        synchronized void serve(Bytes key, Execution execution, Store store, boolean always) {
            Wait.OnKey waited = ended ? null : on(key);
            if (waited == null) {
                return;
            }
            ReplyBuffer buffer = new ReplyBuffer();
            ReplyEncoder reply = new ReplyEncoder(buffer);
            reply.setVersion(version);
            boolean failed = false;
            try (CommandClock.@Nullable Held _ = store.holdTime()) {
                handler.run(execution.begin(wait.request(waited), store, reply).waiting(true));
            } catch (ReplyException e) {
                reply.error(e.line());
            } catch (WrongTypeException e) {
                reply.error(WrongTypeException.LINE);
            } catch (RuntimeException | Error e) { // the command that has changed the key is done
                failed = true;
                buffer.truncate(0);
                reply.error(lineOf(e));
            } finally {
                execution.end();
            }
            if (execution.takeWait() == null || failed) {
                ended = true;
                remove(this);
                client.served(buffer.toByteArray(), always);
            }
        }

        private static String lineOf(Throwable error) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "the command of a client that waited for a key failed: " + error,
                    error);
            return error instanceof LarderException ? "ERR " + error.getMessage() : "ERR internal error: " + error;
        }

        private Wait.@Nullable OnKey on(Bytes key) {
            for (Wait.OnKey one : wait.keys()) {
                if (one.key().equals(key)) {
                    return one;
                }
            }
            return null;
        }

        @Override
        public synchronized boolean leave() {
            boolean left = !ended;
            if (left) {
                ended = true;
                remove(this);
            }
            return left;
        }
    }
}
