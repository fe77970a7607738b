package dev.larder.lab.text;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Set;

/**
 * Reduces the markup of MediaWiki to the words that a reader sees, in one pass. Simple, and not exact: what a template
 * would show is left out, and what is opened and never closed reaches to the end.
 */
final class WikiText {

    /** Elements whose content is no prose. */
    private static final Set<String> DROPPED =
            Set.of("ref", "math", "gallery", "timeline", "score", "graph", "imagemap");

    private static final int LONGEST_ENTITY = 10;
    private static final int DEEPEST = 20;

    private final String markup;
    private final StringBuilder plain;
    private final Deque<Link> links = new ArrayDeque<>();
    private int at;
    private int braces;

    private WikiText(String markup) {
        this.markup = markup;
        this.plain = new StringBuilder(markup.length());
    }

    /** Returns the plain text of a page. */
    static String plain(String markup) {
        WikiText text = new WikiText(markup);
        while (text.at < markup.length()) {
            text.step();
        }
        return text.plain.toString().strip();
    }

    private void step() {
        char next = markup.charAt(at);
        switch (next) {
            case '<' -> element();
            case '{' -> openBrace();
            case '}' -> closeBrace();
            case '[' -> openLink();
            case ']' -> closeLink();
            case '|' -> separator();
            case '\'', '=' -> run(next);
            case '&' -> entity();
            case '\n' -> newLine();
            default -> put(next);
        }
    }

    /** Puts what a reader sees: nothing that stands within braces. */
    private void put(char character) {
        if (braces == 0) {
            plain.append(character);
        }
        at++;
    }

    private boolean isNext(String text) {
        return markup.startsWith(text, at);
    }

    private void skipPast(String end) {
        int found = markup.indexOf(end, at);
        at = found < 0 ? markup.length() : found + end.length();
    }

    private void element() {
        if (isNext("<!--")) {
            skipPast("-->");
            return;
        }
        String name = elementName();
        if (name.isEmpty()) {
            put('<');
            return;
        }
        skipPast(">");
        boolean empty = markup.startsWith("/>", at - 2);
        if (DROPPED.contains(name) && !empty) {
            skipPast("</" + name);
            skipPast(">");
        }
    }

    /** The name of the element that opens or closes here; empty where a sign means "less than". */
    private String elementName() {
        int start = at + 1;
        int end = markup.startsWith("/", start) ? start + 1 : start;
        while (end < markup.length() && isLetter(markup.charAt(end))) {
            end++;
        }
        return markup.substring(start, end).toLowerCase(Locale.ROOT);
    }

    private static boolean isLetter(char character) {
        return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
    }

    /** Templates and tables. */
    private void openBrace() {
        if (isNext("{{") || isNext("{|")) {
            braces++;
            at += 2;
        } else {
            put('{');
        }
    }

    private void closeBrace() {
        boolean tableEnds = at > 0 && markup.charAt(at - 1) == '|';
        if (braces > 0 && (isNext("}}") || tableEnds)) {
            at += isNext("}}") ? 2 : 1;
            braces--;
        } else {
            put('}');
        }
    }

    private void openLink() {
        if (braces == 0 && isNext("[[") && links.size() < DEEPEST) {
            links.push(new Link(plain.length()));
            at += 2;
        } else {
            at++;
            skipAddress();
        }
    }

    /** Of a link to the world, the label stays. */
    private void skipAddress() {
        if (isNext("http:") || isNext("https:") || isNext("//")) {
            while (at < markup.length() && " ]\n".indexOf(markup.charAt(at)) < 0) {
                at++;
            }
        }
    }

    private void closeLink() {
        if (braces == 0 && isNext("]]") && !links.isEmpty()) {
            links.pop().end();
            at += 2;
        } else {
            at++;
        }
    }

    /** Of a link, what follows the last separator is seen. */
    private void separator() {
        if (braces == 0 && !links.isEmpty()) {
            links.element().separate();
            at++;
        } else {
            put('|');
        }
    }

    /** Two and more of these are emphasis, or a heading. */
    private void run(char character) {
        int end = at;
        while (end < markup.length() && markup.charAt(end) == character) {
            end++;
        }
        if (end - at == 1) {
            put(character);
        }
        at = end;
    }

    /** What XML left of an entity that was escaped twice: a space. */
    private void entity() {
        int end = at + 1;
        while (end < markup.length() && end - at < LONGEST_ENTITY && isOfEntity(markup.charAt(end))) {
            end++;
        }
        if (end > at + 1 && end < markup.length() && markup.charAt(end) == ';') {
            at = end;
            put(' ');
        } else {
            put('&');
        }
    }

    private static boolean isOfEntity(char character) {
        return isLetter(character) || (character >= '0' && character <= '9') || character == '#';
    }

    /** No link spans lines; signs of lists stand at their beginning. */
    private void newLine() {
        links.clear();
        put('\n');
        while (at < markup.length() && "*#:;".indexOf(markup.charAt(at)) >= 0) {
            at++;
        }
    }

    /** A link that is open: where its text begins in what was put. */
    private final class Link {

        private final int start;
        private boolean separated;
        private boolean dropped;

        Link(int start) {
            this.start = start;
        }

        void separate() {
            judgeTarget();
            plain.setLength(start);
        }

        void end() {
            judgeTarget();
            if (dropped) {
                plain.setLength(start);
            }
        }

        /** File:x, Category:x, de:x are no prose in any language; "Alien: the film" is. */
        private void judgeTarget() {
            if (!separated) {
                int colon = plain.indexOf(":", start);
                dropped = colon > start && colon + 1 < plain.length() && plain.charAt(colon + 1) != ' ';
                separated = true;
            }
        }
    }
}
