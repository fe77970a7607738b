package dev.larder.lab.search.index;

import dev.larder.lab.result.LabException;
import dev.larder.lab.text.NumberedRandom;
import java.util.ArrayList;
import java.util.List;

/** A sample of the terms with a certain number of documents; each is equally likely to be in it. */
final class TermBand {

    private static final int SAMPLED = 2_000;

    private final String name;
    private final NumberedRandom random;
    private final List<String> sample = new ArrayList<>();
    private long offered;

    TermBand(String name, long seed) {
        this.name = name;
        this.random = new NumberedRandom(seed, name.hashCode());
    }

    /** Offers a term. Offers come in the order of terms, which determines the sample. */
    void offer(String term) {
        offered++;
        if (sample.size() < SAMPLED) {
            sample.add(term);
            return;
        }
        long at = random.below(offered);
        if (at < SAMPLED) {
            sample.set((int) at, term);
        }
    }

    /** Draws a term. */
    String draw(NumberedRandom draws) {
        checkSize(1);
        return sample.get((int) draws.below(sample.size()));
    }

    /** Draws a term that is not this one. */
    String drawOther(String term, NumberedRandom draws) {
        checkSize(2);
        String other = draw(draws);
        while (other.equals(term)) {
            other = draw(draws);
        }
        return other;
    }

    private void checkSize(int least) {
        if (sample.size() < least) {
            throw new LabException("the index has " + sample.size() + " " + name
                    + " terms to ask for: it is too small, at least " + least + " are needed");
        }
    }
}
