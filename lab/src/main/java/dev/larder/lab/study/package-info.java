/** The declaration of an experiment, and what is bound from it. Start at {@link dev.larder.lab.study.Study}. */
package dev.larder.lab.study;
