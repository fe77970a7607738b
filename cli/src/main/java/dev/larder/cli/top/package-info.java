/** The screen of {@code larder top}: all logs below a folder. */
package dev.larder.cli.top;
