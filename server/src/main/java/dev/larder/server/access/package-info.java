/** Users and what they may do: commands, keys and channels. Names no session. */
package dev.larder.server.access;
