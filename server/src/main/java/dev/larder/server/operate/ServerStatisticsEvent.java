package dev.larder.server.operate;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The work of a server since the event before, about a second ago; in the first event, since a recording began. */
@Name("dev.larder.ServerStatistics")
@Label("Server Statistics")
@Category({"Larder", "Server"})
@StackTrace(false)
final class ServerStatisticsEvent extends Event {

    @Label("Port")
    int port;

    @Label("Connected Clients")
    int clients;

    @Label("Connections Opened")
    long opened;

    @Label("Connections Closed")
    long closed;

    @Label("Connections Refused")
    long refused;

    @Label("Commands")
    long commands;

    @Label("Keys Evicted")
    long evicted;

    @Label("Commands Refused Without Memory")
    long outOfMemory;

    @Label("Used Memory")
    @DataAmount
    long usedMemory;
}
