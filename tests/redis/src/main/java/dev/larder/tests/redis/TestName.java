package dev.larder.tests.redis;

/**
 * A test of the suite.
 *
 * @param unit the file, as {@code unit/type/string}
 * @param name what the suite calls it
 * @param occurrence 1, or more where a unit has several tests of a name
 */
record TestName(String unit, String name, int occurrence) {

    private static final String SEPARATOR = " | ";

    /** Names are written one a line; what would end a line or a field is replaced. */
    TestName {
        name = name.replaceAll("\\s+", " ").replace(SEPARATOR, " / ").trim();
    }

    /** Returns the name with its number where it is not the first. */
    String label() {
        return occurrence == 1 ? name : name + " [" + occurrence + "]";
    }

    /** Returns unit and label as files have them. */
    @Override
    public String toString() {
        return unit + SEPARATOR + label();
    }
}
