package dev.larder.lab.search.index;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.lucene.util.VectorUtil;
import org.junit.jupiter.api.Test;

class WordVectorTest {

    private static final String TEXT = "memory segments beside collections outside every heap";

    private static byte[] vector(String text) {
        return WordVector.of(text, 128);
    }

    @Test
    void isNearWhereWordsAreShared() {
        int same = VectorUtil.dotProduct(vector(TEXT), vector(TEXT));
        int near = VectorUtil.dotProduct(vector(TEXT), vector("Memory segments beside cold lakes"));
        int far = VectorUtil.dotProduct(vector(TEXT), vector("cold lakes under clouds"));
        assertThat(same).isGreaterThan(2 * near);
        assertThat(near).isGreaterThan(2 * Math.abs(far));
    }

    @Test
    void hasTheLengthThatBytesAllow() {
        byte[] vector = vector(TEXT);
        assertThat(Math.sqrt(VectorUtil.dotProduct(vector, vector))).isBetween(120.0, 134.0);
        assertThat(vector("a of to")).containsOnly(0);
    }
}
