package dev.larder.memory;

import dev.larder.memory.linux.LinuxStorage;
import dev.larder.memory.portable.PortableStorage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;

/** The other process of a test. Its first argument names the storage, the second the action. */
final class StorageChild {

    private static final long LONG_NANOS = Duration.ofMinutes(5).toNanos();

    private final Storage storage;
    private final Path path;

    private StorageChild(Storage storage, Path path) {
        this.storage = storage;
        this.path = path;
    }

    public static void main(String[] arguments) throws IOException {
        Storage storage = "native".equals(arguments[0]) ? LinuxStorage.INSTANCE : PortableStorage.INSTANCE;
        StorageChild child = new StorageChild(storage, Path.of(arguments[2]));
        switch (arguments[1]) {
            case "lock" -> child.lock(Long.parseLong(arguments[3]), false);
            case "share" -> child.lock(Long.parseLong(arguments[3]), true);
            case "await" -> child.await();
            case "create" -> child.create(Access.valueOf(arguments[3]));
            case "check" -> child.check();
            case "lock-pages" -> child.lockPages();
            default -> throw new IllegalArgumentException(arguments[1]);
        }
    }

    /** Tries to lock a byte, exclusively or shared, prints the result, and stays. */
    private void lock(long offset, boolean shared) throws IOException {
        StorageFile file = storage.open(path, true).orElseThrow();
        boolean obtained = shared ? file.tryLockShared(offset) : file.tryLock(offset);
        say(obtained ? "locked" : "busy");
        System.in.read();
        say("" + file.path());
    }

    /** Waits in one call, far longer than the test, until the first word of the file is no longer 0. */
    private void await() {
        try (StorageFile file = storage.open(path, true).orElseThrow()) {
            MemorySegment word = file.map(0, 4096, true, Arena.global());
            say("waiting");
            storage.sharedWait().await(word, 0, 0, LONG_NANOS);
            say("word is " + word.get(ValueLayout.JAVA_INT, 0));
        }
    }

    private void create(Access access) {
        storage.createDirectories(path.resolve("a/b"), access);
        storage.create(path.resolve("a/b/file"), access).orElseThrow().close();
        say("done");
    }

    /** Computes many checks; the JVM has a collector that never frees, and a heap too small for an object a check. */
    private void check() {
        MemorySegment bytes = Arena.global().allocate(4096);
        Crc32c crc = new Crc32c();
        int all = 0;
        for (int i = 0; i < 1_000_000; i++) {
            all ^= crc.over(bytes, i & 63, 64);
        }
        say("checks done: " + Integer.toHexString(all));
    }

    /** Asks for a megabyte to be locked in memory, and prints why it is not. */
    private void lockPages() {
        try (StorageFile file = storage.create(path, Access.OWNER).orElseThrow()) {
            file.allocate(1 << 20, Allocation.RESERVE);
            say(storage.lockPages(file.map(0, 1 << 20, true, Arena.global())).orElse("locked"));
        }
    }

    private static void say(String text) {
        System.out.println(text);
        System.out.flush();
    }
}
