package dev.larder.memory.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.memory.ClosedException;
import dev.larder.memory.LayoutTable;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.RecordAttribute;
import java.lang.classfile.attribute.RecordComponentInfo;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RecordViewTest {

    record Tick(int symbol, double price, byte side) {}

    record Everything(byte b, boolean z, short s, char c, int i, long l, float f, double d, boolean last) {}

    record WithText(long id, String name) {}

    record WithBox(Integer box) {}

    record Empty() {}

    record Positive(int value) {
        Positive {
            if (value < 0) {
                throw new IllegalArgumentException("negative: " + value);
            }
        }
    }

    record Day(int index) {
        Day {
            if (index < 0) {
                throw new IllegalStateException("not set");
            }
            if (index > 6) {
                throw new IndexOutOfBoundsException("no day " + index);
            }
        }
    }

    private final Region region = Region.create(RegionKind.DIRECT, 100);

    @AfterEach
    void close() {
        region.close();
    }

    @Test
    void laysComponentsOutAsACCompilerDoes() {
        assertThat(LayoutTable.markdown(view(Tick.class).layout())).isEqualTo("""
            | offset | size | field |
            | ---: | ---: | --- |
            | 0 | 4 | symbol |
            | 4 | 4 | - |
            | 8 | 8 | price |
            | 16 | 1 | side |
            | 17 | 7 | - |
            """);
        assertThat(view(Everything.class).layout().byteSize()).isEqualTo(48);
    }

    @Test
    void readsAndWritesWhereTheLayoutSays() {
        RecordView<Tick> ticks = view(Tick.class);
        assertThat(ticks.count()).isEqualTo(4); // of 24 bytes, and 4 bytes are left
        ticks.put(1, new Tick(7, 1.25, (byte) -1));
        assertThat(region.getInt(24)).isEqualTo(7);
        assertThat(region.getDouble(32)).isEqualTo(1.25);
        assertThat(region.getByte(40)).isEqualTo((byte) -1);
        region.putInt(72, 9);
        assertThat(ticks.get(3)).isEqualTo(new Tick(9, 0, (byte) 0));
        assertThat(ticks.get(1)).isEqualTo(new Tick(7, 1.25, (byte) -1));
    }

    @Test
    void leavesTheGapsAsTheyAre() {
        region.fill(0, 100, (byte) 5);
        view(Tick.class).put(0, new Tick(0, 0, (byte) 0));
        assertThat(region.getByte(4)).isEqualTo((byte) 5);
        assertThat(region.getByte(17)).isEqualTo((byte) 5);
        assertThat(region.getByte(16)).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"HEAP", "DIRECT"})
    void holdsEveryPrimitiveType(RegionKind kind) {
        try (Region bytes = Region.create(kind, 1000)) {
            RecordView<Everything> view = RecordView.of(bytes, Everything.class, MethodHandles.lookup());
            Everything values =
                    new Everything((byte) -1, true, (short) -2, '\u2190', -3, Long.MIN_VALUE, 0.5f, Math.E, true);
            for (long index = 0; index < view.count(); index++) {
                view.put(index, values);
            }
            for (long index = 0; index < view.count(); index++) {
                assertThat(view.get(index)).isEqualTo(values);
            }
        }
    }

    /** A record class may have 254 components. A method handle takes fewer arguments: it is one itself. */
    @ParameterizedTest
    @ValueSource(ints = {84, 85, 200, 250})
    void holdsManyComponents(int count) throws ReflectiveOperationException {
        Class<? extends Record> type =
                MethodHandles.lookup().defineClass(ints("Ints" + count, count)).asSubclass(Record.class);
        try (Region bytes = Region.create(RegionKind.DIRECT, 2L * Integer.BYTES * count)) {
            for (int index = 0; index < count; index++) {
                bytes.putInt((long) Integer.BYTES * index, 1000 + index);
            }
            copyToSecond(RecordView.of(bytes, type, MethodHandles.lookup()));
            for (int index = 0; index < count; index++) {
                assertThat(bytes.getInt((long) Integer.BYTES * (count + index))).isEqualTo(1000 + index);
            }
        }
    }

    private static <R extends Record> void copyToSecond(RecordView<R> view) {
        view.put(1, view.get(0));
    }

    /** Returns the class file of a record of some ints: in Java it would have a line for each. */
    private static byte[] ints(String name, int count) {
        ClassDesc type = ClassDesc.of(RecordViewTest.class.getPackageName(), name);
        List<String> names =
                IntStream.range(0, count).mapToObj(index -> "c" + index).toList();
        return ClassFile.of().build(type, made -> {
            made.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER);
            made.withSuperclass(Record.class.describeConstable().orElseThrow());
            made.with(RecordAttribute.of(names.stream()
                    .map(component -> RecordComponentInfo.of(component, ConstantDescs.CD_int))
                    .toList()));
            made.withMethodBody(
                    ConstantDescs.INIT_NAME,
                    MethodTypeDesc.of(ConstantDescs.CD_void, Collections.nCopies(count, ConstantDescs.CD_int)),
                    0,
                    code -> {
                        code.aload(0)
                                .invokespecial(
                                        Record.class.describeConstable().orElseThrow(),
                                        ConstantDescs.INIT_NAME,
                                        ConstantDescs.MTD_void);
                        for (int index = 0; index < count; index++) {
                            code.aload(0).iload(1 + index).putfield(type, names.get(index), ConstantDescs.CD_int);
                        }
                        code.return_();
                    });
            for (String component : names) {
                made.withField(component, ConstantDescs.CD_int, ClassFile.ACC_PRIVATE | ClassFile.ACC_FINAL);
                made.withMethodBody(
                        component,
                        MethodTypeDesc.of(ConstantDescs.CD_int),
                        ClassFile.ACC_PUBLIC,
                        code -> code.aload(0)
                                .getfield(type, component, ConstantDescs.CD_int)
                                .ireturn());
            }
        });
    }

    @Test
    void refusesWhatHasNoFixedSizeByItsName() {
        assertThatThrownBy(() -> view(WithText.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("component name is of type java.lang.String");
        assertThatThrownBy(() -> view(WithBox.class))
                .hasMessageContaining("component box is of type java.lang.Integer");
        assertThatThrownBy(() -> view(Empty.class)).hasMessageContaining("no components");
    }

    @Test
    void refusesRecordsThatItMayNotUse() {
        assertThatThrownBy(() -> RecordView.of(region, Tick.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("MethodHandles.lookup()");
    }

    @Test
    void refusesIndexesOutside() {
        RecordView<Tick> ticks = view(Tick.class);
        for (long index : List.of(-1L, 4L, Long.MAX_VALUE)) {
            assertThatThrownBy(() -> ticks.get(index))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessage(region + ": record " + index
                            + " does not exist: the region has room for 4 records of 24 bytes");
            assertThatThrownBy(() -> ticks.put(index, new Tick(1, 2, (byte) 3)))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void passesOnWhatTheRecordItselfRefuses() {
        region.putInt(0, -5);
        assertThatThrownBy(() -> view(Positive.class).get(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("negative: -5");
    }

    @Test
    void passesOnWhatTheRecordItselfFindsOutOfBounds() {
        region.putInt(0, 7);
        assertThatThrownBy(() -> view(Day.class).get(0))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("no day 7");
        region.putInt(0, -1);
        assertThatThrownBy(() -> view(Day.class).get(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("not set");
    }

    @Test
    void isClosedWithItsRegion() {
        RecordView<Tick> ticks = view(Tick.class);
        region.close();
        assertThatThrownBy(() -> ticks.get(0)).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> ticks.put(0, new Tick(1, 2, (byte) 3))).isInstanceOf(ClosedException.class);
    }

    private <R extends Record> RecordView<R> view(Class<R> type) {
        return RecordView.of(region, type, MethodHandles.lookup());
    }
}
