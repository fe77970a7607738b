/** The commands on a map. */
package dev.larder.cli.map;
