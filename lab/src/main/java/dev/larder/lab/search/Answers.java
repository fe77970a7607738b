package dev.larder.lab.search;

import dev.larder.cli.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The right answers: an index without updates has one right answer to each task, whichever server gives it. The first
 * server sets the answers, the others are compared with it.
 */
final class Answers {

    private @Nullable String first;
    private List<?> right = List.of();

    /**
     * Checks a server's answers.
     *
     * @param answers {@code answers}: a number for each task that stands for everything found
     * @return why they are wrong; null if they are right
     */
    @Nullable
    String invalidReason(String server, Figures answers) {
        List<?> found = answers.get("answers") instanceof List<?> list ? list : List.of();
        if (found.isEmpty()) {
            return server + " gives no answers";
        }
        if (first == null) {
            first = server;
            right = new ArrayList<>(found);
            return null;
        }
        if (found.size() != right.size()) {
            return server + " answers " + found.size() + " tasks, " + first + " " + right.size();
        }
        long wrong = 0;
        int firstWrong = -1;
        for (int task = 0; task < found.size(); task++) {
            if (!Objects.equals(number(found.get(task)), number(right.get(task)))) {
                firstWrong = wrong == 0 ? task : firstWrong;
                wrong++;
            }
        }
        return wrong == 0
                ? null
                : server + " answers " + wrong + " of " + found.size() + " tasks differently from " + first
                        + "; the first is task " + firstWrong;
    }

    /** A number from JSON may have any type that fits. */
    private static @Nullable Long number(@Nullable Object value) {
        return value instanceof Number number ? Long.valueOf(number.longValue()) : null;
    }
}
