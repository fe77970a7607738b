package dev.larder.lab.study;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An option of an experiment, written once: at the component of a record that holds it.
 *
 * <pre>
 * --total SIZE=96MiB|24MiB [4KiB..1TiB x 4KiB] {--as-2011: 1GiB; --quick --limit=none: 2x--limit} Written in each round
 * name    form default|quick range, a multiple  defaults under conditions                        help
 * </pre>
 *
 * <p>All but name and help may be left out. Without a form it is a flag; one that begins with {@code --no-} is on unless it
 * is given. A default is as it is written on the command line, or that of another option, or several times that; those
 * under conditions come first, where all options of the condition are given. The default is added to the help, unless
 * the help ends with words in parentheses.
 *
 * <p>A component whose type is a record of settings is a group of them. If such a component is a setting itself, it is
 * null without its flag.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {

    /** The declaration. */
    String value();
}
