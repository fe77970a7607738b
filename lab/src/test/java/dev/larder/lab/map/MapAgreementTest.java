package dev.larder.lab.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The experiment catches a map that loses, tears, mixes up or brings back a value before it times the map. */
class MapAgreementTest {

    private static final MapShape SHAPE = new MapShape(1000, 100);

    private static void compare(ConcurrentMap<Long, byte[]> map) throws Exception {
        HashMapSubject subject = new HashMapSubject(shape -> map, "a map of the test");
        subject.open(Path.of(""), SHAPE);
        assertThat(new MapAgreement(subject, SHAPE).run(1)).isGreaterThan(10_000);
    }

    @Test
    void believesAMap() throws Exception {
        compare(new ConcurrentHashMap<>());
    }

    @Test
    void findsALostValue() {
        ConcurrentMap<Long, byte[]> losing = new Faulty() {
            @Override
            byte @Nullable [] kept(byte[] value) {
                return ++puts % 1000 == 0 ? null : value;
            }
        };
        assertThatThrownBy(() -> compare(losing)).hasMessageMatching(".*(is gone|there was none)");
    }

    @Test
    void findsATornValue() {
        ConcurrentMap<Long, byte[]> tearing = new Faulty() {
            @Override
            byte @Nullable [] kept(byte[] value) {
                value[50] ^= (byte) (++puts % 1000 == 0 ? 1 : 0);
                return value;
            }
        };
        assertThatThrownBy(() -> compare(tearing)).hasMessageContaining("the value belongs to another key, or is torn");
    }

    @Test
    void findsARemovalThatDidNothing() {
        ConcurrentMap<Long, byte[]> keeping = new ConcurrentHashMap<>() {
            @Override
            public byte @Nullable [] remove(Object key) {
                return get(key);
            }
        };
        assertThatThrownBy(() -> compare(keeping)).hasMessageMatching(".*(there was one|came back)");
    }

    @Test
    void findsAnOlderValue() {
        ConcurrentMap<Long, byte[]> lazy = new ConcurrentHashMap<>() {
            @Override
            public byte @Nullable [] put(Long key, byte[] value) {
                return putIfAbsent(key, value);
            }
        };
        assertThatThrownBy(() -> compare(lazy)).hasMessageContaining("the value is an older one");
    }

    /** A map that spoils some values. */
    private abstract static class Faulty extends ConcurrentHashMap<Long, byte[]> {

        private static final long serialVersionUID = 1;

        int puts;

        abstract byte @Nullable [] kept(byte[] value);

        @Override
        public byte @Nullable [] put(Long key, byte[] value) {
            byte @Nullable [] kept = kept(value);
            return kept == null ? remove(key) : super.put(key, kept);
        }
    }
}
