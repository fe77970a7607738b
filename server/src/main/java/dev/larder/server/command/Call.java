package dev.larder.server.command;

import dev.larder.resp.Command;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.Request;

/**
 * A command on keys that a client has sent.
 *
 * @param command what it is
 * @param handler what it does
 * @param request its arguments, valid until the call has returned
 * @param database the number of the client's database
 * @param reply where its reply goes
 */
public record Call(Command command, Handler handler, Request request, int database, ReplyEncoder reply) {}
