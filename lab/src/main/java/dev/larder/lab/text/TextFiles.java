package dev.larder.lab.text;

import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes documents of files, and counts what it does not make any of. */
final class TextFiles {

    private static final String JAVA = ".java";
    private static final Pattern MARGIN = Pattern.compile("(?m)^[ \\t]*\\*+(?![*/])");

    private final BoundedText text = new BoundedText();
    private long replaced;
    private long passedOver;

    /** Returns a file's document; null if it has no text. */
    @Nullable
    TextDocument read(String name, InputStream stream) throws IOException {
        Utf8Reader reader = new Utf8Reader(stream);
        text.begin(name);
        text.appendAll(reader);
        if (text.isBinary() || text.isBlank()) {
            passOver();
            return null;
        }
        replaced += reader.replaced();
        return new TextDocument(name, name.endsWith(JAVA) ? wordsOf(text.toString()) : text.toString());
    }

    /**
     * Without what no reader reads: the first comment, if it is the licence, of which else every file would have the same
     * hundred words, and the asterisks before the lines of comments.
     */
    private static String wordsOf(String source) {
        int end = source.indexOf("*/");
        boolean licence =
                end > 0 && source.startsWith("/*") && source.substring(0, end).contains("Copyright");
        return MARGIN.matcher(licence ? source.substring(end + 2) : source).replaceAll("");
    }

    void passOver() {
        passedOver++;
    }

    long replaced() {
        return replaced;
    }

    long passedOver() {
        return passedOver;
    }
}
