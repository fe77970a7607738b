/** Many commands on one map or queue that is opened once. */
package dev.larder.cli.shell;
