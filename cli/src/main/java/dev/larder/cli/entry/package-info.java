/** Keys, values and messages as people and JSON write them. */
package dev.larder.cli.entry;
