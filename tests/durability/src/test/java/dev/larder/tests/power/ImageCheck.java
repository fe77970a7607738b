package dev.larder.tests.power;

import dev.larder.memory.LarderException;
import dev.larder.memory.doubles.PowerLossStorage;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Checks whether a log keeps its promises after a power loss. Throws an {@link AssertionError} that names the broken promise.
 *
 * <p>The served messages must be the beginning of the appended ones: whole, in order, without a hole, and not shorter than what
 * a sync had returned. Then the log must be sound, take messages again, and lose the power again: right after that, and in the
 * middle of its recovery. Messages that were cut must never come back.
 */
final class ImageCheck {

    private static final int NEW_WRITER = 9;

    private final PoweredLog.Opener opener;
    private final SplittableRandom random;
    private final RecoveryRecord recoveries;
    private long opened;

    ImageCheck(PoweredLog.Opener opener, RecoveryRecord recoveries, long seed) {
        this.opener = opener;
        this.recoveries = recoveries;
        this.random = new SplittableRandom(seed);
    }

    /** Returns how many images were opened, including images of images. */
    long opened() {
        return opened;
    }

    /**
     * Checks an image, which is closed.
     *
     * @param appended all that was appended before the image was taken, in order
     * @param durable the position that a sync had returned before
     */
    void check(PowerLossStorage image, List<Appended> appended, long durable) {
        try {
            checkAll(image, appended, durable);
        } catch (LarderException e) {
            throw new AssertionError("refused: " + e, e);
        }
    }

    private void checkAll(PowerLossStorage image, List<Appended> appended, long durable) {
        try (image) {
            try (PowerLossStorage same = image.image(random)) {
                interruptRecovery(same, appended, durable);
            }
            Outcome outcome = open(image, appended, durable, appended.size(), true);
            try (PowerLossStorage second = outcome.second) {
                open(second, outcome.appended, outcome.durable, outcome.appended.size(), true)
                        .discard();
            }
        }
    }

    /** The state after a log was opened and used: its messages, and the image of another power loss. */
    private record Outcome(List<Appended> appended, long durable, PowerLossStorage second) {
        void discard() {
            second.close();
        }
    }

    private Outcome open(PowerLossStorage image, List<Appended> appended, long durable, int most, boolean exactly) {
        opened++;
        try (PoweredLog log = opener.open(image)) {
            List<Appended> served = log.readAll();
            List<Appended> kept = kept(appended, log);
            checkBeginning(served, kept, durable, most - (appended.size() - kept.size()));
            recoveries.expect(log.recoveries(), served, kept, durable, exactly);
            checkSound(log);
            return goOn(image, log, served);
        }
    }

    /** Returns the appended messages that, as far as the log says, were not dropped. */
    private static List<Appended> kept(List<Appended> appended, PoweredLog log) {
        return appended.stream()
                .filter(message -> message.position() >= log.begin())
                .toList();
    }

    private static void checkBeginning(List<Appended> served, List<Appended> appended, long durable, int most) {
        for (int i = 0; i < served.size(); i++) {
            if (i >= appended.size() || !served.get(i).equals(appended.get(i))) {
                throw new AssertionError("served " + served.get(i) + " as number " + i + ", appended was "
                        + (i < appended.size() ? appended.get(i) : "nothing"));
            }
        }
        if (served.size() < appended.size() && appended.get(served.size()).position() < durable) {
            throw new AssertionError("lost although synced up to " + durable + ": " + appended.get(served.size())
                    + ", number " + served.size() + " of " + appended.size());
        }
        if (served.size() > most) {
            throw new AssertionError("came back: " + served.get(most) + ", which an earlier opening had cut");
        }
    }

    private static void checkSound(PoweredLog log) {
        if (!log.problems().isEmpty()) {
            throw new AssertionError("not sound after recovery: " + log.problems());
        }
    }

    /** Appends behind the cut, syncs, and loses the power again, at once or after a few more messages. */
    private Outcome goOn(PowerLossStorage image, PoweredLog log, List<Appended> served) {
        Ledger more = new Ledger();
        PoweredLog.Writer writer = log.writer();
        int synced = random.nextInt(4);
        for (int i = 0; i < synced; i++) {
            append(writer, more, i);
        }
        long durable = log.sync();
        for (int i = 0; i < random.nextInt(3); i++) {
            append(writer, more, synced + i);
        }
        List<Appended> all = new ArrayList<>(served);
        all.addAll(more.inOrder());
        PowerLossStorage second = image.image(random);
        try {
            List<Appended> after = log.readAll();
            List<Appended> kept = kept(all, log);
            checkBeginning(after, kept, durable, kept.size());
        } catch (AssertionError e) {
            second.close();
            throw e;
        }
        return new Outcome(all, durable, second);
    }

    private void append(PoweredLog.Writer writer, Ledger ledger, int sequence) {
        List<Message> message = List.of(new Message(NEW_WRITER, sequence));
        int[] length = {Message.LEAST_BYTES + random.nextInt(5000)};
        ledger.enter(message, length, writer.append(message, length));
    }

    /** Loses the power at a random step of the recovery. */
    private void interruptRecovery(PowerLossStorage image, List<Appended> appended, long durable) {
        List<PowerLossStorage> inside = new ArrayList<>();
        int chosen = 1 + random.nextInt(random.nextBoolean() ? 8 : 60);
        int[] steps = {0};
        image.beforeEachStep(() -> {
            if (++steps[0] == chosen) {
                inside.add(image.image(random));
            }
        });
        int served = openAndCount(image, appended, durable);
        for (PowerLossStorage second : inside) {
            try (second) {
                open(second, appended, durable, served, false).discard();
            }
        }
    }

    private int openAndCount(PowerLossStorage image, List<Appended> appended, long durable) {
        opened++;
        try (PoweredLog log = opener.open(image)) {
            image.beforeEachStep(() -> {});
            List<Appended> served = log.readAll();
            List<Appended> kept = kept(appended, log);
            checkBeginning(served, kept, durable, kept.size());
            recoveries.expect(log.recoveries(), served, kept, durable, true);
            return served.size() + appended.size() - kept.size();
        }
    }
}
