/** Keys, values and messages in the notation of the command line and in JSON. */
package dev.larder.cli.entry;
