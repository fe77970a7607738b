package dev.larder.lab.text;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reduces the markup of MediaWiki to the words that a reader sees, in one pass. It is simple and not exact: it omits the
 * output of templates, and an unclosed element reaches to the end.
 */
final class WikiText {

    /** Comments, elements whose content is not prose, other elements, and the signs with a meaning. */
    private static final Pattern MARK =
            Pattern.compile("""
                <!--.*?(?:-->|\\z)
                | <(ref|math|gallery|timeline|score|graph|imagemap)\\b[^>]*(?<!/)>.*?(?:</\\1[^>]*(?:>|\\z)|\\z)
                | <[/a-z][^>]*(?:>|\\z)
                | \\{[{|] | \\}\\}? | \\|\\}(?!\\}) | \\|
                | \\[\\[ | \\[(?:(?:https?:|//)[^\\x20\\]\\n]*)? | \\]\\]?
                | '+ | =+ | &[\\#a-z0-9]{1,9}; | \\n[*\\#:;]*
                """, Pattern.COMMENTS | Pattern.DOTALL | Pattern.CASE_INSENSITIVE);

    private static final int DEEPEST = 20;

    private final StringBuilder plain = new StringBuilder();
    private final Deque<Link> links = new ArrayDeque<>();
    private int braces;

    /** Returns the plain text of a page. */
    static String plain(String markup) {
        WikiText text = new WikiText();
        Matcher mark = MARK.matcher(markup);
        int at = 0;
        while (mark.find()) {
            text.put(markup.substring(at, mark.start()));
            text.take(mark.group());
            at = mark.end();
        }
        text.put(markup.substring(at));
        return text.plain.toString().strip();
    }

    /** Puts words that a reader sees: none within braces. */
    private void put(String words) {
        if (braces == 0) {
            plain.append(words);
        }
    }

    /** Keeps the label of an external link; no link spans lines, which may begin with list signs. */
    private void take(String mark) {
        boolean isPair = mark.length() == 2;
        switch (mark.charAt(0)) {
            case '{' -> braces++;
            case '}' -> closeOrPut(isPair, mark);
            case '|' -> separate(isPair, mark);
            case '[' -> openLink(isPair);
            case ']' -> closeLink(isPair);
            case '\'', '=' -> put(mark.length() == 1 ? mark : ""); // two or more are emphasis, or a heading
            case '&' -> put(" "); // the rest of a doubly escaped entity
            case '\n' -> {
                links.clear();
                put("\n");
            }
            default -> {}
        }
    }

    /** Templates and tables. */
    private void closeOrPut(boolean closes, String mark) {
        if (closes && braces > 0) {
            braces--;
        } else {
            put(mark);
        }
    }

    /** A link shows the text after its last separator. */
    private void separate(boolean closes, String mark) {
        if (braces == 0 && !links.isEmpty()) {
            links.element().separate();
            put(mark.substring(1));
        } else {
            closeOrPut(closes, mark);
        }
    }

    private void openLink(boolean isLink) {
        if (isLink && braces == 0 && links.size() < DEEPEST) {
            links.push(new Link(plain.length()));
        }
    }

    private void closeLink(boolean isLink) {
        if (isLink && braces == 0 && !links.isEmpty()) {
            links.pop().end();
        }
    }

    /** An open link, with the start of its text in the output. */
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

        /** File:x, Category:x, de:x are not prose in any language; "Alien: the film" is. */
        private void judgeTarget() {
            if (!separated) {
                int colon = plain.indexOf(":", start);
                dropped = colon > start && colon + 1 < plain.length() && plain.charAt(colon + 1) != ' ';
                separated = true;
            }
        }
    }
}
