package dev.larder.resp;

import java.util.function.IntConsumer;

/**
 * The arguments of a command that are keys. {@code COMMAND INFO} shows the three numbers.
 *
 * @param first the first key, counted from the command's name; 0 if there are none, or if they stand behind a word
 * @param last the last key; below 0 counted from the end, -1 for the last argument
 * @param step the distance from one key to the next
 * @param behind the word behind which the keys stand: they are the first half of what follows. Before it are only options of
 *     {@code XREAD} and {@code XREADGROUP}. Empty if there is none
 */
public record KeyPositions(int first, int last, int step, String behind) {

    /** No keys. */
    public static final KeyPositions NONE = new KeyPositions(0, 0, 0, "");

    /** Reads {@code first last step}, or {@code behind WORD}. */
    static KeyPositions of(String text) {
        String[] parts = text.split(" ", -1);
        if (parts[0].equals("behind")) {
            return new KeyPositions(0, 0, 0, parts[1]);
        }
        return new KeyPositions(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]), "");
    }

    /** Passes on the arguments of a request that are keys, in order; none if the request has too few. */
    public void forEach(Request request, IntConsumer key) {
        if (!behind.isEmpty()) {
            forEachBehind(request, key);
        } else if (first > 0) {
            int end = last < 0 ? request.count() + last : last;
            for (int i = first; i <= end && i < request.count(); i += step) {
                key.accept(i);
            }
        }
    }

    private void forEachBehind(Request request, IntConsumer key) {
        int word = 1;
        while (word < request.count() && !request.is(word, behind)) {
            int next = behindOption(request, word);
            if (next == word) {
                return; // no option: the command is an error
            }
            word = next;
        }
        int behindIt = request.count() - word - 1;
        for (int i = 1; i <= behindIt / 2 && behindIt % 2 == 0; i++) {
            key.accept(word + i);
        }
    }

    /** Returns the argument behind an option and its values, because a group may have the name of the word or of an option. */
    private static int behindOption(Request request, int option) {
        if (request.is(option, "block") || request.is(option, "count")) {
            return option + 2;
        }
        if (request.is(option, "group")) {
            return option + 3;
        }
        return request.is(option, "noack") ? option + 1 : option;
    }
}
