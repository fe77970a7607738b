package dev.larder.tests.redis;

import java.util.ArrayList;
import java.util.List;

/** A list in the notation of Tcl: elements between spaces, in braces, or in quotes, with backslashes. Source: Tcl(n). */
final class TclList {

    private final String text;
    private int at;

    private TclList(String text) {
        this.text = text;
    }

    /** Returns the elements of a list. */
    static List<String> parse(String text) {
        TclList list = new TclList(text);
        List<String> elements = new ArrayList<>();
        while (list.skipSpace()) {
            elements.add(list.element());
        }
        return elements;
    }

    /** Returns a list of words without spaces. */
    static String of(String... words) {
        return String.join(" ", words);
    }

    private boolean skipSpace() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at < text.length();
    }

    private String element() {
        return switch (text.charAt(at)) {
            case '{' -> braced();
            case '"' -> quoted();
            default -> bare();
        };
    }

    /** Reads an element in braces. A backslash there is kept as it is; it only keeps the brace after it out of the count. */
    private String braced() {
        int begin = ++at;
        for (int depth = 1; at < text.length(); at++) {
            char character = text.charAt(at);
            if (character == '\\') {
                at++;
            } else if (character == '{') {
                depth++;
            } else if (character == '}' && --depth == 0) {
                return text.substring(begin, at++);
            }
        }
        return text.substring(begin);
    }

    private String quoted() {
        at++;
        StringBuilder element = new StringBuilder();
        while (at < text.length() && text.charAt(at) != '"') {
            appendCharacter(element);
        }
        at++;
        return element.toString();
    }

    private String bare() {
        StringBuilder element = new StringBuilder();
        while (at < text.length() && !Character.isWhitespace(text.charAt(at))) {
            appendCharacter(element);
        }
        return element.toString();
    }

    private void appendCharacter(StringBuilder element) {
        char character = text.charAt(at++);
        if (character == '\\' && at < text.length()) {
            char escaped = text.charAt(at++);
            element.append(
                    switch (escaped) {
                        case 'n' -> '\n';
                        case 't' -> '\t';
                        case 'r' -> '\r';
                        case 'v' -> '\u000b';
                        case 'f' -> '\f';
                        case 'a' -> '\u0007';
                        case 'b' -> '\b';
                        default -> escaped;
                    });
        } else {
            element.append(character);
        }
    }
}
