package dev.larder.lab.text;

import dev.larder.lab.result.LabException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A document per line: title TAB body. Skips empty lines. */
final class LinesCorpus implements Corpus {

    private final PackedFile file;
    private final BoundedText line = new BoundedText();
    private long lines;

    LinesCorpus(PackedFile file) {
        this.file = file;
    }

    @Override
    public String name() {
        return file.name();
    }

    @Override
    public @Nullable TextDocument next() {
        while (nextLine()) {
            if (!line.toString().isBlank()) {
                return document(line.toString());
            }
        }
        return null;
    }

    private boolean nextLine() {
        line.begin(file.name() + ": line " + ++lines);
        int next = file.read();
        boolean more = next >= 0;
        while (next >= 0 && next != '\n') {
            line.append((char) next);
            next = file.read();
        }
        return more;
    }

    private TextDocument document(String text) {
        int tab = text.indexOf('\t');
        if (tab < 0) {
            throw new LabException(file.name() + ": line " + lines
                    + ": it has no TAB (each line of a file of lines is: title TAB body; for other texts"
                    + " name a folder)");
        }
        return new TextDocument(
                text.substring(0, tab).strip(), text.substring(tab + 1).strip());
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
