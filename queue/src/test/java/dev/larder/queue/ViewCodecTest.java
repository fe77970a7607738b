package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.Codec;
import dev.larder.codec.SchemaMismatchException;
import dev.larder.codec.ViewCodec;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Messages of a fixed layout are read in place. */
@Timeout(300)
final class ViewCodecTest {

    @TempDir
    Path directory;

    interface Tick {
        int symbol();

        Tick symbol(int value);

        double price();

        Tick price(double value);

        default double total() {
            return symbol() * price();
        }
    }

    interface All {
        boolean a();

        void a(boolean value);

        byte b();

        void b(byte value);

        short c();

        void c(short value);

        char d();

        void d(char value);

        int e();

        void e(int value);

        long f();

        void f(long value);

        float g();

        void g(float value);

        double h();

        void h(double value);
    }

    @Test
    void carriesEveryPrimitiveType() {
        ViewCodec<All> views = Codec.views(All.class, MethodHandles.lookup());
        try (LarderQueue queue = TestQueues.open(directory);
                TypedAppender<All> appender = queue.appender(views);
                TypedTailer<All> tailer = queue.tailer(views)) {
            All all = views.create();
            all.a(true);
            all.b((byte) -1);
            all.c((short) -2);
            all.d('\uffff');
            all.e(-4);
            all.f(Long.MIN_VALUE);
            all.g(6.5f);
            all.h(Double.MIN_VALUE);
            appender.append(all);
            List<Object> seen = new ArrayList<>();
            tailer.poll(view -> seen.addAll(
                    List.of(view.a(), view.b(), view.c(), view.d(), view.e(), view.f(), view.g(), view.h())));
            assertThat(seen)
                    .containsExactly(true, (byte) -1, (short) -2, '\uffff', -4, Long.MIN_VALUE, 6.5f, Double.MIN_VALUE);
        }
    }

    @Test
    void givesOneViewForAllMessages() {
        ViewCodec<Tick> views = Codec.views(Tick.class, MethodHandles.lookup());
        try (LarderQueue queue = TestQueues.open(directory);
                TypedAppender<Tick> appender = queue.appender(views);
                TypedTailer<Tick> tailer = queue.tailer(views)) {
            Tick tick = views.create();
            for (int i = 0; i < 1000; i++) {
                appender.append(tick.symbol(i).price(0.5));
            }
            List<Tick> seen = new ArrayList<>();
            List<Double> totals = new ArrayList<>();
            tailer.drain(
                    view -> {
                        seen.add(view);
                        totals.add(view.total());
                    },
                    Integer.MAX_VALUE);
            assertThat(seen).hasSize(1000).allSatisfy(view -> assertThat(view).isSameAs(seen.getFirst()));
            assertThat(totals).startsWith(0.0, 0.5, 1.0).endsWith(499.5);
        }
    }

    @Test
    void doesNotWriteIntoMessages() {
        ViewCodec<Tick> views = Codec.views(Tick.class, MethodHandles.lookup());
        try (LarderQueue queue = TestQueues.open(directory);
                TypedAppender<Tick> appender = queue.appender(views);
                TypedTailer<Tick> tailer = queue.tailer(views)) {
            appender.append(views.create());
            assertThatThrownBy(() -> tailer.poll(view -> view.symbol(1)))
                    .isInstanceOfAny(UnsupportedOperationException.class, IllegalArgumentException.class);
        }
    }

    static final class AsRecord {
        record Tick(double price, int symbol, long added) implements ViewCodecTest.Tick {
            @Override
            public ViewCodecTest.Tick symbol(int value) {
                throw new UnsupportedOperationException();
            }

            @Override
            public ViewCodecTest.Tick price(double value) {
                throw new UnsupportedOperationException();
            }
        }
    }

