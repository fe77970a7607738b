package dev.larder.lab.command;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.larder.lab.study.Settings;
import dev.larder.lab.study.Study;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The values that the options of each experiment refuse; the error names the option and the value. */
class StudyOptionsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "buffers  | --block 5000                               | --block 5000 B",
                "buffers  | --total 5MiB                               | --total 5242880",
                "buffers  | --heap 128MiB                              | --heap 128 MiB is less than 224 MiB",
                "buffers  | --memory-limit 600MiB                      | --memory-limit",
                "buffers  | --as-2011 --total 1GiB --block 512MiB      | --heap 256 MiB is less than",
                "buffers  | --kinds stone                              | 'stone'",
                "buffers  | --rounds 0                                 | --rounds 0",
                "database | --records 99                               | --records 99",
                "database | --record 20                                | --record 20",
                "database | --stores larder,oracle                     | --stores oracle",
                "database | --stores h2                                | leaves out larder",
                "database | --postgres localhost                       | --postgres 'localhost'",
                "heap     | --live 1000                                | --live 1000 B",
                "heap     | --heap-factor 1.0                          | --heap-factor 1.0",
                "heap     | --collectors cms                           | no collector 'cms'",
                "heap     | --refresh -1                               | --refresh",
                "heap     | --writes 100.5                             | --writes 100.5 is not from 0 to 100",
                "heap     | --subjects stone                           | --subjects stone is not one of",
                "latency  | --message 8                                | --message 8",
                "latency  | --message 20                               | --message 20",
                "latency  | --rate 0.5                                 | --rate",
                "latency  | --rate 2M                                  | from 1 to 1M",
                "latency  | --duration 0s                              | --duration PT0S",
                "latency  | --row fast                                 | --row fast",
                "load     | --keys 0                                   | --keys 0",
                "load     | --value 15B                                | --value 15 B",
                "load     | --writes 101                               | --writes 101",
                "load     | --rate 0                                   | --rate 0",
                "load     | --seconds 0                                | --seconds 0",
                "load     | --connections 0                            | --connections 0",
                "load     | --rate 5k --sweep                          | exclude each other",
                "load     | --target echo --cluster                    | --cluster needs a Redis",
                "load     | --target a:1,b:2                           | give --cluster",
                "load     | --arrivals replay                          | go together",
                "load     | --replay x                                 | go together",
                "load     | --target-on ssh                            | --target-on starts known",
                "load     | --target known:capacity=0                  | none of",
                "load     | --target nowhere                           | none of",
                "load     | --target a:70000                           | no such port",
                "map      | --subjects stone                           | no such map",
                "map      | --writes 0 --new-keys 10                   | is a share of the puts",
                "map      | --new-keys 101                             | --new-keys 101",
                "map      | --new-keys -1                              | --new-keys",
                "map      | --writes 101                               | --writes 101",
                "map      | --value 23B                                | --value 23 B",
                "queue    | --message 12                               | --message 12",
                "queue    | --burst 8B --message 16B                   | --burst 8 B",
                "queue    | --memory-limit 1MiB --total 1GiB           | --memory-limit 1 MiB",
                "queue    | --state recycled --burst 1MiB --total 79MiB | --total is 79 MiB, --burst 1 MiB",
                "queue    | --total 1MiB                               | --total 1 MiB is less than one burst",
                "queue    | --rival stone                              | --rival stone is not known",
                "search   | --docs 999                                 | --docs 999 is not from 1k to 1G",
                "search   | --vectors 1                                | --vectors 1 is neither 0 nor from 2",
                "search   | --words 1B                                 | --words 1 B is not from 64KiB",
                "search   | --tasks 0                                  | --tasks 0 is not from 1 to 500",
                "search   | --reopen 0s                                | --reopen 0.0 s is not from 10ms",
                "search   | --rates 0                                  | --rates 0.0/s is not from 1",
                "search   | --percent 300                              | --percent 300.0 is not from 0.1",
                "search   | --seconds 0                                | --seconds 0.0 is not from 0.001",
                "search   | --kinds stone                              | is not a kind of query",
                "search   | --throughput --forks 0                     | --forks 0 is not from 1 to 1000",
                "search   | --subjects ram                             | there are: [mmap, mmap-preloaded, mmap-locked",
                "search   | --throughput --subjects larder             | --throughput compares with mmap",
                "array    | --nodes 2                                  | --nodes 2 is not from 3 to 9",
                "array    | --subjects stone                           | --subjects stone is not one of",
                "array    | --outstanding 1                            | is less than --clients",
            })
    void refusesWithTheOptionAndTheValue(String study, String arguments, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Settings.parse(named(study).type(), arguments.split(" +", -1)))
                .withMessageContaining(message);
    }

    private static Study<?> named(String name) {
        return LabCommands.STUDIES.stream()
                .filter(study -> study.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
