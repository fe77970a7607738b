package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.CodecFolder;
import dev.larder.codec.ValueCodec;
import dev.larder.codec.ValueMismatchException;
import dev.larder.memory.Access;
import dev.larder.memory.SystemStorage;
import dev.larder.tests.support.OtherThread;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Codecs of the map: texts, and a codec whose record is given back while the codec reads it. */
@Timeout(60)
final class CodecTest {

    private static final int LENGTH = 100_000;

    @TempDir
    Path directory;

    /** A codec of bytes that runs an action before its first reading. */
    private static final class Interrupted implements ValueCodec<byte[]> {
        private final ValueCodec<byte[]> bytes = ValueCodec.bytes();
        private Runnable meanwhile = () -> {};
        private int errors;

        @Override
        public String name() {
            return "interrupted";
        }

        @Override
        public int lengthBytes(byte[] value) {
            return bytes.lengthBytes(value);
        }

        @Override
        public void write(byte[] value, MemorySegment target, long offset, int length) {
            bytes.write(value, target, offset, length);
        }

        @Override
        public byte[] read(MemorySegment source, long offset, int length) {
            Runnable first = meanwhile;
            meanwhile = () -> {};
            first.run();
            try {
                return bytes.read(source, offset, length);
            } catch (IllegalStateException e) {
                errors++;
                throw e;
            }
        }
    }

    /** A codec of bytes that gives a wrong length for values of one size. */
    private static final class Wrong implements ValueCodec<byte[]> {
        private final ValueCodec<byte[]> bytes = ValueCodec.bytes();
        private final int length = 77;
        private int answer;

        @Override
        public String name() {
            return "wrong";
        }

        @Override
        public int lengthBytes(byte[] value) {
            return value.length == length ? answer : value.length;
        }

        @Override
        public void write(byte[] value, MemorySegment target, long offset, int length) {
            bytes.write(value, target, offset, length);
        }

        @Override
        public byte[] read(MemorySegment source, long offset, int length) {
            return bytes.read(source, offset, length);
        }
    }

    /** A codec of texts that cannot read one of them. */
    private static final class Choosy implements ValueCodec<String> {
        private static final String UNREADABLE = "unreadable";

        @Override
        public String name() {
            return "choosy";
        }

        @Override
        public int lengthBytes(String value) {
            return ValueCodec.texts().lengthBytes(value);
        }

        @Override
        public void write(String value, MemorySegment target, long offset, int length) {
            ValueCodec.texts().write(value, target, offset, length);
        }

        @Override
        public String read(MemorySegment source, long offset, int length) {
            String text = ValueCodec.texts().read(source, offset, length);
            if (text.equals(UNREADABLE)) {
                throw new ValueMismatchException("it is " + text);
            }
            return text;
        }
    }

    /** A codec of texts that encodes each text when it is asked for the length, and writes it once. */
    private static final class Encoding implements ValueCodec<String> {
        private Runnable meanwhile = () -> {};

        @Override
        public String name() {
            return "encoding";
        }

        @Override
        public ValueCodec<String> in(CodecFolder folder, boolean writing) {
            return new OfThread(this);
        }

        @Override
        public int lengthBytes(String value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void write(String value, MemorySegment target, long offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String read(MemorySegment source, long offset, int length) {
            throw new UnsupportedOperationException();
        }
    }

    private static final class OfThread implements ValueCodec<String> {
        private final Encoding whole;
        private byte[] encoded = {};

        OfThread(Encoding whole) {
            this.whole = whole;
        }

        @Override
        public String name() {
            return whole.name();
        }

        @Override
        public int lengthBytes(String value) {
            encoded = value.getBytes(StandardCharsets.UTF_8);
            return encoded.length;
        }

        @Override
        public void write(String value, MemorySegment target, long offset, int length) {
            byte[] once = encoded;
            encoded = new byte[length];
            MemorySegment.copy(once, 0, target, ValueLayout.JAVA_BYTE, offset, length);
            Runnable first = whole.meanwhile;
            whole.meanwhile = () -> {};
            first.run();
        }

        @Override
        public String read(MemorySegment source, long offset, int length) {
            return ValueCodec.texts().read(source, offset, length);
        }
    }

    /** If another thread is faster, the map writes the value again, and asks for its length again, too. */
    @Test
    void isAskedForTheLengthBeforeEachWriting() {
        Encoding codec = new Encoding();
        try (LarderMap<Long, String> map = LarderMap.open(directory, ValueCodec.longs(), codec, TestMaps.options())) {
            codec.meanwhile = () -> OtherThread.run(() -> map.set(1L, "other")).join();
            assertThat(map.put(1L, "own")).isEqualTo("other");
            assertThat(map.get(1L)).isEqualTo("own");
            codec.meanwhile = () -> OtherThread.run(() -> map.set(1L, "own")).join();
            assertThat(map.replace(1L, "own", "newer")).isTrue();
            assertThat(map.get(1L)).isEqualTo("newer");
        }
    }

    /** A change that returns the former value reads it first, and so does a change that computes a new value from it. */
    @Test
    void changesNothingWhereTheValueBeforeCannotBeRead() {
        try (LarderMap<Long, String> map =
                LarderMap.open(directory, ValueCodec.longs(), new Choosy(), TestMaps.options())) {
            map.set(1L, Choosy.UNREADABLE);
            long version = map.version(1L);
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> map.put(1L, "new"),
                    () -> map.put(1L, "new", Duration.ofDays(1)),
                    () -> map.putIfAbsent(1L, "new"),
                    () -> map.replace(1L, "new"),
                    () -> map.merge(1L, "new", String::concat),
                    () -> map.compute(1L, (key, value) -> "new"),
                    () -> map.remove(1L))) {
                assertThatThrownBy(call)
                        .isInstanceOf(ValueMismatchException.class)
                        .hasMessageContaining(directory.toString());
                assertThat(map.version(1L)).isEqualTo(version);
            }
            assertThat(map.replace(1L, Choosy.UNREADABLE, "new")).isTrue();
            assertThat(map.put(1L, Choosy.UNREADABLE)).isEqualTo("new");
            assertThat(map.remove(1L, Choosy.UNREADABLE)).isTrue();
            map.set(1L, Choosy.UNREADABLE);
            assertThat(map.delete(1L)).isTrue();
            assertThat(map.put(1L, "new")).isNull();
        }
    }

