package dev.larder.tests.redis;

/**
 * A test of the suite.
 *
 * @param unit the file, as {@code unit/type/string}
 * @param name the suite's name for it
 * @param occurrence 1, or more if a unit has several tests of this name
 */
record TestName(String unit, String name, int occurrence) {

    private static final String SEPARATOR = " | ";

    /** Replaces characters that would end a line or a field, because names are written one per line. */
    TestName {
        name = name.replaceAll("\\s+", " ").replace(SEPARATOR, " / ").trim();
    }

    /** Returns the name, with its number if it is not the first. */
    String label() {
        return occurrence == 1 ? name : name + " [" + occurrence + "]";
    }

    /** Returns unit and label in the form that files use. */
    @Override
    public String toString() {
        return unit + SEPARATOR + label();
    }
}
