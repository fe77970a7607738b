package dev.larder.lab.redis;

import io.lettuce.core.RedisCommandExecutionException;
import java.net.ConnectException;

/** What Redis, or its client, says went wrong, for people. */
final class RedisFaults {

    private RedisFaults() {}

    /** Returns the text of the first error that says something itself; the outer ones only say that there was one. */
    static String text(Throwable error) {
        Throwable deepest = error;
        while (!saysItself(deepest) && deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        String message = deepest.getMessage();
        return message == null ? deepest.toString() : message;
    }

    private static boolean saysItself(Throwable error) {
        return error instanceof RedisCommandExecutionException || error instanceof ConnectException;
    }
}
