package dev.larder.lab.text;

import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.io.Reader;

/** The text of one document, refused if it is longer than any document is. */
final class BoundedText {

    /** Characters of the longest document. */
    static final int LONGEST = 1 << 24;

    private final StringBuilder text = new StringBuilder();
    private String place = "";

    /** Begins a text, with its place for errors. */
    void begin(String placeForErrors) {
        text.setLength(0);
        place = placeForErrors;
    }

    void append(char character) {
        checkRoom(1);
        text.append(character);
    }

    void append(char[] characters, int offset, int length) {
        checkRoom(length);
        text.append(characters, offset, length);
    }

    /** Appends all text. */
    void appendAll(Reader reader) throws IOException {
        char[] characters = new char[1 << 13];
        for (int read = reader.read(characters); read >= 0; read = reader.read(characters)) {
            append(characters, 0, read);
        }
    }

    private void checkRoom(int length) {
        if (text.length() + length > LONGEST) {
            throw new LabException(
                    place + ": longer than " + LONGEST + " characters, the most that a document may have");
        }
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
