package dev.larder.tests.guide;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The string literals of sources. Literals that a {@code +} joins are one text. A text ends where an expression follows.
 *
 * <pre>
 * "the record " + "at " + position + " fails"    the texts {@code the record at }, and {@code  fails}
 * </pre>
 */
final class SourceTexts {

    /** A comment, a character, a text block or a string. */
    private static final Pattern TOKEN = Pattern.compile(
            "//[^\\n]*|/\\*(?s:.*?)\\*/|'(?:[^'\\\\]|\\\\.)+'|\"\"\"(?s:.*?)\"\"\"|\"(?:[^\"\\\\\\n]|\\\\.)*\"");

    /** How many texts may make one phrase. */
    private static final int PARTS_MOST = 5;

    private final Set<String> texts = new HashSet<>();

    /** Reads all sources below some folders. */
    static SourceTexts below(List<Path> folders) throws IOException {
        SourceTexts all = new SourceTexts();
        for (Path folder : folders) {
            try (Stream<Path> sources = Files.walk(folder)) {
                for (Path source : sources.filter(file -> file.toString().endsWith(".java"))
                        .toList()) {
                    all.add(Files.readString(source));
                }
            }
        }
        return all;
    }

    /** Adds the texts of one source. */
    void add(String source) {
        StringBuilder text = new StringBuilder();
        StringBuilder between = new StringBuilder();
        int last = 0;
        for (MatchResult token : TOKEN.matcher(source).results().toList()) {
            between.append(source, last, token.start());
            last = token.end();
            if (token.group().startsWith("\"")) {
                if (!between.toString().isBlank() && !between.toString().strip().equals("+")) {
                    texts.add(text.toString());
                    text.setLength(0);
                }
                text.append(unquoted(token.group()));
                between.setLength(0);
            } else if (token.group().startsWith("'")) {
                between.append(token.group());
            }
        }
        texts.add(text.toString());
    }

    private static String unquoted(String literal) {
        String quotes = literal.startsWith("\"\"\"") ? "\"\"\"" : "\"";
        return literal.substring(quotes.length(), literal.length() - quotes.length())
                .translateEscapes();
    }

    /** Returns whether a phrase lies in one text, or is put together of a text's end, whole texts and a text's beginning. */
    boolean contain(String phrase) {
        return texts.stream().anyMatch(text -> hasWords(text, phrase))
                || places(phrase)
                        .filter(at -> texts.stream().anyMatch(text -> endsWithWords(text, phrase.substring(0, at))))
                        .anyMatch(at -> isContinued(phrase.substring(at), PARTS_MOST - 1));
    }

    private boolean isContinued(String rest, int parts) {
        return texts.stream().anyMatch(text -> text.startsWith(rest) && isBetweenWords(text, rest.length()))
                || (parts > 1
                        && places(rest)
                                .filter(at -> texts.contains(rest.substring(0, at)))
                                .anyMatch(at -> isContinued(rest.substring(at), parts - 1)));
    }

    private static boolean hasWords(String text, String phrase) {
        int at = text.indexOf(phrase);
        while (at >= 0 && !(isBetweenWords(text, at) && isBetweenWords(text, at + phrase.length()))) {
            at = text.indexOf(phrase, at + 1);
        }
        return at >= 0;
    }

    private static boolean endsWithWords(String text, String end) {
        return text.endsWith(end) && isBetweenWords(text, text.length() - end.length());
    }

    /** Returns the places within a phrase where one of its parts can end. */
    private static Stream<Integer> places(String phrase) {
        return IntStream.range(1, phrase.length())
                .filter(at -> isBetweenWords(phrase, at))
                .boxed();
    }

    private static boolean isBetweenWords(String text, int at) {
        return at == 0
                || at == text.length()
                || !Character.isLetterOrDigit(text.charAt(at - 1))
                || !Character.isLetterOrDigit(text.charAt(at));
    }
}
