package dev.larder.lab.text;

import dev.larder.lab.result.LabException;
import java.io.IOException;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * The articles of a MediaWiki dump, as plain text: pages of namespace 0 that are not redirects, in their last revision.
 *
 * <pre>{@code
 * <mediawiki> <page> <title/> <ns/> [<redirect/>] <revision> <text/> </revision> ... </page> ... </mediawiki>
 * }</pre>
 */
final class WikiCorpus implements Corpus {

    private static final String NO_LIMIT = "0";
    private static final String ARTICLES = "0";

    private final PackedFile file;
    private final XMLStreamReader events;
    private final BoundedText text = new BoundedText();
    private final Page page = new Page();

    WikiCorpus(PackedFile file) {
        this.file = file;
        try {
            events = factory().createXMLStreamReader(file);
            enter();
        } catch (XMLStreamException e) {
            throw damaged(e);
        }
    }

    /** Without a document type the only entities are XML's five, which limits on entities count as well. */
    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty("jdk.xml.totalEntitySizeLimit", NO_LIMIT);
        factory.setProperty("jdk.xml.maxGeneralEntitySizeLimit", NO_LIMIT);
        return factory;
    }

    private void enter() throws XMLStreamException {
        while (events.getEventType() != XMLStreamConstants.START_ELEMENT) {
            refuseDocumentType(events.next());
        }
        if (!events.getLocalName().equals("mediawiki")) {
            throw new LabException(place() + ": the root is <" + events.getLocalName()
                    + ">, not <mediawiki>: not a dump of MediaWiki");
        }
    }

    private void refuseDocumentType(int event) {
        if (event == XMLStreamConstants.DTD) {
            throw new LabException(place() + ": a document type, which no dump of MediaWiki has");
        }
    }

    @Override
    public String name() {
        return file.name();
    }

    @Override
    public @Nullable TextDocument next() {
        try {
            while (events.hasNext()) {
                int event = events.next();
                if (event == XMLStreamConstants.START_ELEMENT) {
                    take(events.getLocalName());
                } else if (event == XMLStreamConstants.END_ELEMENT && isPage() && isArticle()) {
                    return new TextDocument(page.title, WikiText.plain(page.text));
                }
            }
            return null;
        } catch (XMLStreamException e) {
            throw damaged(e);
        }
    }

    private void take(String element) throws XMLStreamException {
        switch (element) {
            case "page" -> page.begin();
            case "title" -> page.title = content();
            case "ns" -> page.article = content().strip().equals(ARTICLES);
            case "redirect" -> page.redirect = true;
            case "text" -> page.text = content();
            default -> {}
        }
    }

    private boolean isPage() {
        return events.getLocalName().equals("page");
    }

    private boolean isArticle() {
        return page.article && !page.redirect && !page.text.isBlank();
    }

    private String content() throws XMLStreamException {
        text.begin(place());
        for (int event = events.next(); event != XMLStreamConstants.END_ELEMENT; event = events.next()) {
            takeContent(event);
        }
        return text.toString();
    }

    private void takeContent(int event) {
        switch (event) {
            case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE ->
                text.append(events.getTextCharacters(), events.getTextStart(), events.getTextLength());
            case XMLStreamConstants.COMMENT, XMLStreamConstants.PROCESSING_INSTRUCTION -> {}
            default -> throw new LabException(place() + ": an element or an entity within text");
        }
    }

    private String place() {
        return file.name() + ": line " + events.getLocation().getLineNumber() + ", column "
                + events.getLocation().getColumnNumber();
    }

    private LabException damaged(XMLStreamException cause) {
        String place = cause.getLocation() == null
                ? ""
                : " line " + cause.getLocation().getLineNumber() + ":";
        return new LabException(file.name() + ":" + place + " not well-formed XML: " + cause.getMessage(), cause);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    /** The parts of the page read so far. */
    private static final class Page {

        private String title = "";
        private String text = "";
        private boolean article;
        private boolean redirect;

        /** Old dumps had no namespace. */
        void begin() {
            title = "";
            text = "";
            article = true;
            redirect = false;
        }
    }
}
