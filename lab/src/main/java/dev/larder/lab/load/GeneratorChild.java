package dev.larder.lab.load;

import java.io.IOException;

/** The process that sends requests to a target of our own. */
public final class GeneratorChild {

    private GeneratorChild() {}

    /** Serves a conductor until it ends. */
    public static void main(String[] arguments) throws IOException {
        new GeneratorLoop().serve();
    }
}
