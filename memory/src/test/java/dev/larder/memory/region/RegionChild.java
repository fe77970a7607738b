package dev.larder.memory.region;

import java.io.IOException;

/** The other process of a test of regions. Its arguments: the action, the kind, the name. */
public final class RegionChild {

    private RegionChild() {}

    public static void main(String[] arguments) throws IOException {
        RegionKind kind = RegionKind.valueOf(arguments[1]);
        switch (arguments[0]) {
            case "create" -> create(kind, arguments[2]);
            case "attach" -> attach(kind, arguments[2]);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** Creates a region, writes into it, and stays until it is killed: it neither closes nor deletes it. */
    private static void create(RegionKind kind, String name) throws IOException {
        Region region = Region.create(kind, name, RegionProcessesTest.BYTES);
        for (long offset = 0; offset < RegionProcessesTest.BYTES; offset += Long.BYTES) {
            region.putLong(offset, offset * RegionProcessesTest.FACTOR);
        }
        say("created " + region.sizeBytes());
        System.in.read();
        say("" + region.getByte(0));
    }

    /** Attaches to a region, checks it, and answers in its first bytes. */
    private static void attach(RegionKind kind, String name) {
        try (Region region = Region.attach(kind, name)) {
            say("wrong: " + RegionProcessesTest.wrong(region) + " of " + region.sizeBytes());
            region.putLong(0, RegionProcessesTest.ANSWER);
        }
    }

    private static void say(String text) {
        System.out.println(text);
        System.out.flush();
    }
}
