package dev.larder.resp;

import java.util.function.IntConsumer;

/**
 * Which arguments of a command are keys. {@code COMMAND INFO} tells the three numbers.
 *
 * @param first the first key, counted from the command's name; 0 where there are none, or where they stand behind a word
 * @param last the last key; below 0 counted from the end, -1 for the last argument
 * @param step from one key to the next
 * @param behind the word behind which the keys stand, the first half of what follows; empty where there is none
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

    /** Passes on the arguments of a request that are keys, in order; none where the request has too few. */
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
            word++;
        }
        int keys = (request.count() - word - 1) / 2;
        for (int i = 1; i <= keys; i++) {
            key.accept(word + i);
        }
    }
}
