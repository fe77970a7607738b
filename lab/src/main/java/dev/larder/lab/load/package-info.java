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
 * A response time counts from the intended moment of the request, not from when it left. A target that stops for 5 s at
 * 200 requests a second gives a thousand late answers, and all of them count. The generator's own lateness is also
 * measured; a run in which it matters is void.
 */
package dev.larder.lab.load;
