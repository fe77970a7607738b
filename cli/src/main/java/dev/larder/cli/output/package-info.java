/** What commands print: columns of figures, progress, counts. */
package dev.larder.cli.output;
