package dev.larder.lab.map;

import dev.larder.lab.result.Figures;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.ValueCodec;
import dev.larder.map.LarderMap;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A LarderMap: a get copies the value from where it lies into the caller's array, a put is {@link LarderMap#set}. */
final class LarderSubject implements MapSubject {

    private @Nullable LarderMap<Long, byte[]> map;

    @Override
    public Figures open(Path directory, MapShape shape) {
        map = LarderMap.open(
                directory,
                ValueCodec.longs(),
                ValueCodec.bytes(),
                LogOptions.defaults().withSync(SyncPolicy.none()));
        return new Figures()
                .put("options", "defaults; sync policy none")
                .put("survives", "the process; the machine after sync, which the load ends with");
    }

    private LarderMap<Long, byte[]> map() {
        LarderMap<Long, byte[]> open = map;
        if (open == null) {
            throw new IllegalStateException("it is not open");
        }
        return open;
    }

    @Override
    public void loaded() {
        map().sync();
    }

    @Override
    public void put(long key, byte[] value) {
        map().set(key, value);
    }

    @Override
    public boolean get(long key, byte[] into) {
        return map().read(
                        key,
                        (segment, offset, length) ->
                                MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, into, 0, length));
    }

    @Override
    public boolean remove(long key) {
        return map().remove((Object) key) != null;
    }

    @Override
    public boolean readsInPlace() {
        return true;
    }

    @Override
    public long sum(long key) {
        long[] sum = new long[1];
        map().read(key, (segment, offset, length) -> sum[0] = MapValue.sum(segment, offset, length));
        return sum[0];
    }

    @Override
    public boolean isPersistent() {
        return true;
    }

    @Override
    public void close() {
        if (map != null) {
            map.close();
            map = null;
        }
    }
}
