package dev.larder.examples;

import dev.larder.codec.Codec;
import dev.larder.codec.ValueCodec;
import dev.larder.map.LarderMap;
import java.nio.file.Path;
import java.util.List;

/** Values are records. A later release of the program adds a component, and reads the values that the earlier one stored. */
public final class TypedValues {

    private TypedValues() {}

    /** The earlier release. */
    static final class Earlier {
        private Earlier() {}

        /** A price. */
        record Price(String currency, long cents) {}
    }

    /** The later release. */
    static final class Later {
        private Later() {}

        /** A price, with the countries in which it applies. */
        record Price(String currency, long cents, List<String> countries) {}
    }

    public static void main(String[] arguments) {
        Path directory = Path.of(arguments[0]);
        try (LarderMap<Long, Earlier.Price> prices =
                LarderMap.open(directory, ValueCodec.longs(), Codec.records(Earlier.Price.class))) {
            prices.put(1L, new Earlier.Price("EUR", 250));
        }
        try (LarderMap<Long, Later.Price> prices =
                LarderMap.open(directory, ValueCodec.longs(), Codec.records(Later.Price.class))) {
            prices.put(2L, new Later.Price("EUR", 300, List.of("AT", "DE")));
            prices.forEach((article, price) -> System.out.println(article + ": " + price));
            Later.Price first = prices.get(1L);
            if (first == null || first.cents() != 250 || !first.countries().isEmpty()) {
                throw new IllegalStateException("read " + first);
            }
        }
    }
}
