/** Pushes, which clients are sent without a request: messages of channels, events of keys, and keys that have changed. */
package dev.larder.server.push;
