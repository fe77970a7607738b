/** Shells that run many commands on one map or queue, which is opened once. */
package dev.larder.cli.shell;
