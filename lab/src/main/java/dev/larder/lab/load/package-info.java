/**
 * Open-loop load: requests leave at their own pace, however late the target is, and every response time is kept.
 *
 * <pre>
 *   conductor ── asks ──&gt; generator process ── requests ──&gt; target process
 *                          Arrivals: when                    TargetServer: receives, queues, serves
 *                          Workload: what                    PauseRecorder: collections, safepoints
 *                          Driver: how
 *                          ResponseLog: all of it, in a Larder queue
 * </pre>
 *
 * A response time is counted from when the request was intended to leave, not from when it left: a target that stops for
 * 5 s at 200 requests a second has made a thousand late answers, and all of them count. How late the generator itself
 * was is measured beside it; a run in which that matters is void.
 */
package dev.larder.lab.load;
