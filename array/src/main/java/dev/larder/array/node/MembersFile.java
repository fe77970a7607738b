package dev.larder.array.node;

import dev.larder.array.stripe.StripeState.Place;
import dev.larder.memory.CorruptException;
import dev.larder.memory.StorageException;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * {@code array.members}: the stripes of which a node has members, and which of these are witnesses. A listed member must have its
 * files. Used by one thread.
 *
 * <pre>
 * stripe.3=joined                a mirror
 * stripe.4=founder witness       a witness
 * stripe.5=joined witness 2:719  a witness that was a mirror, or came back: its store begins after entry 719, of term 2
 * left.6=2:719                   a former member: its store ended with entry 719, of term 2. Its log may begin after it
 * </pre>
 */
public final class MembersFile {

    /** The origin of a member. */
    public enum Origin {
        /** Made with the array. */
        FOUNDER,
        /** Added later, and its files are being made: it has never run. */
        MAKING,
        /** Added later. */
        JOINED
    }

    /**
     * A member.
     *
     * @param origin the origin of the member
     * @param isWitness whether it keeps the log, and no store
     * @param from the entry after which its store begins, if it is a witness that had another store; else {@link Place#NONE}
     */
    public record Entry(Origin origin, boolean isWitness, Place from) {

        static Entry of(Origin origin, boolean isWitness) {
            return new Entry(origin, isWitness, Place.NONE);
        }

        private String text() {
            String text = origin.name().toLowerCase(Locale.ROOT);
            if (isWitness) {
                text += " " + WITNESS;
            }
            return from.equals(Place.NONE) ? text : text + " " + placeText(from);
        }

        private static Entry parse(String text) {
            String[] words = text.split(" ", -1);
            if (words.length > 1 && !words[1].equals(WITNESS)) {
                throw new IllegalArgumentException("'" + text + "' is not a member");
            }
            Place from = words.length > 2 ? place(words[2]) : Place.NONE;
            return new Entry(Origin.valueOf(words[0].toUpperCase(Locale.ROOT)), words.length > 1, from);
        }
    }

    private static final String NAME = "array.members";
    private static final String WITNESS = "witness";
    private static final String STRIPE = "stripe.";
    private static final String LEFT = "left.";

    private final Path file;
    private SortedMap<Integer, Entry> members = new TreeMap<>();

    /** The entries up to which the stores of members that have left were durable. */
    private SortedMap<Integer, Place> left = new TreeMap<>();

    private MembersFile(Path directory) {
        this.file = directory.resolve(NAME);
    }

    /**
     * Writes the file of a node that is being created.
     *
     * @param founding for each stripe's number, whether the node's member is a witness
     */
    public static void create(Path directory, Map<Integer, Boolean> founding) {
        SortedMap<Integer, Entry> members = new TreeMap<>();
        founding.forEach((stripe, isWitness) -> members.put(stripe, Entry.of(Origin.FOUNDER, isWitness)));
        new MembersFile(directory).replace(members, new TreeMap<>());
    }

    /**
     * Reads the file.
     *
     * @throws CorruptException if it is damaged
     */
    public static MembersFile read(Path directory) {
        MembersFile read = new MembersFile(directory);
        Properties lines = new Properties();
        try (Reader in = Files.newBufferedReader(read.file)) {
            lines.load(in);
            for (String name : lines.stringPropertyNames()) {
                read.parse(name, lines.getProperty(name, ""));
            }
            return read;
        } catch (IOException e) {
            throw new StorageException(read.file + ": " + e, e);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new CorruptException(read.file + " is damaged: " + e.getMessage());
        }
    }

    private void parse(String name, String text) {
        if (name.startsWith(LEFT)) {
            left.put(Integer.valueOf(name.substring(LEFT.length())), place(text));
        } else {
            members.put(Integer.valueOf(name.substring(STRIPE.length())), Entry.parse(text));
        }
    }

    private static Place place(String text) {
        String[] numbers = text.split(":", -1);
        return new Place(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
    }

    private static String placeText(Place place) {
        return place.term() + ":" + place.index();
    }

    /** Returns the members by the numbers of their stripes. */
    public Map<Integer, Entry> all() {
        return Collections.unmodifiableMap(new TreeMap<>(members));
    }

    /** Records that the files of a new member are being made. */
    public void makes(int stripe, boolean isWitness) {
        put(stripe, Entry.of(Origin.MAKING, isWitness));
    }

    /**
     * Records a member whose files are made. They may be those of a member that has left, and the beginning of their log may be
     * dropped. A witness then continues behind the last entry of the former store. A mirror pulls a store.
     */
    public void joins(int stripe, boolean isWitness) {
        Place from = isWitness ? left.getOrDefault(stripe, Place.NONE) : Place.NONE;
        put(stripe, new Entry(Origin.JOINED, isWitness, from));
    }

    /** Records that a member is a witness from now on. Its store, which holds the entries up to a given one, will be deleted. */
    public void becomesWitness(int stripe, Place from) {
        put(stripe, new Entry(Objects.requireNonNull(members.get(stripe)).origin, true, from));
    }

    /** Records that a member is a mirror from now on: it is to have a store. */
    public void becomesMirror(int stripe) {
        put(stripe, Entry.of(Objects.requireNonNull(members.get(stripe)).origin, false));
    }

    private void put(int stripe, Entry entry) {
        SortedMap<Integer, Entry> next = new TreeMap<>(members);
        SortedMap<Integer, Place> nextLeft = new TreeMap<>(left);
        next.put(stripe, entry);
        nextLeft.remove(stripe);
        replace(next, nextLeft);
    }

    /**
     * Records that a member has left its stripe. Its log stays, and its store will be deleted.
     *
     * @param durable the last entry that its store holds durably: no later entry is dropped from its log
     */
    public void leaves(int stripe, Place durable) {
        SortedMap<Integer, Entry> next = new TreeMap<>(members);
        SortedMap<Integer, Place> nextLeft = new TreeMap<>(left);
        next.remove(stripe);
        nextLeft.put(stripe, durable);
        replace(next, nextLeft);
    }

    /** Records that the files of a member which has never run are deleted. */
    public void unmakes(int stripe) {
        SortedMap<Integer, Entry> next = new TreeMap<>(members);
        next.remove(stripe);
        replace(next, left);
    }

    /** Changes the members once they are in the file: else a member would run that the next start does not know. */
    private void replace(SortedMap<Integer, Entry> all, SortedMap<Integer, Place> allLeft) {
        write(all, allLeft);
        members = all;
        left = allLeft;
    }

    private void write(SortedMap<Integer, Entry> all, SortedMap<Integer, Place> allLeft) {
        Properties lines = new Properties();
        all.forEach((stripe, entry) -> lines.setProperty(STRIPE + stripe, entry.text()));
        allLeft.forEach((stripe, durable) -> lines.setProperty(LEFT + stripe, placeText(durable)));
        Path next = file.resolveSibling(NAME + ".tmp");
        try {
            StringWriter text = new StringWriter();
            lines.store(text, null);
            Files.writeString(next, text.toString(), StandardCharsets.ISO_8859_1);
            force(next, StandardOpenOption.WRITE);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
            force(Objects.requireNonNull(file.toAbsolutePath().getParent()), StandardOpenOption.READ);
        } catch (IOException e) {
            throw new StorageException(file + ": " + e, e);
        }
    }

    private static void force(Path path, StandardOpenOption how) throws IOException {
        try (FileChannel channel = FileChannel.open(path, how)) {
            channel.force(true);
        }
    }
}
