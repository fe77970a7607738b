package dev.larder.server.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Storage;
import dev.larder.memory.doubles.PowerLossStorage;
import dev.larder.resp.Command;
import dev.larder.resp.CommandTable;
import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.Request;
import dev.larder.server.command.Call;
import dev.larder.server.command.Commands;
import dev.larder.server.store.StoreOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A change of two logs, and a loss of power during it or behind it. Any of its records may be lost. Everything was durable
 * before, so each key then has its old value or its new one.
 */
@Timeout(300)
@Tag("in-memory")
final class ReplacedKeysPowerLossTest {

    private static final int SEEDS = 5;

    /** How many images are taken at most during the change, and how many behind it. */
    private static final int IMAGES = 4;

    /** Empty: the files that are not in the storage do not matter. */
    @TempDir
    private Path directory;

    private static StoreOptions options(Storage storage) {
        return StoreOptions.defaults()
                .withSegmentBytes(4 << 20)
                .withStorage(
                        HookedOptions.withStorage(LogOptions.defaults(), storage)
                                .withPrepareBytes(0),
                        storage);
    }

    private LocalStores open(PowerLossStorage power) {
        LocalStores stores = LocalStores.open(directory, 2, options(power));
        for (int i = 0; i < 2; i++) {
            stores.store(i).streams(); // opens them: a look for their folder would find none
        }
        return stores;
    }

    private static String run(LocalDatabase database, int index, String line) {
        Request request = Request.of(Stream.of(line.split(" ", -1))
                .map(argument -> argument.getBytes(StandardCharsets.UTF_8))
                .toList());
        Command command = Objects.requireNonNull(CommandTable.standard().find(request), line);
        ReplyBuffer reply = new ReplyBuffer();
        database.run(new Call(
                command, Objects.requireNonNull(Commands.handler(command)), request, index, new ReplyEncoder(reply)));
        return new String(reply.toByteArray(), StandardCharsets.UTF_8);
    }

    /** Returns the value of a key: its text, how many entries its stream has, or nothing. */
    private static String value(LocalDatabase database, int index, String key) {
        return switch (run(database, index, "TYPE " + key).strip()) {
            case "+string" -> run(database, index, "GET " + key).split("\r\n", -1)[1];
            case "+stream" -> run(database, index, "XLEN " + key).strip();
            default -> "-";
        };
    }

    /** The values of two keys in the first database, and of the first key in the second one. */
    private static String values(LocalDatabase database) {
        return value(database, 0, "a") + " " + value(database, 0, "b") + " " + value(database, 1, "a");
    }

    private String valuesIn(PowerLossStorage image) {
        try (image;
                LocalStores stores = open(image);
                LocalDatabase.Shared shared = new LocalDatabase.Shared(stores, false)) {
            return values(new LocalDatabase(shared));
        }
    }

    /**
     * Makes a change. The results may be the values before it, after it, or in the middle of it. In the middle, each of two keys
     * has its old value or its new one. No value is lost that is to stay.
     */
    @ParameterizedTest
    @CsvSource({
        "a stream is renamed over a string, XADD a, SET b text, RENAME a b, :3 text -, - :3 -",
        "a string replaces a stream, XADD a, SET b text, SET a new, :3 text -, new text -",
        "a string is renamed over a stream, XADD b, SET a text, RENAME a b, text :3 -, - text -",
        "a string is copied over a stream, XADD b, SET a text, COPY a b REPLACE, text :3 -, text text -",
        "a stream is copied over a string, XADD a, SET b text, COPY a b REPLACE, :3 text -, :3 :3 -",
        "a string is moved, XADD b, SET a text, MOVE a 1, text :3 -, - :3 text",
        "a stream is moved, XADD a, SET b text, MOVE a 1, :3 text -, - text :3"
    })
    void aLossOfPowerLeavesTheOldValueOrTheNewOne(
            String what, String stream, String string, String change, String before, String behind) {
        List<String> met = new ArrayList<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<PowerLossStorage> images = new ArrayList<>();
            try (PowerLossStorage power = new PowerLossStorage(seed)) {
                try (LocalStores stores = open(power);
                        LocalDatabase.Shared shared = new LocalDatabase.Shared(stores, false)) {
                    LocalDatabase database = new LocalDatabase(shared);
                    for (int i = 1; i <= 3; i++) {
                        run(database, 0, stream + " " + i + "-1 f v");
                    }
                    run(database, 0, string);
                    assertThat(values(database)).as(what).isEqualTo(before);
                    stores.sync();
                    power.beforeEachStep(() -> {
                        if (images.size() < IMAGES && random.nextInt(IMAGES) == 0) {
                            images.add(power.image(random));
                        }
                    });
                    run(database, 0, change);
                    power.beforeEachStep(() -> {});
                    for (int i = 0; i < IMAGES; i++) {
                        images.add(power.image(random));
                    }
                    assertThat(values(database)).as(what).isEqualTo(behind);
                }
            }
            images.forEach(image -> met.add(valuesIn(image)));
        }
        List<String> allowed = allowed(before, behind);
        boolean moves = change.startsWith("MOVE "); // as long as the old key is there, the new one may lack entries
        String unmoved = before.substring(0, before.length() - 1);
        assertThat(met).as(what).allMatch(one -> allowed.contains(one) || (moves && one.startsWith(unmoved)));
    }

    /** A key that gets a value may have it before the other key loses it. */
    private static List<String> allowed(String before, String behind) {
        String[] old = before.split(" ", -1);
        String[] next = behind.split(" ", -1);
        List<String> both = new ArrayList<>();
        for (int i = 0; i < old.length; i++) {
            both.add(next[i].equals("-") ? old[i] : next[i]);
        }
        return List.of(before, behind, String.join(" ", both));
    }
}
