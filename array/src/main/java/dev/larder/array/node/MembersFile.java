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
 * stripe.5=joined witness 2:719  a witness that was a mirror: its first store held entries up to number 719, of term 2
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
     * @param from the entry after which its store begins, if it is a witness that was a mirror; else {@link Place#NONE}
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
            return from.equals(Place.NONE) ? text : text + " " + from.term() + ":" + from.index();
        }

        private static Entry parse(String text) {
            String[] words = text.split(" ", -1);
            if (words.length > 1 && !words[1].equals(WITNESS)) {
                throw new IllegalArgumentException("'" + text + "' is not a member");
            }
            Place from = Place.NONE;
            if (words.length > 2) {
                String[] numbers = words[2].split(":", -1);
                from = new Place(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
            }
            return new Entry(Origin.valueOf(words[0].toUpperCase(Locale.ROOT)), words.length > 1, from);
        }
    }

    private static final String NAME = "array.members";
    private static final String WITNESS = "witness";
    private static final String STRIPE = "stripe.";

    private final Path file;
    private SortedMap<Integer, Entry> members;

    private MembersFile(Path directory, SortedMap<Integer, Entry> members) {
        this.file = directory.resolve(NAME);
        this.members = members;
    }

    /**
     * Writes the file of a node that is being created.
     *
     * @param founding for each stripe's number, whether the node's member is a witness
     */
    public static void create(Path directory, Map<Integer, Boolean> founding) {
        SortedMap<Integer, Entry> members = new TreeMap<>();
        founding.forEach((stripe, isWitness) -> members.put(stripe, Entry.of(Origin.FOUNDER, isWitness)));
        new MembersFile(directory, new TreeMap<>()).replace(members);
    }

    /**
     * Reads the file.
     *
     * @throws CorruptException if it is damaged
     */
    public static MembersFile read(Path directory) {
        MembersFile read = new MembersFile(directory, new TreeMap<>());
        Properties lines = new Properties();
        try (Reader in = Files.newBufferedReader(read.file)) {
            lines.load(in);
            for (String name : lines.stringPropertyNames()) {
                read.members.put(
                        Integer.valueOf(name.substring(STRIPE.length())), Entry.parse(lines.getProperty(name, "")));
            }
            return read;
        } catch (IOException e) {
            throw new StorageException(read.file + ": " + e, e);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new CorruptException(read.file + " is damaged: " + e.getMessage());
        }
    }

    /** Returns the members by the numbers of their stripes. */
    public Map<Integer, Entry> all() {
        return Collections.unmodifiableMap(new TreeMap<>(members));
    }

    /** Records a member of a stripe. */
    public void put(int stripe, Origin origin, boolean isWitness) {
        put(stripe, Entry.of(origin, isWitness));
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
        next.put(stripe, entry);
        replace(next);
    }

    /** Records that there is no member of a stripe. */
    public void remove(int stripe) {
        SortedMap<Integer, Entry> next = new TreeMap<>(members);
        next.remove(stripe);
        replace(next);
    }

    /** Changes the members once they are in the file: else a member would run that the next start does not know. */
    private void replace(SortedMap<Integer, Entry> all) {
        write(all);
        members = all;
    }

    private void write(SortedMap<Integer, Entry> all) {
        Properties lines = new Properties();
        all.forEach((stripe, entry) -> lines.setProperty(STRIPE + stripe, entry.text()));
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
