/**
 * The protocol of Redis, RESP2 and RESP3, without a socket and without data. {@link dev.larder.resp.RequestParser} finds
 * requests in a buffer, {@link dev.larder.resp.ReplyEncoder} writes replies, and {@link dev.larder.resp.CommandTable} lists
 * the commands with the meaning of their arguments.
 */
package dev.larder.resp;
