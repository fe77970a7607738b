package dev.larder.cli.shell;

import java.util.ArrayList;
import java.util.List;

/**
 * The words of a line, as a shell splits it.
 *
 * <pre>
 * put key value             three words
 * put 'a key' "it's"        between quotes, blanks are part of a word
 * put a\ key "say \"no\""   a backslash escapes a character, except between single quotes
 * # a comment               no words, as in a blank line
 * </pre>
 */
public final class ShellWords {

    private static final char ESCAPE = '\\';
    private static final char NONE = 0;

    private final List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private char quote = NONE;
    private boolean begun;

    private ShellWords() {}

    /**
     * Returns the words of a line.
     *
     * @throws IllegalArgumentException if a quote is not closed, or nothing follows a backslash
     */
    public static List<String> of(String line) {
        return line.stripLeading().startsWith("#") ? List.of() : new ShellWords().split(line);
    }

    private List<String> split(String line) {
        for (int at = 0; at < line.length(); at++) {
            char unit = line.charAt(at);
            if (unit == ESCAPE && quote != '\'') {
                at++;
                if (at == line.length()) {
                    throw new IllegalArgumentException("nothing follows the last \\");
                }
                add(line.charAt(at));
            } else {
                take(unit);
            }
        }
        if (quote != NONE) {
            throw new IllegalArgumentException("a " + quote + " is not closed");
        }
        end();
        return words;
    }

    private void take(char unit) {
        if (quote != NONE) {
            if (unit == quote) {
                quote = NONE;
            } else {
                add(unit);
            }
        } else if (unit == '"' || unit == '\'') {
            quote = unit;
            begun = true;
        } else if (Character.isWhitespace(unit)) {
            end();
        } else {
            add(unit);
        }
    }

    private void add(char unit) {
        word.append(unit);
        begun = true;
    }

    private void end() {
        if (begun) {
            words.add(word.toString());
        }
        word.setLength(0);
        begun = false;
    }
}