    @Test
    void readsNoValueWhereKeysAreAskedFor() {
        try (LarderMap<Long, String> map =
                LarderMap.open(directory, ValueCodec.longs(), new Choosy(), TestMaps.options())) {
            for (long key = 0; key < 100; key++) {
                map.set(key, Choosy.UNREADABLE);
            }
            assertThat(map.isEmpty()).isFalse();
            assertThat(map.keySet()).hasSize(100).contains(1L);
            assertThat(map.keySet().removeIf(key -> key < 10)).isTrue();
            assertThat(map.keySet().remove(10L)).isTrue();
            assertThat(map.keySet().stream().mapToLong(key -> key).min()).hasValue(11);
            map.clear();
            assertThat(map.isEmpty()).isTrue();
        }
    }

    /** Short and long texts, plain ones and others, as keys and as values. Each lookup uses another object. */
    @Test
    void keepsTexts() {
        List<String> texts = List.of(
                "",
                "a",
                "eight888",
                "twenty characters, 20",
                "\u00e9\u0141\ud83d\ude00",
                "\u00fc".repeat(300),
                "x".repeat(300));
        try (LarderMap<String, String> map =
                LarderMap.open(directory, ValueCodec.texts(), ValueCodec.texts(), TestMaps.options())) {
            texts.forEach(text -> map.put(text, text));
            for (String text : texts) {
                assertThat(map.get(new String(text.toCharArray()))).isEqualTo(text);
            }
            assertThat(map.keySet()).containsExactlyInAnyOrderElementsOf(texts);
            map.set("same", "same");
            assertThat(map).containsEntry("same", "same");
        }
    }

    /** The caller asked for the length of another text than it writes then, or of none. */
    @Test
    void writesTheTextThatItIsGiven() {
        ValueCodec<String> own =
                ValueCodec.texts().in(new CodecFolder(directory, SystemStorage.system(), Access.OWNER), true);
        MemorySegment target = MemorySegment.ofArray(new byte[8]);
        assertThat(own.lengthBytes("first")).isEqualTo(5);
        own.write("second", target, 1, 6);
        assertThat(new String(target.asSlice(1, 6).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8))
                .isEqualTo("second");
    }

    /** A negative length would reach into what others have claimed. */
    @Test
    void mayNotGiveANegativeLength() {
        Wrong wrong = new Wrong();
        try (LarderMap<byte[], byte[]> map = LarderMap.open(directory, wrong, wrong, TestMaps.options())) {
            byte[] key = {1};
            map.set(key, new byte[9]);
            for (int length : new int[] {-1, -7, -20, Integer.MIN_VALUE}) {
                for (ThrowingCallable call : List.<ThrowingCallable>of(
                        () -> map.set(key, new byte[wrong.length]),
                        () -> map.set(new byte[wrong.length], key),
                        () -> map.replace(key, new byte[wrong.length], key),
                        () -> load(map, key, new byte[wrong.length]),
                        () -> map.get(new byte[wrong.length]))) {
                    wrong.answer = length;
                    assertThatThrownBy(call)
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("wrong")
                            .hasMessageContaining(length + " bytes");
                }
            }
            wrong.answer = 0;
            map.set(key, new byte[8]);
            assertThat(map.get(key)).hasSize(8);
        }
    }

    private static void load(LarderMap<byte[], byte[]> map, byte[] key, byte[] value) {
        try (MapLoader<byte[], byte[]> loader = map.loader()) {
            loader.put(key, value);
        }
    }

    @Test
    void isCalledAgainWhereItLetsTheErrorPass() {
        Interrupted codec = new Interrupted();
        try (LarderMap<Long, byte[]> map = LarderMap.open(directory, ValueCodec.longs(), codec, TestMaps.options())) {
            map.set(-1L, new byte[7]);
            putOver(map);
            codec.meanwhile = () -> {
                putOver(map);
                map.compact();
            };
            assertThat(map.get(-1L)).isEqualTo(new byte[7]);
            assertThat(codec.errors).as("its record was given back").isPositive();
        }
    }

    private static void putOver(LarderMap<Long, byte[]> map) {
        for (long put = 0; put < 50; put++) {
            map.set(put % 5, new byte[LENGTH]);
        }
    }
}
