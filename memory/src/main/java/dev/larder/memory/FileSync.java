package dev.larder.memory;

import dev.larder.memory.linux.LinuxCalls;
import dev.larder.memory.region.Region;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/**
 * In which mode a mapped file is opened: the three of {@code java.io.RandomAccessFile}.
 *
 * <p>The system applies a mode to what is written by a call; no mode makes a store into a mapping durable, only
 * {@link Region#force} does. So here it says what is durable when {@link Region#transferFrom} returns.
 */
public enum FileSync {

    /** Mode {@code rw}: nothing is, until it is forced. */
    NONE("rw"),

    /** Mode {@code rwd}: the bytes, and what is needed to read them. */
    DATA("rwd"),

    /** Mode {@code rws}: the bytes, and all that the file system tells about the file. */
    ALL("rws");

    private final String mode;

    FileSync(String mode) {
        this.mode = mode;
    }

    /** Returns the mode as {@code RandomAccessFile} spells it. */
    public String mode() {
        return mode;
    }

    public int linuxFlags() {
        return LinuxCalls.O_RDWR
                | switch (this) {
                    case NONE -> 0;
                    case DATA -> LinuxCalls.O_DSYNC;
                    case ALL -> LinuxCalls.O_SYNC;
                };
    }

    public Set<OpenOption> options() {
        Set<OpenOption> options =
                new HashSet<>(Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        switch (this) {
            case NONE -> {}
            case DATA -> options.add(StandardOpenOption.DSYNC);
            case ALL -> options.add(StandardOpenOption.SYNC);
        }
        return options;
    }
}
