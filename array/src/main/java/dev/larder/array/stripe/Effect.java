package dev.larder.array.stripe;

import dev.larder.resp.Command;
import dev.larder.resp.CommandFlag;
import dev.larder.resp.Request;
import java.util.Locale;
import java.util.Set;

/** How a command's effect depends on what its keys hold. That decides how it is done once, though its process may die in it. */
enum Effect {
    /** None: it reads. */
    NONE,
    /** Whatever the keys hold, they hold the same behind it: it may be done again, if what follows is done again too. */
    FIXED,
    /** One change of one key, which depends on the keys. */
    ONE_CHANGE,
    /** Sets several keys if none of them is there. */
    SET_ALL_OR_NONE,
    /** Moves what the first key holds to the second. */
    MOVE,
    /** Moves what the first key holds to the second, if that holds nothing. */
    MOVE_IF_ABSENT;

    private static final Set<String> FIXED_ONES =
            Set.of("del", "flushall", "flushdb", "getdel", "mset", "psetex", "setex", "unlink");
    private static final Set<String> LIFETIMES = Set.of("ex", "px", "exat", "pxat");
    private static final int PLAIN_SET = 3;
    private static final int SET_WITH_LIFETIME = 5;

    static Effect of(Command command, Request request) {
        if (!command.is(CommandFlag.WRITE)) {
            return NONE;
        }
        return switch (command.name()) {
            case "msetnx" -> SET_ALL_OR_NONE;
            case "rename" -> MOVE;
            case "renamenx" -> MOVE_IF_ABSENT;
            case "set" -> isFixedSet(request) ? FIXED : ONE_CHANGE;
            default -> FIXED_ONES.contains(command.name()) ? FIXED : ONE_CHANGE;
        };
    }

    /** Returns whether a second run could have another effect. */
    boolean dependsOnKeys() {
        return this != NONE && this != FIXED;
    }

    private static boolean isFixedSet(Request request) {
        return request.count() == PLAIN_SET
                || (request.count() == SET_WITH_LIFETIME
                        && LIFETIMES.contains(request.text(PLAIN_SET).toLowerCase(Locale.ROOT)));
    }
}
