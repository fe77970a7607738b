package dev.larder.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of commands: each command is found, with the properties that clients of Redis rely on. */
final class CommandTableTest {

    private final CommandTable table = CommandTable.standard();

    private static Request request(String line) {
        Request request = new Request();
        try {
            boolean whole = new RequestParser(RequestLimits.defaults())
                    .parse(ByteBuffer.wrap((line + "\r\n").getBytes(StandardCharsets.ISO_8859_1)), request);
            assertThat(whole).isTrue();
        } catch (ProtocolException e) {
            throw new AssertionError(line, e);
        }
        return request;
    }

    private Command find(String line) {
        return Objects.requireNonNull(table.find(request(line)), line);
    }

    @Test
    void findsEachCommandInAnyCase() {
        assertThat(table.all()).hasSizeGreaterThan(90);
        for (Command command : table.all()) {
            assertThat(find(command.name())).isSameAs(command);
            assertThat(find(command.name().toUpperCase(Locale.ROOT))).isSameAs(command);
            assertThat(table.find(command.name())).isSameAs(command);
            assertThat(table.find(request(command.name() + "x"))).isNull();
            for (Command child : command.subcommands()) {
                assertThat(table.findSubcommand(command, request(command.name() + " " + child.shortName())))
                        .isSameAs(child);
                assertThat(table.find(child.name())).isSameAs(child);
            }
        }
        assertThat(table.find("client|none")).isNull();
        assertThat(table.findSubcommand(find("client"), request("client"))).isNull();
    }

