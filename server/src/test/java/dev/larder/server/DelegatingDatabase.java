package dev.larder.server;

import dev.larder.resp.ReplyEncoder;
import dev.larder.server.command.Call;
import dev.larder.server.command.Database;
import dev.larder.server.command.NotReadyException;
import dev.larder.server.store.Bytes;
import java.util.List;
import java.util.function.Predicate;

/** A database that does what another one does, for tests that change some of it. */
class DelegatingDatabase implements Database {

    private final Database inner;

    DelegatingDatabase(Database inner) {
        this.inner = inner;
    }

    @Override
    public boolean run(Call call) {
        return inner.run(call);
    }

    @Override
    public boolean transact(
            List<Call> calls, List<Watched> watched, Predicate<Call> mayRun, ReplyEncoder reply, Runnable body) {
        return inner.transact(calls, watched, mayRun, reply, body);
    }

    @Override
    public void runWithin(Call call) {
        inner.runWithin(call);
    }

    @Override
    public MemoryState keepWithinMemory() {
        return inner.keepWithinMemory();
    }

    @Override
    public Watched watch(int database, Bytes key) {
        return inner.watch(database, key);
    }

    @Override
    public void patiently(Runnable commands) {
        inner.patiently(commands);
    }

    @Override
    public void prepare(NotReadyException met, List<Upcoming> next, Commit done) {
        inner.prepare(met, next, done);
    }

    @Override
    public void commit(Commit done) {
        inner.commit(done);
    }
}
