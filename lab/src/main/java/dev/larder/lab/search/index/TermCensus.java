package dev.larder.lab.search.index;

import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;

/** The terms of the body by their documents: two walks over all terms keep only samples. */
final class TermCensus {

    private static final int HIGH = 10;
    private static final int MEDIUM = 100;
    private static final int LOW = 1_000;
    private static final int SHORTEST_WORD = 6;

    private static final Comparator<Count> RAREST_FIRST =
            Comparator.comparingLong(Count::documents).thenComparing(Count::term, Comparator.reverseOrder());

    private final Terms terms;
    private final List<String> mostFrequent;
    private final long topDocuments;
    private final TermBand high;
    private final TermBand medium;
    private final TermBand words;

    TermCensus(IndexReader reader, int mostFrequentTerms, long seed) throws IOException {
        terms = MultiTerms.getTerms(reader, IndexFields.BODY);
        Deque<Count> top = terms == null ? new ArrayDeque<>() : mostFrequent(mostFrequentTerms);
        if (top.isEmpty()) {
            throw new LabException("the index has no terms in " + IndexFields.BODY + ": nothing to ask for");
        }
        mostFrequent = top.stream().map(Count::term).toList();
        topDocuments = top.element().documents();
        high = new TermBand("high", seed);
        medium = new TermBand("medium", seed);
        words = new TermBand("medium or high, of six letters or more", seed);
        fillBands();
    }

    private Deque<Count> mostFrequent(int count) throws IOException {
        PriorityQueue<Count> kept = new PriorityQueue<>(RAREST_FIRST);
        TermsEnum each = terms.iterator();
        for (BytesRef term = each.next(); term != null; term = each.next()) {
            if (kept.size() < count || each.docFreq() >= kept.element().documents()) {
                kept.add(new Count(term.utf8ToString(), each.docFreq()));
            }
            if (kept.size() > count) {
                kept.remove();
            }
        }
        Deque<Count> top = new ArrayDeque<>();
        while (!kept.isEmpty()) {
            top.push(kept.remove());
        }
        return top;
    }

    private void fillBands() throws IOException {
        TermsEnum each = terms.iterator();
        for (BytesRef term = each.next(); term != null; term = each.next()) {
            if (isAtLeast(each.docFreq(), MEDIUM)) {
                offer(term.utf8ToString(), each.docFreq());
            }
        }
    }

    private void offer(String term, long documents) {
        (isAtLeast(documents, HIGH) ? high : medium).offer(term);
        if (term.length() >= SHORTEST_WORD && term.chars().allMatch(Character::isLetter)) {
            words.offer(term);
        }
    }

    /** Returns whether so many documents are at least this part of the most frequent term's. */
    private boolean isAtLeast(long documents, int part) {
        return documents * part >= topDocuments;
    }

    /** Returns whether a term in so many documents is at least low, and in more than one. */
    boolean isAtLeastLow(long documents) {
        return documents > 1 && isAtLeast(documents, LOW);
    }

    /** Returns the most frequent terms, most documents first. */
    List<String> mostFrequent() {
        return mostFrequent;
    }

    TermBand high() {
        return high;
    }

    TermBand medium() {
        return medium;
    }

    /** Returns words with enough letters to change or omit some. */
    TermBand words() {
        return words;
    }

    private record Count(String term, long documents) {}
}
