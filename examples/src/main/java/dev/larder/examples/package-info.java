/** Example programs, one idea each. A program takes a new directory, and fails if Larder does not do what the program says. */
package dev.larder.examples;
