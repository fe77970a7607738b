package dev.larder.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.tests.support.Effort;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The image that the server's distribution builds without Docker: its layout, and a run of its contents. */
class ServerImageIT {

    private static final Path COMMAND = Path.of(System.getProperty("larder.distribution"));
    private static final Path SERVER = Path.of(System.getProperty("larder.distribution.server"));
    private static final Pattern BLOB = Pattern.compile("\"digest\":\"sha256:([0-9a-f]{64})\",\"size\":(\\d+)");

    @TempDir
    Path scratch;

    private Path image;

    @BeforeEach
    void needsTools() {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "an image of Linux is built on Linux");
        image = scratch.resolve("image");
    }

    @Test
    @Tag(Effort.LONG)
    void shouldBeAnImageWhoseServerRuns() throws Exception {
        build();
        assertThat(image.resolve("oci-layout")).content().isEqualTo("{\"imageLayoutVersion\":\"1.0.0\"}\n");
        List<Path> manifests = blobs(Files.readString(image.resolve("index.json")));
        assertThat(manifests).hasSize(1);
        List<Path> parts = blobs(Files.readString(manifests.getFirst()));
        assertThat(parts).hasSize(3);
        String config = Files.readString(parts.getFirst());
        assertThat(config)
                .contains("\"User\":\"10001:10001\"", "\"Volumes\":{\"/data\":{}}", "\"6379/tcp\"", "SIGTERM")
                .contains(diffId(parts.get(2)));
        Path root = Files.createDirectory(scratch.resolve("root"));
        for (Path layer : parts.subList(1, 3)) {
            require("tar", "-xzf", layer.toString(), "-C", root.toString());
        }
        assertThat(root.resolve("etc/passwd")).content().contains("larder:x:10001:10001:");
        assertThat(root.resolve("bin")).doesNotExist();
        assertAnswers(entrypoint(config, root));
    }

    private void build() throws IOException, InterruptedException {
        String lib = COMMAND.resolve("lib").toString();
        String script = SERVER.resolve("image/larder-image").toString();
        require(script, image.toString(), "--lib", lib, "--name", "larder:test");
    }

    /** Returns the files that a text names by digest and size, after it has compared both. */
    private List<Path> blobs(String text) throws IOException, NoSuchAlgorithmException {
        List<Path> blobs = new ArrayList<>();
        for (MatchResult match : BLOB.matcher(text).results().toList()) {
            Path blob = image.resolve("blobs/sha256").resolve(match.group(1));
            assertThat(sha256(Files.readAllBytes(blob))).isEqualTo(match.group(1));
            assertThat(blob).hasSize(Long.parseLong(match.group(2)));
            blobs.add(blob);
        }
        return blobs;
    }

    private static String sha256(byte[] bytes) throws NoSuchAlgorithmException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    /** Returns the digest of a layer's uncompressed form. */
    private String diffId(Path layer) throws Exception {
        Path tar = scratch.resolve("layer.tar");
        Process gzip = new ProcessBuilder("gzip", "-dc", layer.toString())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(tar.toFile())
                .start();
        assertThat(gzip.waitFor()).isZero();
        return "sha256:" + sha256(Files.readAllBytes(tar));
    }

    /** Returns the image's command, with the paths of its unpacked files. */
    private static List<String> entrypoint(String config, Path root) {
        int from = config.indexOf("\"Entrypoint\":[") + "\"Entrypoint\":[".length();
        String words = config.substring(from, config.indexOf(']', from)).replace("\n", "");
        return Arrays.stream(words.split(",(?=\")", -1))
                .map(word -> word.substring(1, word.length() - 1).replace("/opt/", root + "/opt/"))
                .toList();
    }

    private void assertAnswers(List<String> entrypoint) throws Exception {
        List<String> command = new ArrayList<>(entrypoint);
        command.addAll(List.of("serve", scratch.resolve("data").toString(), "--port", "0"));
        Process server = new ProcessBuilder(command)
                .redirectError(scratch.resolve("errors").toFile())
                .start();
        try (BufferedReader output = server.inputReader()) {
            String line = output.readLine();
            assertThat(line).as(Files.readString(scratch.resolve("errors"))).matches("serving .* port \\d+ \\(.*\\)");
            int port = Integer.parseInt(line.replaceAll(".* port (\\d+) .*", "$1"));
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(new String(socket.getInputStream().readNBytes(7), StandardCharsets.US_ASCII))
                        .isEqualTo("+PONG\r\n");
            }
            server.destroy();
            assertThat(server.waitFor()).isEqualTo(143);
        } finally {
            server.destroyForcibly();
        }
    }

    private void require(String... command) throws IOException, InterruptedException {
        Path said = scratch.resolve("said");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
        builder.environment().put("LARDER_IMAGE_GZIP", "1");
        builder.environment().put("LARDER_JAVA_HOME", System.getProperty("java.home"));
        int code = builder.start().waitFor();
        assertThat(code).as(Files.readString(said)).isZero();
    }
}
