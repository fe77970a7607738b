package dev.larder.map;

import dev.larder.log.Steps;

/** Counts how many steps of the image each thread has copied. */
final class CopiesCount implements Steps {

    private final ThreadLocal<long[]> copies = ThreadLocal.withInitial(() -> new long[1]);

    @Override
    public void reached(String step) {
        if ("image.copied".equals(step)) {
            copies.get()[0]++;
        }
    }

    long own() {
        return copies.get()[0];
    }
}
