package dev.larder.resp;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ObjIntConsumer;

/**
 * How commands use their keys: they read, write, or both. Access control and {@code COMMAND GETKEYSANDFLAGS} need it. It is
 * read from {@code key-uses.txt} beside this class, a line for each command; a second group of words is for the keys behind
 * the first. A command without a line counts as one that reads and changes all of its keys.
 */
public final class KeyUses {

    private static final String FILE = "key-uses.txt";

    /** Stands for commands whose arguments look like keys to clients, but are channels. */
    private static final String CHANNELS = "channels";

    private static final List<Set<KeyUse>> UNKNOWN = List.of(EnumSet.of(KeyUse.RW, KeyUse.ACCESS, KeyUse.UPDATE));
    private static final Set<KeyUse> READS = EnumSet.of(KeyUse.RO, KeyUse.ACCESS);
    private static final Set<KeyUse> OVERWRITES = EnumSet.of(KeyUse.OW, KeyUse.UPDATE);
    private static final Map<String, List<Set<KeyUse>>> USES = read();

    private KeyUses() {}

    private static Map<String, List<Set<KeyUse>>> read() {
        Map<String, List<Set<KeyUse>>> all = new HashMap<>();
        try (InputStream file = Objects.requireNonNull(KeyUses.class.getResourceAsStream(FILE), FILE);
                BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            lines.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .forEach(line -> {
                        String[] fields = line.split("\\s*\\|\\s*", -1);
                        all.put(fields[0].replace(' ', '|'), uses(fields));
                    });
            return Map.copyOf(all);
        } catch (IOException e) {
            throw new UncheckedIOException(FILE + " cannot be read", e);
        }
    }

    private static List<Set<KeyUse>> uses(String[] fields) {
        List<Set<KeyUse>> uses = new ArrayList<>();
        if (fields[1].equals(CHANNELS)) {
            return uses;
        }
        for (int i = 1; i < fields.length; i++) {
            Set<KeyUse> some = EnumSet.noneOf(KeyUse.class);
            for (String word : fields[i].split(" ", -1)) {
                some.add(KeyUse.valueOf(word));
            }
            uses.add(some);
        }
        return uses;
    }

    /** Returns whether the file says how a command uses its keys, or that these are channels. */
    static boolean isKnown(Command command) {
        return USES.containsKey(command.name());
    }

    /** Returns whether a command has keys. */
    public static boolean areThere(Command command) {
        return !command.keys().equals(KeyPositions.NONE)
                && !USES.getOrDefault(command.name(), UNKNOWN).isEmpty();
    }

    /** Passes on the arguments of a request that are keys, in order, with how the command uses each. */
    public static void forEach(Command command, Request request, ObjIntConsumer<Set<KeyUse>> key) {
        List<Set<KeyUse>> uses = USES.getOrDefault(command.name(), UNKNOWN);
        if (uses.isEmpty()) {
            return;
        }
        int[] place = {0};
        command.keys().forEach(request, argument -> {
            Set<KeyUse> use = uses.get(Math.min(place[0]++, uses.size() - 1));
            key.accept(of(command, request, use), argument);
        });
    }

    /** Returns the use of a key if it depends on the command's options, as Redis shows it; else the usual use. */
    private static Set<KeyUse> of(Command command, Request request, Set<KeyUse> use) {
        return switch (command.name()) {
            case "set" -> replaces(request) ? OVERWRITES : use;
            case "bitfield" -> onlyReads(request) ? READS : use;
            default -> use;
        };
    }

    private static boolean onlyReads(Request request) {
        int i = 2;
        while (i < request.count()) {
            int behind = request.count() - i - 1;
            if (request.is(i, "get") && behind >= 2) {
                i += 3;
            } else if (request.is(i, "overflow") && behind >= 1) {
                i += 2;
            } else {
                return false;
            }
        }
        return true;
    }

    /** Returns whether SET replaces the value without a look: with GET it reads the old value. */
    private static boolean replaces(Request request) {
        for (int i = 3; i < request.count(); i++) {
            if (request.is(i, "get")) {
                return false;
            }
        }
        return true;
    }
}
