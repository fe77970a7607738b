package dev.larder.lab.search;

import dev.larder.cli.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What every server must answer: an index that is not updated has one right answer to each task, whoever serves it. The
 * first server to be asked sets it, the others are compared.
 */
final class Answers {

    private @Nullable String first;
    private List<?> right = List.of();

    /**
     * Takes in the answers of a server.
     *
     * @param answers {@code answers}: a number for each task that stands for all that was found
     * @return why they prove nothing; null when they are right
     */
    @Nullable
    String invalidReason(String server, Figures answers) {
        List<?> found = answers.get("answers") instanceof List<?> list ? list : List.of();
        if (found.isEmpty()) {
            return server + " answers nothing";
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
                : server + " answers " + wrong + " of " + found.size() + " tasks otherwise than " + first
                        + "; the first is task " + firstWrong;
    }

    /** What has come through JSON is a number of whatever size fits. */
    private static @Nullable Long number(@Nullable Object value) {
        return value instanceof Number number ? Long.valueOf(number.longValue()) : null;
    }
}
