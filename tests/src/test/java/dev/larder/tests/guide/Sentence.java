package dev.larder.tests.guide;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A sentence of a page in Markdown, with its first line. Programs, commands and comments are left out. Code within a sentence
 * counts as one word, and a link as its text.
 */
record Sentence(Path page, int line, Place place, List<String> words) {

    /** Where a sentence stands. */
    enum Place {
        HEADING,
        TEXT,
        COLUMN,
        CELL
    }

    private static final Pattern CODE = Pattern.compile("`[^`]+`");
    private static final Pattern IMAGE = Pattern.compile("!\\[[^]]*]\\([^)]*\\)");
    private static final Pattern LINK = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");
    private static final Pattern ITEM = Pattern.compile("\\s*(-|\\d+\\.) .*");
    private static final Pattern END = Pattern.compile(".*[.!?][*\")]*");
    private static final Pattern BEGIN = Pattern.compile("[*\"(]*[A-Z0-9].*");

    /** Returns the sentence's words, without the marks of Markdown. */
    String text() {
        return String.join(" ", words);
    }

    /** Returns whether its first words are these, in upper or lower case. */
    boolean beginsWith(String start) {
        return (text() + " ")
                .toLowerCase(Locale.ROOT)
                .replaceFirst("^[^a-z]+", "")
                .startsWith(start + " ");
    }

    @Override
    public String toString() {
        return page + ":" + line + ": " + words.size() + " words: " + text();
    }

    /** Returns all sentences of a page, in their order. */
    static List<Sentence> of(Path page) throws IOException {
        return new Reading(page).sentences(Files.readAllLines(page));
    }

    /** A reading of one page, from its first line to its last. */
    private static final class Reading {
        private final Path page;
        private final List<Sentence> sentences = new ArrayList<>();
        private final StringBuilder paragraph = new StringBuilder();
        private int begin;
        private boolean inFence;
        private boolean inComment;

        Reading(Path page) {
            this.page = page;
        }

        List<Sentence> sentences(List<String> lines) {
            for (int i = 0; i < lines.size(); i++) {
                String next = i + 1 < lines.size() ? lines.get(i + 1) : "";
                read(i + 1, lines.get(i), next);
            }
            endParagraph();
            return sentences;
        }

        private void read(int number, String line, String next) {
            if (line.startsWith("```")) {
                endParagraph();
                inFence = !inFence;
            } else if (inComment || line.startsWith("<!--")) {
                endParagraph();
                inComment = !line.contains("-->");
            } else if (!inFence && line.startsWith("|")) {
                endParagraph();
                cells(number, line, next.startsWith("| -") ? Place.COLUMN : Place.CELL);
            } else if (!inFence && line.startsWith("#")) {
                endParagraph();
                split(number, Place.HEADING, line.replaceFirst("^#+", ""));
            } else if (!inFence) {
                text(number, line);
            }
        }

        private void cells(int number, String line, Place place) {
            if (line.startsWith("| -")) {
                return;
            }
            String plain = line.replace("\\|", "or");
            for (String cell : plain.substring(1).split("\\|", -1)) {
                split(number, place, cell);
            }
        }

        private void text(int number, String line) {
            if (line.isBlank() || ITEM.matcher(line).matches()) {
                endParagraph();
            }
            if (paragraph.isEmpty()) {
                begin = number;
            }
            if (!line.isBlank()) {
                paragraph.append(line.replaceFirst("^\\s*(-|\\d+\\.) ", "")).append('\n');
            }
        }

        private void endParagraph() {
            split(begin, Place.TEXT, paragraph.toString());
            paragraph.setLength(0);
        }

        private void split(int number, Place place, String marked) {
            String plain = replace(LINK, replace(IMAGE, replace(CODE, marked, "Code"), ""), "$1");
            List<String> words = new ArrayList<>();
            int line = number;
            int first = number;
            for (String part : plain.split("\n", -1)) {
                for (String word : part.strip().split("\\s+", -1)) {
                    boolean ends =
                            !words.isEmpty() && END.matcher(words.getLast()).matches();
                    if (ends && BEGIN.matcher(word).matches()) {
                        add(first, place, words);
                        words = new ArrayList<>();
                    }
                    if (words.isEmpty()) {
                        first = line;
                    }
                    if (word.matches(".*[\\p{Alnum}].*")) {
                        words.add(word);
                    }
                }
                line++;
            }
            add(first, place, words);
        }

        private void add(int line, Place place, List<String> words) {
            if (!words.isEmpty()) {
                sentences.add(new Sentence(page, line, place, List.copyOf(words)));
            }
        }

        /** Replaces matches, but keeps their line ends, from which sentences know their lines. */
        private static String replace(Pattern pattern, String text, String by) {
            return pattern.matcher(text).replaceAll(found -> {
                String kept = by.equals("$1") ? found.group(1) : by;
                return Matcher.quoteReplacement(kept + "\n".repeat(missing(found, kept)));
            });
        }

        private static int missing(MatchResult found, String kept) {
            return (int)
                    (found.group().lines().count() - Math.max(1, kept.lines().count()));
        }
    }
}
