package dev.larder.cli.top;

import java.io.IOException;

/** The actions of keys in {@code larder top}. */
enum TopKey {
    QUIT,
    UP,
    DOWN,
    PAGE_UP,
    PAGE_DOWN,
    SORT,
    NONE;

    /** The help of the keys, at the foot of the screen. */
    static final String HELP = "q quit  arrows, space scroll  s sort";

    private static final int CONTROL_C = 3;
    private static final int CONTROL_D = 4;
    private static final int ESCAPE = 27;
    private static final int END = -1;
    private static final long REST_MILLIS = 50;

    /** Reads keys. */
    @FunctionalInterface
    interface Source {

        /** Returns the next character, -1 at the end of the input, or less if none came in time. */
        int read(long timeoutMillis) throws IOException;
    }

    /** Waits for a key; NONE if no key with an action was pressed in time. */
    static TopKey next(Source keys, long timeoutMillis) throws IOException {
        return switch (keys.read(timeoutMillis)) {
            case 'q', 'Q', CONTROL_C, CONTROL_D, END -> QUIT;
            case 'k' -> UP;
            case 'j' -> DOWN;
            case 'b' -> PAGE_UP;
            case ' ', 'f' -> PAGE_DOWN;
            case 's' -> SORT;
            case ESCAPE -> sequence(keys);
            default -> NONE;
        };
    }

    /** Reads the rest of an arrow or page key: {@code ESC [ A}, or {@code ESC O A}, and {@code ESC [ 5 ~}. */
    private static TopKey sequence(Source keys) throws IOException {
        int second = keys.read(REST_MILLIS);
        if (second != '[' && second != 'O') {
            return NONE;
        }
        int third = keys.read(REST_MILLIS);
        TopKey key = switch (third) {
            case 'A' -> UP;
            case 'B' -> DOWN;
            case '5' -> PAGE_UP;
            case '6' -> PAGE_DOWN;
            default -> NONE;
        };
        if (third >= '0' && third <= '9') {
            keys.read(REST_MILLIS); // the ~ behind a number
        }
        return key;
    }
}
