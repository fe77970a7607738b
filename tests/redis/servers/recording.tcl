# Runs the suite's test_helper.tcl so that it waits for an answer to each of its events. The recorder can then tell which
# test has sent a command: all that was sent before an event came before it.
proc answer_events {args} {
    if {$::client != 1} return
    rename send_data_packet send_without_answer
    proc send_data_packet {fd status data {elapsed 0}} {
        send_without_answer $fd $status $data $elapsed
        gets $fd
    }
}
trace add variable ::client write answer_events
source tests/test_helper.tcl
