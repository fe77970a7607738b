package dev.larder.lab.text;

import dev.larder.lab.result.LabException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A document a line: title TAB body. Empty lines are passed over. */
final class LinesCorpus implements Corpus {

    private final PackedFile file;
    private final Utf8Reader text;
    private final BoundedText line = new BoundedText();
    private long lines;
    private long empty;

    LinesCorpus(PackedFile file) {
        this.file = file;
        this.text = new Utf8Reader(file.text());
    }

    @Override
    public String name() {
        return file.name();
    }

    @Override
    public @Nullable TextDocument next() throws IOException {
        while (nextLine()) {
            if (!line.isBlank()) {
                return document(line.toString());
            }
            empty++;
        }
        return null;
    }

    private boolean nextLine() throws IOException {
        line.begin(file.name() + ": line " + ++lines);
        int next = text.read();
        boolean more = next >= 0;
        while (next >= 0 && next != '\n') {
            line.append((char) next);
            next = text.read();
        }
        return more;
    }

    private TextDocument document(String text) {
        int tab = text.indexOf('\t');
        if (tab < 0) {
            throw new LabException(file.name() + ": line " + lines
                    + ": no TAB in it (of a file of lines each is: title TAB body; name the folder of a text"
                    + " that is none)");
        }
        return new TextDocument(
                text.substring(0, tab).strip(), text.substring(tab + 1).strip());
    }

    @Override
    public long replaced() {
        return text.replaced();
    }

    @Override
    public long passedOver() {
        return empty;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
