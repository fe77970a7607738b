/** The code that makes records durable. */
package dev.larder.log.sync;
