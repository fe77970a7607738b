/** The output of commands: columns of figures, progress, counts. */
package dev.larder.cli.output;
