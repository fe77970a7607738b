/** What makes records durable. */
package dev.larder.log.sync;
