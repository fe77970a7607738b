/** One file, one idea: each takes a new directory, and fails where the queue did not do what it says. */
package dev.larder.examples;
