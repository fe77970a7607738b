package dev.larder.memory.region;

import dev.larder.memory.Crc32c;
import dev.larder.memory.SystemStorage;
import dev.larder.memory.linux.LinuxCalls;
import dev.larder.memory.linux.LinuxError;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Regions from {@code shmget}. The kernel finds a segment by a key of 32 bits; {@code ipcs -m} shows it.
 *
 * <pre>
 * name "prices" --CRC-32C of its UTF-8--> key --shmget--> number of the segment --shmat--> address
 * name "0x4c415244" --------------------> key
 * </pre>
 */
final class SystemVMemory implements RegionSource {

    private static final Path LIMITS = Path.of("/proc/sys/kernel");
    private static final Pattern KEY = Pattern.compile("0x[0-9a-fA-F]{8}");
    private static final int OWNER_ALONE = 0600;

    @Override
    public Optional<String> unavailable() {
        return SystemStorage.whyPortable()
                .or(() -> Files.exists(LIMITS.resolve("shmmni"))
                        ? Optional.empty()
                        : Optional.of("this kernel was built without System V shared memory"));
    }

    @Override
    public Region create(String name, long bytes, Arena arena) {
        int flags = SystemVCalls.IPC_CREAT | SystemVCalls.IPC_EXCL | OWNER_ALONE;
        int segment = SystemVCalls.get(key(name), bytes, flags);
        if (LinuxError.EEXIST.is(segment)) {
            throw RegionFiles.taken(words(name));
        }
        check(name, "create " + bytes + " bytes" + limits(segment), segment);
        try {
            return map(name, segment, arena);
        } catch (RuntimeException e) {
            SystemVCalls.remove(segment);
            throw e;
        }
    }

    @Override
    public Region attach(String name, Arena arena) {
        int segment = find(name);
        if (segment < 0) {
            throw RegionFiles.missing(words(name));
        }
        return map(name, segment, arena);
    }

    @Override
    public boolean delete(String name) {
        int segment = find(name);
        return segment >= 0 && remove(name, segment);
    }

    /** Returns the number of the segment; -1 if there is none. */
    private static int find(String name) {
        int segment = SystemVCalls.get(key(name), 0, 0);
        return LinuxError.ENOENT.is(segment) ? -1 : (int) check(name, "attach", segment);
    }

    private static boolean remove(String name, int segment) {
        long result = SystemVCalls.remove(segment);
        boolean gone = LinuxError.EINVAL.is(result) || LinuxError.EIDRM.is(result);
        return !gone && check(name, "delete", result) == 0;
    }

    private static Region map(String name, int segment, Arena arena) {
        long bytes = check(name, "read its size", SystemVCalls.sizeBytes(segment));
        long address = check(name, "attach", SystemVCalls.attach(segment));
        MemorySegment mapped = LinuxCalls.segment(address, bytes, arena, () -> SystemVCalls.detach(address));
        return new Region(RegionKind.SYSTEM_V, name, mapped, new Segment(name, segment));
    }

    private static long check(String name, String what, long result) {
        if (result < 0) {
            throw LinuxError.exception(words(name) + ": cannot " + what, result);
        }
        return result;
    }

    /** Returns the limits to which an error at creation refers. */
    private static String limits(int result) {
        if (LinuxError.ENOSPC.is(result)) {
            return " (the machine allows " + limit("shmmni") + " segments and " + limit("shmall") + " pages in all)";
        }
        return LinuxError.EINVAL.is(result) ? " (the machine allows " + limit("shmmax") + ")" : "";
    }

    private static String limit(String name) {
        try {
            return Files.readString(LIMITS.resolve(name)).strip();
        } catch (IOException e) {
            return "?";
        }
    }

    /** Returns the key of a name. It is never 0, which means a segment without a key. */
    public static int key(String name) {
        if (KEY.matcher(name).matches()) {
            return requireKey(name, Integer.parseUnsignedInt(name.substring(2), 16));
        }
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return requireKey(name, Crc32c.of(MemorySegment.ofArray(bytes), 0, bytes.length));
    }

    private static int requireKey(String name, int key) {
        if (name.isEmpty() || key == 0) {
            throw new IllegalArgumentException("\"" + name + "\" names no System V segment: its key would be 0");
        }
        return key;
    }

    private static String words(String name) {
        return RegionKind.SYSTEM_V.words() + " \"" + name + "\" (key " + String.format(Locale.ROOT, "0x%08x", key(name))
                + ")";
    }

    /** The kernel's segment of a region. */
    private record Segment(String name, int number) implements RegionBacking {

        /** Removes this segment, but not a later one that has taken its name. */
        @Override
        public boolean delete() {
            return find(name) == number && remove(name, number);
        }
    }
}
