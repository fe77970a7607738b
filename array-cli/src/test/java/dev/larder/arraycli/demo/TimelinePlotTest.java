package dev.larder.arraycli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The picture of a timeline. */
final class TimelinePlotTest {

    @Test
    void isWellFormed() throws Exception {
        Timeline timeline = new Timeline();
        timeline.add(new Timeline.Event(0.5, "a < b & c"));
        for (int second = 1; second <= 40; second++) {
            timeline.add(new Timeline.Sample(second, 1000.0 * second, second == 12 ? 2345 : 3, 0, "0 1 2"));
        }
        Document picture = parsed(TimelinePlot.svg(timeline));
        assertThat(picture.getDocumentElement().getTagName()).isEqualTo("svg");
        assertThat(picture.getElementsByTagName("polyline").getLength()).isEqualTo(2);
        assertThat(picture.getDocumentElement().getTextContent())
                .contains("a < b & c", "operations a second", "50,000");
    }

    /** The last event may come after the last sample: its line lies within the picture. */
    @Test
    void hasRoomForTheLastEvent() throws Exception {
        Timeline timeline = new Timeline();
        timeline.add(new Timeline.Sample(1, 1000, 3, 0, "0 1 2"));
        timeline.add(new Timeline.Event(20, "late"));
        Document picture = parsed(TimelinePlot.svg(timeline));
        double width = Double.parseDouble(picture.getDocumentElement().getAttribute("width"));
        NodeList lines = picture.getElementsByTagName("line");
        for (int i = 0; i < lines.getLength(); i++) {
            assertThat(Double.parseDouble(((Element) lines.item(i)).getAttribute("x1")))
                    .isBetween(0.0, width);
        }
    }

    @Test
    void canBeEmpty() throws Exception {
        assertThat(parsed(TimelinePlot.svg(new Timeline()))
                        .getElementsByTagName("line")
                        .getLength())
                .isPositive();
    }

    @Test
    void roundsScalesUp() {
        assertThat(TimelinePlot.roundedUp(0)).isEqualTo(1);
        assertThat(TimelinePlot.roundedUp(1.5)).isEqualTo(2);
        assertThat(TimelinePlot.roundedUp(2345)).isEqualTo(5000);
        assertThat(TimelinePlot.roundedUp(51_000)).isEqualTo(100_000);
    }

    private static Document parsed(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }
}
