package dev.larder.map;

import dev.larder.map.format.IndexFileLayout;
import dev.larder.map.shared.Epochs;
import dev.larder.map.shared.IndexFile;
import dev.larder.map.shared.Processes;
import dev.larder.memory.Access;
import dev.larder.memory.SystemStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A thread that entered before an object was taken away may continue to read it: the object is not reused until the thread
 * leaves.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "found; it waits")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "found, and left before it is used again")
@Outcome(id = "-1, 0", expect = Expect.ACCEPTABLE, desc = "not found; it waits for another one")
@Outcome(id = "-1, 1", expect = Expect.ACCEPTABLE, desc = "not found, and used again")
@Outcome(expect = Expect.FORBIDDEN, desc = "used again while it is looked at")
@State
public class EpochsStress {

    private static final Epochs EPOCHS = epochs();

    private volatile boolean taken;
    private volatile boolean usedAgain;

    private static Epochs epochs() {
        try {
            Path path = Files.createTempDirectory("larder-stress").resolve("index");
            IndexFile file = IndexFile.create(
                    path,
                    IndexFileLayout.STEPS_AT + 64 * IndexFileLayout.UNIT_BYTES,
                    new IndexFile.Opening(1, new UUID(1, 2), 7, 2L << 20),
                    Access.OWNER,
                    SystemStorage.system());
            Files.delete(path); // its memory stays
            Files.delete(path.getParent());
            return Epochs.ofChanges(file, Processes.enter(file, 1, owner -> true));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Actor
    public void look(II_Result result) {
        int line = EPOCHS.pinAnyway();
        boolean found = !taken;
        result.r1 = found ? (usedAgain ? 1 : 0) : -1;
        EPOCHS.unpin(line);
    }

    @Actor
    public void take(II_Result result) {
        taken = true;
        long epoch = EPOCHS.advance();
        if (EPOCHS.hasPassed(epoch)) {
            usedAgain = true;
            result.r2 = 1;
        }
    }
}
