package dev.larder.cli.map;

import dev.larder.cli.entry.EntryForm;
import dev.larder.cli.entry.EntryForms;
import dev.larder.cli.entry.EntryText;
import dev.larder.map.LarderMap;
import dev.larder.map.MapTypes;
import java.nio.file.Path;

/**
 * A map as a command has it open. A command closes its map, and syncs it after a change. If a shell has opened the map,
 * the command leaves both to the shell.
 */
public final class OpenMap implements AutoCloseable {

    private final Path directory;
    private final LarderMap<byte[], byte[]> map;
    private final MapTypes types;
    private final EntryText text;
    private final boolean readOnly;
    private final boolean shared;

    /** Creates a map that one command has opened. */
    OpenMap(Path directory, LarderMap<byte[], byte[]> map, MapTypes types, EntryText text, boolean readOnly) {
        this(directory, map, types, text, readOnly, false);
    }

    private OpenMap(
            Path directory,
            LarderMap<byte[], byte[]> map,
            MapTypes types,
            EntryText text,
            boolean readOnly,
            boolean shared) {
        this.directory = directory;
        this.map = map;
        this.types = types;
        this.text = text;
        this.readOnly = readOnly;
        this.shared = shared;
    }

    /** Returns the same map for the commands of a shell. */
    OpenMap shared() {
        return new OpenMap(directory, map, types, text, readOnly, true);
    }

    Path directory() {
        return directory;
    }

    public LarderMap<byte[], byte[]> map() {
        return map;
    }

    MapTypes types() {
        return types;
    }

    EntryText text() {
        return text;
    }

    EntryForm keys(EntryForms forms) {
        return forms.keys(types, text);
    }

    EntryForm values(EntryForms forms) {
        return forms.values(types, text);
    }

    /** Makes the command's changes durable. */
    void sync() {
        if (!shared) {
            map.sync();
        }
    }

    /** Makes the changes of a shell's commands durable. Does nothing if the map is open read-only. */
    void syncChanges() {
        if (!readOnly) {
            map.sync();
        }
    }

    @Override
    public void close() {
        if (!shared) {
            map.close();
        }
    }
}
