/** The command that starts a server. */
package dev.larder.serve;
