package dev.larder.lab.study;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An option of an experiment, declared once: at the record component that holds it.
 *
 * <pre>
 * --total SIZE=96MiB|24MiB [4KiB..1TiB x 4KiB] {--as-2011: 1GiB; --quick --limit=none: 2x--limit} Written in each round
 * name    form default|quick range, a multiple  defaults under conditions                        help
 * </pre>
 *
 * <p>Only name and help are required. Without a form it is a flag; a flag that begins with {@code --no-} is on unless it is
 * given. A default is a value as on the command line, or another option's value, or a multiple of that. A default under a
 * condition takes precedence if all options of the condition are given. The help ends with the default, unless it ends
 * with words in parentheses.
 *
 * <p>A component whose type is a record of settings is a group of them. If the component is also a setting, it is null
 * without its flag.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {

    /** The declaration. */
    String value();
}
