package dev.larder.lab.search.index;

import dev.larder.lab.result.LabException;
import dev.larder.lab.text.NumberedRandom;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;

/** Words near each other in documents, from their stored text. */
final class Neighbours {

    private static final int ATTEMPTS = 100;

    private final IndexReader reader;
    private final TermCensus census;
    private final NumberedRandom random;
    private final Analyzer analyzer = SearchIndex.analyzer();

    Neighbours(IndexReader reader, TermCensus census, NumberedRandom random) {
        this.reader = reader;
        this.census = census;
        this.random = random;
    }

    /** Draws two words so many places apart, neither of them rare. */
    String pair(int distance) throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            List<String> terms = terms();
            if (terms.size() > distance) {
                int first = (int) random.below(terms.size() - distance);
                String pair = terms.get(first) + " " + terms.get(first + distance);
                if (isCommon(terms.get(first)) && isCommon(terms.get(first + distance))) {
                    return pair;
                }
            }
        }
        throw new LabException("the index has no two words " + distance + " apart in " + ATTEMPTS
                + " documents that are not rare: it is too small");
    }

    /** Draws at most so many successive words. */
    String row(int words) throws IOException {
        List<String> terms = terms();
        int first = (int) random.below(Math.max(1, terms.size() - words));
        return String.join(" ", terms.subList(first, Math.min(terms.size(), first + words)));
    }

    private boolean isCommon(String term) throws IOException {
        return census.isAtLeastLow(reader.docFreq(new Term(IndexFields.BODY, term)));
    }

    /** Returns a document's terms, in order. */
    private List<String> terms() throws IOException {
        List<String> terms = new ArrayList<>();
        try (TokenStream tokens = analyzer.tokenStream(IndexFields.BODY, body())) {
            CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
            tokens.reset();
            while (tokens.incrementToken()) {
                terms.add(term.toString());
            }
            tokens.end();
        }
        return terms;
    }

    private String body() throws IOException {
        String key = IndexFields.id(random.below(reader.numDocs()));
        int document = Lookups.find(List.of(key), reader)[0];
        if (document == Lookups.NONE) {
            throw new LabException("the index has no document " + key + ": it was not built by the lab");
        }
        return reader.storedFields().document(document).get(IndexFields.BODY);
    }
}
