package dev.larder.array.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.tests.support.Effort;
import dev.larder.tests.support.Porcupine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One node's disk fails: it takes no part until it is mended, the others go on, and what clients were answered has an order. */
@Tag(Effort.QUIET)
final class DiskFaultTest {

    private static final int HEADER_BYTES = 8;
    private static final int CHECKSUM_BYTES = 4;
    private static final byte ENTRY_BYTES = 100;
    private static final int DISK_MIB = 96;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir
    private Path directory;

    @BeforeEach
    void needsTheJudge() {
        Porcupine.missing().ifPresent(reason -> assumeTrue(false, reason));
    }

    /** A disk that is full while all write: the node says so, and comes back once there is room. */
    @Test
    void shouldGoOnWhileADiskIsFull() {
        assumeTrue(Namespaces.missing().isEmpty(), Namespaces.missing());
        Namespaces network = new Namespaces(Campaign.NODES);
        int full = 1;
        Path disk = directory.resolve("node" + full);
        network.mount(full, disk, DISK_MIB);
        try (Campaign campaign = new Campaign(directory, network, 1, null)) {
            Cluster cluster = campaign.cluster();
            campaign.answers(100);
            network.run(full, "dd", "if=/dev/zero", "of=" + disk.resolve("filler"), "bs=1M");
            await().atMost(PATIENCE).until(() -> cluster.logged(full).contains("takes no part"));
            assertThat(cluster.logged(full)).contains("DiskFullException");
            campaign.answers(100);
            cluster.kill(full);
            network.run(full, "rm", disk.resolve("filler").toString());
            cluster.start(full);
            campaign.answers(100);
            assertThat(campaign.judge()).isEmpty();
        }
    }

    /** A node is killed while it writes its log: behind the last whole entry lies the beginning of another. */
    @Test
    void shouldStartWithATornTailOfItsLog() throws IOException {
        try (Campaign campaign = new Campaign(directory, new Loopback(Campaign.NODES), 1, null)) {
            Cluster cluster = campaign.cluster();
            campaign.answers(100);
            cluster.kill(1);
            List<Path> open = openSegments(cluster.folder(1));
            assertThat(open).isNotEmpty();
            for (Path segment : open) {
                tear(segment);
            }
            campaign.answers(50);
            cluster.start(1);
            campaign.answers(50);
            assertThat(campaign.judge()).isEmpty();
        }
    }

    private static List<Path> openSegments(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("raft"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("log_inprogress_"))
                    .toList();
        }
    }

    /** Puts the first bytes of an entry of 100 bytes where the next one belongs: its length, and some of it. */
    private static void tear(Path segment) throws IOException {
        int end = end(ByteBuffer.wrap(Files.readAllBytes(segment)));
        try (FileChannel file = FileChannel.open(segment, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(new byte[] {ENTRY_BYTES, 10, 20, 30, 40, 50}), end);
        }
    }

    /** Returns where the entries of Ratis' log end: each is its length as a varint, its bytes, and a checksum. */
    private static int end(ByteBuffer log) {
        log.position(HEADER_BYTES);
        while (log.hasRemaining()) {
            int begin = log.position();
            int length = varint(log);
            if (length == 0) {
                return begin;
            }
            log.position(log.position() + length + CHECKSUM_BYTES);
        }
        return log.position();
    }

    private static int varint(ByteBuffer in) {
        int value = 0;
        for (int shift = 0; in.hasRemaining(); shift += 7) {
            byte part = in.get();
            value |= (part & 0x7f) << shift;
            if (part >= 0) {
                break;
            }
        }
        return value;
    }
}