    @Test
    void readsWhatARecordWroteAndTheOtherWayRound() {
        ViewCodec<Tick> views = Codec.views(Tick.class, MethodHandles.lookup());
        Codec<AsRecord.Tick> records = Codec.records(AsRecord.Tick.class);
        try (LarderQueue queue = TestQueues.open(directory)) {
            queue.appender(records).append(new AsRecord.Tick(1.5, 7, 9));
            queue.appender(views).append(new AsRecord.Tick(2.5, 8, 9));
            queue.appender(views).append(views.create().price(3.5).symbol(9));
            assertThat(queue.schemas()).hasSize(2);
            List<String> seen = new ArrayList<>();
            queue.tailer(views).drain(tick -> seen.add(tick.symbol() + " " + tick.price()), 9);
            assertThat(seen).containsExactly("7 1.5", "8 2.5", "9 3.5");
            List<AsRecord.Tick> read = new ArrayList<>();
            queue.tailer(records).drain(read::add, 9);
            assertThat(read)
                    .containsExactly(
                            new AsRecord.Tick(1.5, 7, 9), new AsRecord.Tick(2.5, 8, 0), new AsRecord.Tick(3.5, 9, 0));
        }
    }

    static final class Others {
        record Tick(double price, String name, int symbol) {}

        static final class Wrong {
            record Tick(double price, long symbol) {}
        }

        static final class Lacking {
            record Tick(double price, String name) {}
        }
    }

    @Test
    void saysWhyAMessageHasNoView() {
        ViewCodec<Tick> views = Codec.views(Tick.class, MethodHandles.lookup());
        try (LarderQueue queue = TestQueues.open(directory);
                TypedTailer<Tick> tailer = queue.tailer(views)) {
            queue.appender(Codec.records(Others.Tick.class)).append(new Others.Tick(1, "n", 2));
            queue.appender(Codec.records(Others.Wrong.Tick.class)).append(new Others.Wrong.Tick(1, 2));
            queue.appender(Codec.records(Others.Lacking.Tick.class)).append(new Others.Lacking.Tick(4.5, "n"));
            queue.appender().append(new byte[] {(byte) 0xfd, 2, 0, 0, 1, 2, 3});
            assertThatThrownBy(tailer::next)
                    .isInstanceOf(SchemaMismatchException.class)
                    .hasMessageContainingAll("component symbol", "no fixed place", directory.toString());
            tailer.skip();
            assertThatThrownBy(tailer::next)
                    .isInstanceOf(SchemaMismatchException.class)
                    .hasMessageContainingAll("component symbol", "\"int\"", "\"long\"");
            tailer.skip();
            assertThat(tailer.next()).hasValueSatisfying(tick -> {
                assertThat(tick.price()).isEqualTo(4.5);
                assertThat(tick.symbol()).isZero();
            });
        }
    }

    interface Answer {
        String name();
    }

    interface Doing {
        int value();

        void act(int value, int other);
    }

    @Test
    void refusesInterfacesThatAreNoViews() {
        assertThatThrownBy(() -> Codec.views(Answer.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("Answer", "name", "java.lang.String");
        assertThatThrownBy(() -> Codec.views(Doing.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("Doing", "act");
    }

    interface Numbered {
        int number();

        void number(int value);
    }

    interface Counted {
        int number();

        void number(int value);

        long count();

        void count(long value);
    }

    interface NumberedAndCounted extends Numbered, Counted {}

    @Test
    void seesAComponentThatIsInheritedTwiceOnce() {
        ViewCodec<NumberedAndCounted> views = Codec.views(NumberedAndCounted.class, MethodHandles.lookup());
        try (LarderQueue queue = TestQueues.open(directory);
                TypedAppender<NumberedAndCounted> appender = queue.appender(views);
                TypedTailer<NumberedAndCounted> tailer = queue.tailer(views)) {
            NumberedAndCounted view = views.create();
            view.number(7);
            view.count(8);
            appender.append(view);
            assertThat(queue.schemas().values())
                    .singleElement()
                    .satisfies(schema -> assertThat(schema.main().components()).hasSize(2));
            List<Object> seen = new ArrayList<>();
            tailer.poll(read -> seen.addAll(List.of(read.number(), read.count())));
            assertThat(seen).containsExactly(7, 8L);
        }
    }
}
