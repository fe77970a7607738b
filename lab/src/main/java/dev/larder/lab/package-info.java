/** The frame of a run: what every experiment shares. Start at {@link dev.larder.lab.LabRun}. */
package dev.larder.lab;
