/** The declaration of an experiment, and its bindings. Start at {@link dev.larder.lab.study.Study}. */
package dev.larder.lab.study;
