/** The frame that experiments share, and the experiment {@code queue}. Start at {@link dev.larder.lab.LabRun}. */
package dev.larder.lab;
