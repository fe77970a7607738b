package dev.larder.server.stream;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The groups of a stream. */
@SuppressWarnings("exports") // callers do not need the nullness annotations
public final class Groups {

    private final StreamRecords records;
    private final long stream;
    private final TreeMap<String, Group> groups = new TreeMap<>();
    private final Map<Integer, Group> byNumber = new HashMap<>();
    private int made;

    Groups(StreamRecords records, long stream) {
        this.records = records;
        this.stream = stream;
    }

    /** Returns the groups by their names. The caller must not change them. */
    public SortedMap<String, Group> all() {
        return groups;
    }

    /** Returns the group with a name; null if there is none. */
    public @Nullable Group find(String name) {
        return groups.get(name);
    }

    /** Creates a group, whose name must be free. */
    public Group add(String name, StreamId last, long read) {
        Group group = new Group(records, stream, made++, name, last, read);
        group.save();
        put(group);
        return group;
    }

    private void put(Group group) {
        groups.put(group.name(), group);
        byNumber.put(group.number(), group);
    }

    /** Removes a group, with everything that it has. */
    public void remove(Group group) {
        group.removeRecords();
        groups.remove(group.name());
        byNumber.remove(group.number());
    }

    void load(int number, ByteBuffer record) {
        put(Group.load(records, stream, number, record));
        made = Math.max(made, number + 1);
    }

    @Nullable
    Group numbered(int number) {
        return byNumber.get(number);
    }

    void removeRecords() {
        groups.values().forEach(Group::removeRecords);
        groups.clear();
        byNumber.clear();
    }

    void copyTo(Groups target) {
        for (Group group : groups.values()) {
            group.copyTo(target.add(group.name(), group.last(), group.read()));
        }
    }
}
