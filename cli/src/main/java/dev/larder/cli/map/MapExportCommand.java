package dev.larder.cli.map;

import static java.util.stream.Collectors.joining;

import dev.larder.cli.ExitCode;
import dev.larder.cli.FailureReason;
import dev.larder.cli.Larder;
import dev.larder.cli.entry.EntryForm;
import dev.larder.cli.entry.EntryForms;
import dev.larder.cli.entry.EntryStream;
import dev.larder.cli.entry.EntryText;
import dev.larder.cli.entry.JsonMessages;
import dev.larder.cli.output.OwnerFile;
import dev.larder.cli.output.ProgressBar;
import dev.larder.codec.Schema;
import dev.larder.map.MapSnapshot;
import dev.larder.map.MapTypes;
import dev.larder.memory.LarderException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Writes the entries of a map as JSON lines, or as a stream of bytes. */
@Command(
        name = "export",
        description = {
            "Writes all entries of one moment, in no order. Each is a line of JSON with key, value and expiry. "
                    + "Keys and values are text, a typed value with its schema, or base64, unless --keys and "
                    + "--values name another form. With --binary entries are a stream of bytes with a checksum "
                    + "each. Needs 16 bytes of memory per entry.",
            "'larder map import' reads both. JSON lines have no end mark: only exit code 0 shows that the export is "
                    + "complete. A stream of bytes has an end mark, and import checks it."
        },
        mixinStandardHelpOptions = true,
        footer = {
            ExitCode.EXAMPLES,
            "  larder map export stock > stock.json",
            "  larder map export stock --binary --to stock.bin",
            ExitCode.HELP
        })
final class MapExportCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private MapArguments arguments = new MapArguments();

    @Mixin
    private EntryForms forms = new EntryForms();

    @Option(names = "--binary", description = "Write a stream of bytes instead of JSON lines.")
    private boolean binary;

    @Option(names = "--to", paramLabel = "FILE", description = "The new file to write (the standard output).")
    private @Nullable Path to;

    @Override
    public Integer call() {
        check();
        try (OpenMap open = arguments.openToRead();
                MapSnapshot<byte[], byte[]> snapshot = open.map().snapshot()) {
            open.keys(forms); // refuses a form before a file is made
            open.values(forms);
            write(open, snapshot);
            return ExitCode.OK;
        } catch (IOException e) {
            if (to == null && Larder.streams(command).out().isUnread()) {
                return ExitCode.ERROR; // the export is incomplete, because its reader stopped
            }
            throw new LarderException("cannot write the export: " + FailureReason.of(e), e);
        }
    }

    private void check() {
        String forms = Stream.of("--keys", "--values", "--json")
                .filter(command.commandLine().getParseResult()::hasMatchedOption)
                .collect(joining(", "));
        if (binary && !forms.isEmpty()) {
            throw new ParameterException(
                    command.commandLine(), "--binary writes bytes as they are, and cannot be given with " + forms);
        }
    }

    private void write(OpenMap open, MapSnapshot<byte[], byte[]> map) throws IOException {
        if (to == null) {
            OutputStream out = Larder.streams(command).out().strict();
            write(open, map, out);
            out.flush();
        } else {
            try (ProgressBar _ = ProgressBar.asking("export", Larder.streams(command), to.toFile()::length);
                    OutputStream file = OwnerFile.create(to)) {
                write(open, map, file);
            } catch (FileAlreadyExistsException e) {
                throw new LarderException(to + ": exists already; name a new file", e);
            }
        }
    }

    private void write(OpenMap open, MapSnapshot<byte[], byte[]> map, OutputStream out) throws IOException {
        if (binary) {
            writeBytes(map, open.types(), open.text(), out);
        } else {
            writeLines(map, open, out);
        }
    }

    private static void writeBytes(MapSnapshot<byte[], byte[]> map, MapTypes types, EntryText text, OutputStream out)
            throws IOException {
        EntryStream.begin(out);
        EntryStream.write(out, EntryStream.TYPES, utf8(types.keyCodec()), utf8(types.valueCodec()));
        for (Map.Entry<Integer, Schema> schema : text.schemas().entrySet()) {
            byte[] number = littleEndian(Integer.BYTES).putInt(schema.getKey()).array();
            EntryStream.write(
                    out, EntryStream.SCHEMA, number, utf8(schema.getValue().text()));
        }
        long entries = 0;
        for (Map.Entry<byte[], byte[]> entry : map) {
            EntryStream.writeEntry(out, entry.getKey(), entry.getValue(), map.expiry(entry.getKey()));
            entries++;
        }
        byte[] count = littleEndian(Long.BYTES).putLong(entries).array();
        EntryStream.write(out, EntryStream.END, new byte[0], count);
    }

    private void writeLines(MapSnapshot<byte[], byte[]> map, OpenMap open, OutputStream out) throws IOException {
        MapTypes types = open.types();
        EntryForm keys = open.keys(forms);
        EntryForm values = open.values(forms);
        Map<String, @Nullable Object> codecs = new LinkedHashMap<>();
        codecs.put("keys", types.keyCodec());
        codecs.put("values", types.valueCodec());
        writeLine(out, codecs);
        for (Map.Entry<Integer, Schema> schema : open.text().schemas().entrySet()) {
            writeLine(out, JsonMessages.schemaLine(schema.getKey(), schema.getValue()));
        }
        for (Map.Entry<byte[], byte[]> entry : map) {
            Map<String, @Nullable Object> line = new LinkedHashMap<>();
            line.put("key", keys.json(entry.getKey()));
            line.put("value", values.json(entry.getValue()));
            map.expiry(entry.getKey()).ifPresent(when -> line.put("expires", when.toString()));
            writeLine(out, line);
        }
    }

    private static void writeLine(OutputStream out, Map<String, @Nullable Object> line) throws IOException {
        out.write(utf8(JsonMessages.json(line)));
        out.write('\n');
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static ByteBuffer littleEndian(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
