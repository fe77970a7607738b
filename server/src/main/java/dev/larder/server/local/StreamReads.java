package dev.larder.server.local;

import dev.larder.log.NotInMemoryException;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import dev.larder.resp.ReplyOutput;
import dev.larder.server.command.Call;
import dev.larder.server.command.Databases;
import dev.larder.server.command.Execution;
import dev.larder.server.command.Handler;
import dev.larder.server.command.StreamLooks;
import dev.larder.server.store.Store;
import dev.larder.server.store.WrongTypeException;
import dev.larder.server.stream.RecordsNotInMemoryException;
import dev.larder.server.stream.StreamNotInMemoryException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/**
 * Finds what commands read of streams, and which records of streams they change, before they run. One thread at a time uses
 * it.
 *
 * <pre>
 * event loop        look: an entry is not in memory    -> the command waits
 * another thread    look, read that entry, look again, ... until all is there
 * </pre>
 *
 * <p>A look holds the lock of the stream, and never reads from the disk. A separate tailer does that, without the lock.
 */
final class StreamReads {

    /** How many reads a command may need: each loads at least a block of the log, and all that follows of a range. */
    private static final int ROUNDS = 4096;

    private final Databases databases;
    private final Execution execution;
    private final ReplyEncoder nobody = new ReplyEncoder(new Discarded());

    /** The places that were loaded. If one is missing again, the memory cannot hold what the command reads. */
    private final Set<Object> brought = new HashSet<>();

    StreamReads(Databases databases) {
        this.databases = databases;
        this.execution = new Execution(databases, nobody);
    }

    /** Reads what a command would read of streams, and changes nothing. */
    void look(Call call) {
        Handler look = StreamLooks.of(call);
        if (look == null) {
            return;
        }
        try {
            execution.begin(call.request(), databases.store(call.database()), nobody);
            look.run(execution);
        } catch (ReplyException | WrongTypeException e) { // the command reports it itself
            return;
        } finally {
            execution.end();
        }
    }

    /** Loads what a command reads of streams. The records of its keys are in memory. */
    static void bringIn(Databases databases, Call call) {
        Store store = databases.store(call.database());
        if (StreamLooks.of(call) == null || !store.waits().hasStreams()) {
            return;
        }
        StreamReads reads = new StreamReads(databases);
        boolean goesOn = true;
        for (int round = 0; goesOn && round < ROUNDS && !Thread.currentThread().isInterrupted(); round++) {
            goesOn = reads.bringInNext(store, call);
        }
    }

    /** Loads what is missing next; returns whether something was missing, for the first time. */
    private boolean bringInNext(Store store, Call call) {
        try {
            store.waits().withoutReading(() -> {
                look(call);
                return true;
            });
            return false;
        } catch (StreamNotInMemoryException e) {
            e.bringIn();
            return brought.add(e.place());
        } catch (RecordsNotInMemoryException e) {
            e.bringIn();
            return brought.add(e.first());
        } catch (
                NotInMemoryException e) { // the name of a stream, which has left memory again: the command is run again
            return false;
        }
    }

    /** An output for replies that are discarded. */
    private static final class Discarded implements ReplyOutput {

        @Override
        public void write(byte value) {
            // discarded
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            // discarded
        }

        @Override
        public void write(ByteBuffer bytes, int offset, int length) {
            // discarded
        }

        @Override
        public int sizeBytes() {
            return 0;
        }

        @Override
        public void truncate(int sizeBytes) {
            // there is nothing
        }
    }
}