    @Test
    void saysSomethingOfEach() {
        Stream<Command> all = table.all().stream()
                .flatMap(command -> Stream.concat(Stream.of(command), command.subcommands().stream()));
        assertThat(all).allSatisfy(command -> {
            assertThat(command.arity()).isNotZero();
            assertThat(command.summary()).matches("[A-Z].*\\.");
            assertThat(command.since()).matches("\\d+\\.\\d+\\.\\d+");
            assertThat(command.categories())
                    .as(command.name())
                    .containsAnyOf(CommandCategory.FAST, CommandCategory.SLOW);
            assertThat(command.is(CommandFlag.WRITE) && command.is(CommandFlag.READONLY))
                    .isFalse();
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "get k | 1",
                "mset a 1 b 2 | 1 3",
                "del a b c | 1 2 3",
                "bitop and d a b | 2 3 4",
                "rename a b | 1 2",
                "xread count 2 streams a b 0 0 | 4 5",
                "xreadgroup group g c streams a > | 5",
                "xreadgroup group streams c streams a b > > | 5 6",
                "xreadgroup group g streams noack streams a > | 6",
                "xreadgroup count 1 block 0 group streams streams streams streams streams | 9",
                "xread block streams streams a 0 | 4",
                "xread count streams streams a 0 | 4",
                "xread count 2 streams a b 0 | ''",
                "xread other 2 streams a 0 | ''",
                "xread count 2 | ''",
                "ping | ''",
                "get | ''",
            })
    void knowsTheKeys(String line, String wanted) {
        Request request = request(line);
        List<String> keys = new ArrayList<>();
        find(line).keys().forEach(request, argument -> keys.add(Integer.toString(argument)));
        assertThat(String.join(" ", keys)).isEqualTo(wanted);
    }

    @Test
    void saysWhatEachCommandDoesWithItsKeys() {
        Stream<Command> all = table.all().stream()
                .flatMap(command -> Stream.concat(Stream.of(command), command.subcommands().stream()));
        assertThat(all.filter(command -> !command.keys().equals(KeyPositions.NONE)))
                .hasSizeGreaterThan(70)
                .allSatisfy(command ->
                        assertThat(KeyUses.isKnown(command)).as(command.name()).isTrue());
        assertThat(uses("xcfgset s idmp-maxsize 1")).containsExactly("1 [RW, UPDATE]");
        assertThat(uses("set k v")).containsExactly("1 [OW, UPDATE]");
        assertThat(uses("bitfield k get u8 0 overflow fail get u8 8")).containsExactly("1 [RO, ACCESS]");
        assertThat(uses("bitfield k")).containsExactly("1 [RO, ACCESS]");
        assertThat(uses("bitfield k get u8 0 set u8 0 1")).containsExactly("1 [RW, ACCESS, UPDATE]");
        assertThat(uses("bitfield k get u8 0 overflow")).containsExactly("1 [RW, ACCESS, UPDATE]");
        assertThat(uses("ssubscribe a b")).isEmpty();
        assertThat(uses("spublish a b")).isEmpty();
    }

    /** Access control requires all rights for a command that does not declare what it does. */
    @Test
    void aCommandOfWhichNobodySaysWhatItDoesNeedsAllRights() {
        CommandTable own = CommandTable.of(List.of("novel | 2 | write | 1 1 1 | generic | 1.0.0 | O(1) | Does it."));
        List<String> uses = new ArrayList<>();
        KeyUses.forEach(
                Objects.requireNonNull(own.find("novel")),
                request("novel k"),
                (use, argument) -> uses.add(argument + " " + use));
        assertThat(uses).containsExactly("1 [RW, ACCESS, UPDATE]");
    }

    private List<String> uses(String line) {
        List<String> uses = new ArrayList<>();
        KeyUses.forEach(find(line), request(line), (use, argument) -> uses.add(argument + " " + use));
        return uses;
    }

    @Test
    void knowsHowManyArgumentsThereMayBe() {
        assertThat(find("get").takes(2)).isTrue();
        assertThat(find("get").takes(3)).isFalse();
        assertThat(find("set").takes(3)).isTrue();
        assertThat(find("set").takes(7)).isTrue();
        assertThat(find("set").takes(2)).isFalse();
        assertThat(find("get").wrongArity()).isEqualTo("ERR wrong number of arguments for 'get' command");
        assertThat(find("config").unknownSubcommand(request("config x")))
                .isEqualTo("ERR unknown subcommand 'x'. Try CONFIG HELP.");
    }

    @Test
    void categoriesFollowFromFlags() {
        assertThat(find("get").categories())
                .containsExactlyInAnyOrder(CommandCategory.READ, CommandCategory.STRING, CommandCategory.FAST);
        assertThat(find("monitor").categories())
                .containsExactlyInAnyOrder(CommandCategory.ADMIN, CommandCategory.DANGEROUS, CommandCategory.SLOW);
        assertThat(find("publish").categories())
                .containsExactlyInAnyOrder(CommandCategory.PUBSUB, CommandCategory.FAST);
        assertThat(CommandFlag.SKIP_MONITOR.text()).isEqualTo("skip_monitor");
        assertThat(CommandCategory.SORTEDSET.text()).isEqualTo("sortedset");
    }

    @Test
    void cutsLongNamesOfUnknownCommands() {
        assertThat(CommandTable.unknownCommand(request("foo a b")))
                .isEqualTo("ERR unknown command 'foo', with args beginning with: 'a' 'b' ");
        String text = CommandTable.unknownCommand(request("x".repeat(500) + " " + "y".repeat(500) + " z"));
        assertThat(text).hasSizeLessThan(400).contains("'" + "x".repeat(128) + "'");
        assertThat(find("config").unknownSubcommand(request("config " + "x".repeat(500))))
                .isEqualTo("ERR unknown subcommand '" + "x".repeat(128) + "'. Try CONFIG HELP.");
    }

    /** Like a string of C: up to a zero byte, and by bytes rather than characters. */
    @Test
    void showsBytesOfUnknownCommandsAsTheyAre() {
        String text = CommandTable.unknownCommand(Request.of(List.of(
                new byte[] {'f', (byte) 0xFF},
                "\u00e4".repeat(100).getBytes(StandardCharsets.UTF_8),
                new byte[] {'a', 0, 'b'})));
        assertThat(ByteText.bytes(text))
                .isEqualTo(("ERR unknown command 'f\u00ff', with args beginning with: '" + "\u00c3\u00a4".repeat(64)
                                + "' ")
                        .getBytes(StandardCharsets.ISO_8859_1));
        assertThat(CommandTable.unknownCommand(Request.of(List.of(new byte[] {'a', 0, 'b'}, new byte[] {'c', 0}))))
                .isEqualTo("ERR unknown command 'a', with args beginning with: 'c' ");
    }

    @Test
    void tellsWhichLineIsWrong() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CommandTable.of(List.of("get | 2")))
                .withMessageContaining("2 fields, not 8, in: get | 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CommandTable.of(List.of("a|b | 2 | - | - | g | 1.0.0 | O(1) | Does it.")))
                .withMessageContaining("subcommands of \"a\"");
    }
}
