/** Result folders side by side. Start at {@link dev.larder.lab.compare.Comparison}. */
package dev.larder.lab.compare;
