/** The larder command. */
package dev.larder.cli;
